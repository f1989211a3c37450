"""One time base for curves of different rates: nothing is subtracted before it is on it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.errors import RunError

Floats = NDArray[np.float64]

MAX_GAP = 1.0
"""Time [s] without a sample after which a curve is unknown, if samples come more often."""

SLOW_SAMPLES = 5.0
"""Where samples are rare, it is unknown after this many of their usual steps."""

SAME = 1e-9
"""Times that differ by less [s] are one."""


def usual_step(time: Floats) -> float:
    """Return the median time between two samples [s], 0 for fewer than two."""
    return float(np.median(np.diff(time))) if len(time) > 1 else 0.0


def common_times(times: Sequence[Floats]) -> Floats:
    """Return times that all sides cover, at the longest of their usual steps.

    Where all sides have the very same times within the common range, these are returned.

    Args:
        times: (S,) of every side, ascending [s].

    Raises:
        RunError: There is no time that all of them cover.
    """
    filled = [time for time in times if len(time)]
    begin = max((time[0] for time in filled), default=0.0)
    end = min((time[-1] for time in filled), default=-1.0)
    if len(filled) < len(times) or end < begin:
        raise RunError(
            'the recordings have no time in common once aligned: align them in another way '
            '(--align start), or leave one out'
        )
    inside = [time[(time >= begin - SAME) & (time <= end + SAME)] for time in filled]
    first = inside[0]
    if all(len(one) == len(first) and np.allclose(one, first, 0.0, SAME) for one in inside):
        return first
    step = max(map(usual_step, filled))
    if step <= 0.0:
        return np.array([begin])
    return begin + step * np.arange(np.floor((end - begin) / step + SAME) + 1)


def on_base(base: Floats, time: Floats, values: Floats, steps: bool = False) -> Floats:
    """Return a curve on a time base; NaN outside of it and in its gaps.

    Args:
        base: (T,) times asked for [s].
        time: (S,) ascending [s].
        values: (S,) samples.
        steps: Whether the curve keeps its value until the next sample, instead of a straight
            line between two.
    """
    if not len(time):
        return np.full(len(base), np.nan)
    after = np.clip(np.searchsorted(time, base - SAME), 0, len(time) - 1)
    before = np.where(time[after] <= base + SAME, after, np.maximum(after - 1, 0))
    step = time[after] - time[before]
    share = np.divide(base - time[before], step, np.zeros(len(base)), where=step > 0.0)
    longest = max(MAX_GAP, SLOW_SAMPLES * usual_step(time))
    unknown = (step > longest) | (base < time[0] - SAME) | (base > time[-1] + SAME)
    start, end = values[before], values[after]
    with np.errstate(invalid='ignore'):
        between = np.where(share > 0.0, start + share * (end - start), start)
    return np.where(unknown, np.nan, start if steps else between)
