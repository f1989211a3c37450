"""The separation filter as the engine calls it: over rows of numbers, compiled by itself."""

from collections.abc import Callable

import numpy as np

from soliton_encirclement_ros.sim.compilation.compiled import pointed
from soliton_encirclement_ros.swarm.over_rows import filtering

ROW, ROWS = np.zeros(1), np.zeros((1, 1))


def filter_step(plain: bool) -> Callable[..., int]:
    """Return the filter over rows, compiled where there is a compiler, or ``plain``."""
    if plain:
        return filtering()
    return pointed(filtering(), ROW, ROW, ROW, ROW, ROWS, ROWS, ROWS, ROW)
