"""Common time base for curves of different sample rates."""

from collections.abc import Sequence

import numpy as np

from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.analysis.resampling import SAME, usual_step
from soliton_encirclement_ros.core.errors import RunError


def common_times(times: Sequence[Floats]) -> Floats:
    """Return times that all sides cover, at the longest of their usual steps.

    If all sides have the same times within the common range, these are returned.

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
            'the aligned recordings have no time in common: use another alignment '
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
