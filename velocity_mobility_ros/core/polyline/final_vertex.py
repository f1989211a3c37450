"""The cases of the last vertex."""

from velocity_mobility_ros.core.polyline.advance import arrived
from velocity_mobility_ros.core.polyline.brake import braked
from velocity_mobility_ros.core.polyline.codes import FINISHED, IMMOBILE_SHORT_OF_FINAL
from velocity_mobility_ros.core.polyline.constants import ARRIVAL_DISTANCE
from velocity_mobility_ros.core.polyline.desired import desired_velocity, direction
from velocity_mobility_ros.core.polyline.move import (
    Followed,
    moved_with,
    segment_attitude,
    with_progress,
)
from velocity_mobility_ros.core.polyline.orientation import heading
from velocity_mobility_ros.core.polyline.passed_end import return_attitude, stops_behind
from velocity_mobility_ros.core.polyline.queries import (
    Vertices,
    distance,
    is_less,
    is_timed,
    remaining_time,
    row_of,
    vertex,
)
from velocity_mobility_ros.core.polyline.records import STILL, FollowSettings, PathState
from velocity_mobility_ros.core.polyline.speed.prediction import is_at_rest


def has_arrived(vertices: Vertices, state: PathState) -> bool:
    """Return whether the body is at rest at the last vertex."""
    if state.progress.left != 2 or not is_at_rest(state.speed, state.acceleration):
        return False
    return distance(state.position, vertex(vertices, state.progress, 1)) <= ARRIVAL_DISTANCE


def final_step(vertices: Vertices, state: PathState, settings: FollowSettings) -> Followed:
    """Return the body one step later.

    ======= ========= ===================================== ==========================
    at rest near      otherwise                             result
    ======= ========= ===================================== ==========================
    yes     yes       untimed, or due within half a step    FINISHED
    yes     yes       due later                             waits
    yes     no        nearer to it than to the vertex       IMMOBILE_SHORT_OF_FINAL if
                      before                                strict, else moves to it
    yes     no        else                                  moves to it
    no      yes                                             brakes
    no      no                                              moves to it; a body that has
                                                            passed it brakes first
    ======= ========= ===================================== ==========================
    """
    progress, dt = state.progress, settings.dt
    row, last = row_of(vertices, progress, 1), vertex(vertices, progress, 1)
    left = distance(state.position, last)
    if is_at_rest(state.speed, state.acceleration):
        if left <= ARRIVAL_DISTANCE:
            due_in = remaining_time(vertices, progress, 1, state.time)
            if not is_timed(vertices, progress, 1) or is_less(due_in, dt / 2.0):
                at_end = arrived(vertices, progress, state.time)
                return Followed(with_progress(state, at_end), FINISHED, row)
            return moved_with(state, STILL, segment_attitude(vertices, state), row, dt)
        is_near = left < distance(state.position, vertex(vertices, progress, 0))
        if is_near and settings.strict:
            return Followed(state, IMMOBILE_SHORT_OF_FINAL, row)
    elif left <= ARRIVAL_DISTANCE or stops_behind(vertices, state, settings):
        return _braked(vertices, state, settings)
    return _towards(vertices, state, settings)


def _towards(vertices: Vertices, state: PathState, settings: FollowSettings) -> Followed:
    """Return the body after a step towards the last vertex."""
    row = row_of(vertices, state.progress, 1)
    desired = desired_velocity(vertices, state, settings)
    if desired.code != 0:
        return Followed(state, desired.code, row)
    attitude = return_attitude(vertices, state, settings)
    return moved_with(state, desired.velocity, attitude, row, settings.dt)


def _braked(vertices: Vertices, state: PathState, settings: FollowSettings) -> Followed:
    """Return the body after a step of braking along its heading."""
    row = row_of(vertices, state.progress, 1)
    is_point = settings.cuts_corners and not settings.original
    aim = direction(vertices, state, False) if is_point else heading(state.attitude)
    attitude = return_attitude(vertices, state, settings)
    return braked(state, aim, attitude, row, settings)
