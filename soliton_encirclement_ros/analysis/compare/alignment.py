"""Which moment of a recording is time 0 of a comparison."""

import numpy as np

from soliton_encirclement_ros.analysis.compare.comparison_records import Side
from soliton_encirclement_ros.analysis.recording import Floats, Member
from soliton_encirclement_ros.core.errors import RunError

MOTION, START, FAILURE, NONE = 'motion', 'start', 'failure', 'none'
ALIGNMENTS = (MOTION, START, FAILURE, NONE)
"""The first motion of an agent, the first sample, the first failure, or as recorded."""

MOVING = 0.5
"""Speed [m/s] above which a body moves; one that stands seems to creep, by its noise."""

LASTING = 0.5
"""Time [s] for which it must move: an outlier is no motion."""


def zero_of(side: Side, align: str) -> float:
    """Return the time of a side [s] that is time 0.

    Raises:
        RunError: The side has no such moment.
    """
    if align == NONE:
        return 0.0
    if align == START:
        return float(side.series['time'][0])
    found = side.moved_at if align == MOTION else side.failed_at
    if found is None:
        what = (
            f'no agent is known to have moved faster than {MOVING:g} m/s for {LASTING:g} s'
            if align == MOTION
            else 'no agent is known to have failed'
        )
        raise RunError(f'{side.name}: {what}: align with --align start or --align none')
    return found


def start_of_motion(time: Floats, speed: Floats) -> float | None:
    """Return when a body first moves and keeps moving [s], None if it never does.

    Between two samples the speed counts as a straight line, so that recordings of different
    rates find nearly the same moment.

    Args:
        time: (K,) ascending [s].
        speed: (K,) [m/s].
    """
    moving = np.concatenate(([False], speed > MOVING, [False]))
    edges = np.flatnonzero(np.diff(moving.astype(int)))
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        if time[end - 1] - time[begin] >= LASTING:
            return _crossing(time, speed, begin)
    return None


def _crossing(time: Floats, speed: Floats, first: int) -> float:
    """Return when the speed passes the bound before the first sample above it [s]."""
    if first == 0 or not speed[first - 1] <= MOVING:
        return float(time[first])
    share = (MOVING - speed[first - 1]) / (speed[first] - speed[first - 1])
    return float(time[first - 1] + share * (time[first] - time[first - 1]))


def motion_of(member: Member) -> float | None:
    """Return when a member first moves [s], by whatever is known of it."""
    for part in (member.track, member.telemetry, member.states):
        if part is not None and len(part.time):
            return start_of_motion(part.time, np.linalg.norm(part.velocity, axis=1))
    return None
