"""A step that passes vertices on the polyline itself, so that its length is what was planned.

The original replans from the old position towards the vertex after: it cuts the corner by up to
one step, and the way to the last vertex becomes shorter than it was when the braking began.
"""

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.polyline.advance import advanced
from velocity_mobility_ros.core.polyline.codes import MOVED
from velocity_mobility_ros.core.polyline.move import (
    Followed,
    displacement,
    moved_with,
    segment_attitude,
    with_position,
    with_progress,
)
from velocity_mobility_ros.core.polyline.orientation import (
    difference,
    norm,
    scaled,
    unit_vector,
)
from velocity_mobility_ros.core.polyline.queries import (
    Vertices,
    distance,
    is_timed,
    row_of,
    vertex,
)
from velocity_mobility_ros.core.polyline.records import STILL, PathState


def round_corner(vertices: Vertices, state: PathState, velocity: Vector, dt: float) -> Followed:
    """Return the body after a step [s] that passes the next vertex, and untimed ones after it.

    Args:
        vertices: The polyline.
        state: The body, whose next vertex is reached and may be passed.
        velocity: Velocity [m/s] at the end of the step, towards that vertex.
        dt: The step.
    """
    row = row_of(vertices, state.progress, 1)
    place = vertex(vertices, state.progress, 1)
    way = norm(displacement(state, velocity, dt)) - distance(state.position, place)
    ahead = with_progress(state, advanced(vertices, state.progress, state.time))
    for _ in range(len(vertices)):
        beyond = vertex(vertices, ahead.progress, 1)
        length = distance(place, beyond)
        is_last = ahead.progress.left == 2 or is_timed(vertices, ahead.progress, 1)
        if way < length or is_last:
            break
        way, place = way - length, beyond
        ahead = with_progress(state, advanced(vertices, ahead.progress, state.time))
    segment = difference(vertex(vertices, ahead.progress, 1), place)
    along = unit_vector(segment) if norm(segment) > 0.0 else STILL
    attitude = segment_attitude(vertices, ahead)
    moved = moved_with(ahead, velocity, attitude, row, dt)
    if moved.code != MOVED:
        return moved
    x, y, z = scaled(along, way)
    position = place[0] + x, place[1] + y, place[2] + z
    return Followed(with_position(moved.state, position), MOVED, row)
