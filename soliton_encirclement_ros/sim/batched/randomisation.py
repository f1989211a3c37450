"""Parameters that differ between bodies, around nominal ones."""

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.core.parameters import declarations

from soliton_encirclement_ros.sim.batched.errors import BatchError


def randomised(
    nominal: MobilityParameters | Sequence[MobilityParameters],
    widths: Mapping[str, float],
    count: int,
    seed: int,
) -> list[MobilityParameters]:
    """Return parameters for some bodies, uniform around the nominal ones.

    A field with the width w is multiplied by a number from 1 - w to 1 + w; every body and every
    field has its own. The numbers of a field depend on the seed and its name alone. With the
    width 0 a field keeps its value to the bit.

    Args:
        nominal: Parameters of all bodies, or a list of those of each.
        widths: Relative widths by names of fields, from 0 to below 1.
        count: How many bodies there are.
        seed: Seed of the numbers, >= 0.

    Raises:
        BatchError: A field is unknown, no floating point number or none is set, a width is
            outside its range, or a body's parameters are refused.
    """
    shared = isinstance(nominal, MobilityParameters)
    records = [nominal] * count if shared else list(nominal)
    for name, width in widths.items():
        _check(records[0], name, width)
    factors = {
        name: 1.0 + width * np.random.default_rng([seed, *name.encode()]).uniform(-1.0, 1.0, count)
        for name, width in widths.items()
    }
    return [
        _scaled(one, {name: float(values[i]) for name, values in factors.items()})
        for i, one in enumerate(records)
    ]


def _check(parameters: MobilityParameters, name: str, width: float) -> None:
    known = declarations(type(parameters))
    floats = [one for one, declaration in known.items() if declaration.kind is float]
    if name not in floats:
        raise BatchError(f'{name!r} cannot be randomised; known: {", ".join(floats)}')
    if not 0.0 <= width < 1.0:
        raise BatchError(f'width of {name} = {width}, must be at least 0 and below 1')
    if getattr(parameters, name) is None:
        raise BatchError(f'{name} = none cannot be randomised; give it a value')


def _scaled(parameters: MobilityParameters, factors: Mapping[str, float]) -> MobilityParameters:
    values = {name: factor * getattr(parameters, name) for name, factor in factors.items()}
    try:
        return dataclasses.replace(parameters, **values)
    except ParameterError as error:
        raise BatchError(f'randomised parameters are refused: {error}; take less width') from None
