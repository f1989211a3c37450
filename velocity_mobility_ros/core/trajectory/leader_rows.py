"""The way of a virtual leader in advance: its position and velocity at every step."""

from typing import Any, NamedTuple

from velocity_mobility_ros.core.polyline.codes import MOVED
from velocity_mobility_ros.core.polyline.follow_step import follow_step
from velocity_mobility_ros.core.polyline.move import with_time
from velocity_mobility_ros.core.polyline.orientation import heading
from velocity_mobility_ros.core.polyline.records import FollowSettings, PathState

COLUMNS = 6
"""Columns of a row: position [m] and velocity [m/s], x, y and z each."""


class LeaderFlight(NamedTuple):
    """A leader after some steps.

    Attributes:
        state: The leader.
        code: MOVED, FINISHED at the end of the polyline, or why it cannot go on.
        rows: Number of rows that were written.
    """

    state: PathState
    code: int
    rows: int


def fly_rows(
    vertices: Any, state: PathState, settings: FollowSettings, first: int, rows: Any
) -> LeaderFlight:
    """Fly on along a polyline, and write the leader before every step into a row.

    Args:
        vertices: ``Polyline.vertices``.
        state: The leader.
        settings: How it follows.
        first: Number of steps that it has made; its time is that number times ``settings.dt``.
        rows: Gets the rows; float64 array, (n, 6).
    """
    for k in range(len(rows)):
        state = with_time(state, (first + k) * settings.dt)
        write_row(state, rows[k])
        found = follow_step(vertices, state, settings)
        if found.code != MOVED:
            return LeaderFlight(state, found.code, k + 1)
        state = found.state
    return LeaderFlight(state, MOVED, len(rows))


def write_row(state: PathState, row: Any) -> None:
    """Write position and velocity of a leader."""
    ahead = heading(state.attitude)
    for k in range(3):
        row[k] = state.position[k]
        row[3 + k] = state.speed * ahead[k]
