"""The cases of a vertex that is not the last one."""

from velocity_mobility_ros.core.polyline.codes import TIMED_WAYPOINT_NOT_REACHED
from velocity_mobility_ros.core.polyline.constants import ARRIVAL_DISTANCE, EPSILON
from velocity_mobility_ros.core.polyline.corner import round_corner
from velocity_mobility_ros.core.polyline.desired import desired_velocity
from velocity_mobility_ros.core.polyline.move import (
    Followed,
    displacement,
    moved_with,
    segment_attitude,
)
from velocity_mobility_ros.core.polyline.orientation import norm
from velocity_mobility_ros.core.polyline.queries import (
    Vertices,
    distance,
    is_less,
    is_timed,
    remaining_time,
    row_of,
    vertex,
)
from velocity_mobility_ros.core.polyline.records import FollowSettings, PathState
from velocity_mobility_ros.core.polyline.speed.prediction import is_at_rest

ADVANCE = -2
"""Code: the vertex is reached, the step is to be made towards the next one."""


def intermediate_step(vertices: Vertices, state: PathState, settings: FollowSettings) -> Followed:
    """Return the body one step later, or ADVANCE.

    ========= ====================== =======================================
    reached   due                    result
    ========= ====================== =======================================
    no        untimed, or not yet    moves towards it
    yes       not yet                moves towards it
    yes       untimed, or now        ADVANCE
    no        now                    TIMED_WAYPOINT_NOT_REACHED if strict, else moves towards it
    ========= ====================== =======================================

    Reached: the way of this step is at least as long as that to the vertex; with the robust rules
    also at rest beside it, where the original stands for ever. Now: within half a step.
    """
    progress, dt = state.progress, settings.dt
    row = row_of(vertices, progress, 1)
    desired = desired_velocity(vertices, state, settings)
    if desired.code != 0:
        return Followed(state, desired.code, row)
    left = distance(state.position, vertex(vertices, progress, 1))
    way = norm(displacement(state, desired.velocity, dt))
    is_beside = not settings.original and _stands_beside(state, left)
    is_reached = way >= left or left < EPSILON or is_beside
    is_due = is_less(remaining_time(vertices, progress, 1, state.time), dt / 2.0)
    if is_reached and (is_due or not is_timed(vertices, progress, 1)):
        if settings.original or settings.cuts_corners or is_beside:
            return Followed(state, ADVANCE, row)
        return round_corner(vertices, state, desired.velocity, dt)
    if is_due and settings.strict:
        return Followed(state, TIMED_WAYPOINT_NOT_REACHED, row)
    return moved_with(state, desired.velocity, segment_attitude(vertices, state), row, dt)


def _stands_beside(state: PathState, left: float) -> bool:
    """Return whether a body is at rest beside a vertex to which some way [m] is left."""
    return left <= ARRIVAL_DISTANCE and is_at_rest(state.speed, state.acceleration)
