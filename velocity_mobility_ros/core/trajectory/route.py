"""The polyline from a vehicle's place along received waypoints."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.polyline.constants import ARRIVAL_DISTANCE
from velocity_mobility_ros.core.polyline.path import Polyline, polyline
from velocity_mobility_ros.core.polyline.queries import distance


class Waypoint(NamedTuple):
    """A place [m] to fly to, and the time [s] from now at which to be there, NaN for none."""

    position: Vector
    time: float


def route(waypoints: Sequence[Waypoint], position: Vector, loop: bool) -> Polyline:
    """Return the polyline from a position [m]; its times count from now.

    The position is the vertex before the first one, unless the first waypoint is there. In a loop
    it is the last waypoint, since that comes before the first one in later rounds; then the time
    of a waypoint counts from the timed one before it.

    Raises:
        PolylineError: The waypoints are no polyline; vertices are counted from 0 at the position.
    """
    rows = [[*place, time] for place, time in waypoints]
    if loop:
        rows = [rows[-1], *rows[:-1]] if rows else []
        return polyline(_legs(rows), 0.0, closed=True)
    if len(rows) < 2 or distance(waypoints[0].position, position) > ARRIVAL_DISTANCE:
        rows.insert(0, [*position, math.nan])
    return polyline(rows)


def _legs(rows: list[list[float]]) -> list[list[float]]:
    """Return vertices of a loop with the time of each since the timed one before it.

    The first row is the last waypoint of a round.
    """
    before, found = 0.0, []
    for *place, time in [*rows[1:], *rows[:1]]:
        found.append([*place, time - before])
        before = before if math.isnan(time) else time
    return [*found[-1:], *found[:-1]]
