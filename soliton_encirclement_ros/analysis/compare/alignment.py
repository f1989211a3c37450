"""Time alignment: selects time 0 of each recording in a comparison."""

import numpy as np

from soliton_encirclement_ros.analysis.compare.comparison_records import Side
from soliton_encirclement_ros.analysis.recording import Floats, Member
from soliton_encirclement_ros.core.errors import RunError

MOTION, START, FAILURE, NONE = 'motion', 'start', 'failure', 'none'
ALIGNMENTS = (MOTION, START, FAILURE, NONE)
"""The first motion of an agent, the first sample, the first failure, or as recorded."""

MOVING = 0.5
"""Speed [m/s] above which a body moves; noise gives a standing body a small speed."""

MIN_DURATION = 0.5
"""Minimum duration of a motion [s]; excludes outliers."""


def zero_of(side: Side, align: str) -> float:
    """Return the time [s] of a side that becomes time 0.

    Raises:
        RunError: The side has no such event.
    """
    if align == NONE:
        return 0.0
    if align == START:
        return float(side.series['time'][0])
    found = side.moved_at if align == MOTION else side.failed_at
    if found is None:
        reason = (
            f'no agent moved faster than {MOVING:g} m/s for {MIN_DURATION:g} s'
            if align == MOTION
            else 'no failure of an agent was recorded'
        )
        raise RunError(f'{side.name}: {reason}; use --align start or --align none')
    return found


def start_of_motion(time: Floats, speed: Floats) -> float | None:
    """Return the time [s] of the first motion, None if there is none.

    The speed is interpolated linearly, so that the result hardly depends on the sample rate.

    Args:
        time: (K,) ascending [s].
        speed: (K,) [m/s].
    """
    moving = np.concatenate(([False], speed > MOVING, [False]))
    edges = np.flatnonzero(np.diff(moving.astype(int)))
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        if time[end - 1] - time[begin] >= MIN_DURATION:
            return _crossing(time, speed, begin)
    return None


def _crossing(time: Floats, speed: Floats, first: int) -> float:
    """Return the time [s] at which the speed crosses the bound."""
    if first == 0 or not speed[first - 1] <= MOVING:
        return float(time[first])
    share = (MOVING - speed[first - 1]) / (speed[first] - speed[first - 1])
    return float(time[first - 1] + share * (time[first] - time[first - 1]))


def motion_of(member: Member) -> float | None:
    """Return the time [s] of the first motion, by the truth, odometry, telemetry or states."""
    for part in (member.flown, member.telemetry, member.states):
        if part is not None and len(part.time):
            return start_of_motion(part.time, np.linalg.norm(part.velocity, axis=1))
    return None
