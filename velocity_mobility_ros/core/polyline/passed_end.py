"""A body that has passed the last vertex: it stops along its heading, then it returns.

The original turns such a body round at speed, which no vehicle can follow.
"""

from velocity_mobility_ros.core.polyline.move import segment_attitude
from velocity_mobility_ros.core.polyline.orientation import (
    attitude_along,
    difference,
    heading,
    inner,
    norm,
)
from velocity_mobility_ros.core.polyline.queries import Vertices, vertex
from velocity_mobility_ros.core.polyline.records import Attitude, FollowSettings, PathState
from velocity_mobility_ros.core.polyline.speed.prediction import is_at_rest


def has_passed(vertices: Vertices, state: PathState) -> bool:
    """Return whether the body is beyond the last vertex, seen along the last segment."""
    last = vertex(vertices, state.progress, 1)
    segment = difference(last, vertex(vertices, state.progress, 0))
    return norm(segment) == 0.0 or inner(difference(state.position, last), segment) > 0.0


def stops_behind(vertices: Vertices, state: PathState, settings: FollowSettings) -> bool:
    """Return whether a body that moves has to stop as the last vertex is passed and behind it."""
    if settings.original or settings.cuts_corners:
        return False
    way = difference(vertex(vertices, state.progress, 1), state.position)
    return has_passed(vertices, state) and inner(heading(state.attitude), way) < 0.0


def return_attitude(vertices: Vertices, state: PathState, settings: FollowSettings) -> Attitude:
    """Return the attitude after a step near the last vertex.

    Along the segment; a body that has passed the vertex keeps its heading until it is at rest and
    then turns to the vertex.
    """
    along = segment_attitude(vertices, state)
    if settings.original or settings.cuts_corners or not has_passed(vertices, state):
        return along
    way = difference(vertex(vertices, state.progress, 1), state.position)
    if norm(way) == 0.0 or not is_at_rest(state.speed, state.acceleration):
        return state.attitude
    return attitude_along(way)
