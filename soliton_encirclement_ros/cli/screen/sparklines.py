"""A series of values as a line of bars, one character each."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

SPAN = 60.0
"""Time that a line shows [s]."""

BARS, PLAIN_BARS = '▁▂▃▄▅▆▇█', '_.:-=+*#'


class Sparkline(NamedTuple):
    """The bars, and the largest value among them, NaN if there is none."""

    bars: str
    largest: float


def sparkline(
    time: Sequence[float], values: Sequence[float], width: int, least: float, is_plain: bool
) -> Sparkline:
    """Return the last values of a series: each bar is the largest one in its part of the time.

    Bars stand still while time passes: their parts are multiples of one length. They begin at the
    left, and move there once the line is full.

    Args:
        time: Times of the values [s], ascending.
        values: The values.
        width: Number of bars.
        least: Value of the lowest bar; the highest is the largest value.
        is_plain: Whether there are no characters but those of ASCII.
    """
    if not len(time):
        return Sparkline(' ' * width, math.nan)
    part = SPAN / width
    first = max(math.floor(time[0] / part), math.floor(time[-1] / part) - width + 1)
    edges = part * np.arange(first, first + width + 1)
    begin = int(np.searchsorted(time, edges[0]))
    seen = np.array(values[begin:], dtype=float)
    starts = np.searchsorted(np.array(time[begin:], dtype=float), edges)
    heights = [
        float(np.fmax.reduce(seen[low:high])) if high > low else math.nan
        for low, high in pairwise(starts)
    ]
    largest = max((one for one in heights if math.isfinite(one)), default=math.nan)
    bars = PLAIN_BARS if is_plain else BARS
    return Sparkline(''.join(_bar(one, least, largest, bars) for one in heights), largest)


def _bar(value: float, least: float, most: float, bars: str) -> str:
    if not math.isfinite(value):
        return ' '
    share = (value - least) / (most - least) if most > least else 0.0
    return bars[min(max(int(share * len(bars)), 0), len(bars) - 1)]
