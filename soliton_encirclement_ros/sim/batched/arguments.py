"""What a batch is given, checked."""

from collections.abc import Callable
from typing import Any

import numpy as np
from velocity_mobility_ros.core.random_numbers import LARGEST_SEED

from soliton_encirclement_ros.sim.batched.errors import BatchError
from soliton_encirclement_ros.sim.batched.namespaces import Array, Namespace


def by_body(
    name: str, value: Any, converted: Callable[[Array], Array], count: int, xp: Namespace
) -> Array:
    """Return one value per body, an array (E,).

    Args:
        name: Name of the argument.
        value: One value per body, or one for all.
        converted: Returns an array as one of the right type.
        count: How many bodies there are.
        xp: The library of arrays.

    Raises:
        BatchError: There are more or fewer values.
    """
    found = xp.array(value)
    shape = tuple(found.shape)
    if shape not in ((), (count,)):
        raise BatchError(f'{name} have the shape {shape}, must be ({count},) or one for all')
    return xp.spread(converted(found), count)


def seeds_of(seeds: Any) -> Any:
    """Return seeds as an array.

    Raises:
        BatchError: One is no whole number from 0 to 2^53.
    """
    found = np.asarray(seeds)
    is_whole = found.dtype.kind in 'iu' and found.size > 0
    if not is_whole or found.min() < 0 or found.max() > LARGEST_SEED:
        raise BatchError('seeds must be whole numbers from 0 to 2^53')
    return found.astype(np.int64)
