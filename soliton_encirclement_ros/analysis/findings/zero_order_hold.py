"""What was known at some times: the latest of every series, as long as it is fresh."""

import math

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.analysis.recording import Floats

NEVER = -1
"""The index that stands for nothing known yet."""


def latest(time: Floats, at: Floats, strictly: bool = False) -> NDArray[np.int64]:
    """Return the index of the latest sample at some times, ``NEVER`` before the first.

    Args:
        time: (K,) when samples were taken, ascending [s].
        at: (S,) when to look [s].
        strictly: A sample at the very time of the look does not count.
    """
    return np.searchsorted(time, at, 'left' if strictly else 'right') - 1


def zero_order_hold(time: Floats, values: Floats, at: Floats, longest: float = math.inf) -> Floats:
    """Return the latest values at some times, NaN where there is none that is fresh.

    Args:
        time: (K,) when samples were taken, ascending [s].
        values: (K,) or (K, 3).
        at: (S,) when to look [s].
        longest: Largest age that counts as fresh [s].
    """
    if not len(time):
        return np.full((len(at), *values.shape[1:]), math.nan)
    index = latest(time, at)
    held = values[np.maximum(index, 0)].astype(float)
    held[(index == NEVER) | (at - time[np.maximum(index, 0)] > longest)] = math.nan
    return held
