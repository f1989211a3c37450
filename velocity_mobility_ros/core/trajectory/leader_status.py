"""What remains of the path of a virtual leader."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from velocity_mobility_ros.core.polyline.path import Polyline
from velocity_mobility_ros.core.polyline.queries import (
    distance_along,
    remaining_time,
    timed_index,
)
from velocity_mobility_ros.core.polyline.records import PathState
from velocity_mobility_ros.core.trajectory.stages import Stage


class LeaderStatus(NamedTuple):
    """What remains of a path.

    Attributes:
        vertices_left: Number of vertices ahead; 0 without a path.
        distance: Way to the last one [m]; once round, if the path is closed.
        time_to_go: Time [s] until the nearest timed vertex is due; NaN without one.
        lateness: How late [s] the last timed vertex was reached, or is, the time held included.
    """

    vertices_left: int
    distance: float
    time_to_go: float
    lateness: float


class Remaining(NamedTuple):
    """The first three of ``LeaderStatus``."""

    vertices_left: int
    distance: float
    time_to_go: float


def what_remains(state: PathState, stages: Sequence[Stage]) -> Remaining:
    """Return what remains to a leader of the stages that it has not finished.

    Args:
        state: The leader.
        stages: The stages, the one that it is on first.
    """
    if not stages:
        return Remaining(0, 0.0, math.nan)
    progress, path = state.progress, stages[0].path
    left = progress.left - 1
    way = distance_along(path.vertices, progress, state.position, left)
    to_go = time_to_go(path, state)
    for _, later in stages[1:]:
        left, way = left + later.start.left - 1, way + length_of(later)
        if math.isnan(to_go):
            to_go = time_to_go(later, state._replace(progress=later.start))
    return Remaining(left, way, to_go)


def time_to_go(path: Polyline, state: PathState) -> float:
    """Return the time [s] until the nearest timed vertex is due; NaN without one."""
    vertices, progress = path.vertices, state.progress
    return remaining_time(vertices, progress, timed_index(vertices, progress), state.time)


def length_of(path: Polyline) -> float:
    """Return the length [m] of a polyline that is not closed."""
    x, y, z = path.vertices[0, :3].tolist()
    return distance_along(path.vertices, path.start, (x, y, z), path.start.left - 1)
