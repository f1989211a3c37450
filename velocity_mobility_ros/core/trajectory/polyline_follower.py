"""One step along a polyline, by the tables of cases for the last and for other vertices.

Source of the cases: follow trajectory of scenario_simulator_v2 (Tier IV), in free space. Two of
them differ from the original. It replans from the old position towards the vertex after: that cuts
the corner by up to one step, and the way to the last vertex becomes shorter than it was when the
braking began; here a step passes vertices on the polyline itself, so that its length is what was
planned. And it turns a body that has passed the last vertex round at speed, which no vehicle can
follow; here the body stops along its heading, then it returns.

``follow_step`` returns codes, for compiled code; ``followed`` raises errors.
"""

import math

from velocity_mobility_ros.core.trajectory.polyline import (
    Polyline, Vertices, attitude_along, difference, distance, fault, heading, inner, is_less,
    is_timed, norm, remaining_time, row_of, scaled, timed_index, unit_vector, vertex
)
from velocity_mobility_ros.core.trajectory.polyline_records import (
    ARRIVAL_DISTANCE, ARRIVAL_TIME_MISSED, ENDLESS_ADVANCE, EPSILON, FINISHED,
    IMMOBILE_SHORT_OF_FINAL, MOVED, STILL, TIMED_WAYPOINT_NOT_REACHED, Attitude, FollowSettings,
    PathState, PolylineError, error_of
)
from velocity_mobility_ros.core.trajectory.polyline_step import (
    Followed, advanced, arrived, braked, desired_velocity, direction, displacement, is_waived,
    late, moved_with, placed, segment_attitude, waived, with_progress
)
from velocity_mobility_ros.core.trajectory.speed_control import is_at_rest
from velocity_mobility_ros.core.velocity_model import Vector


def has_passed(vertices: Vertices, state: PathState) -> bool:
    """Return whether the body is beyond the last vertex, seen along the last segment."""
    last = vertex(vertices, state.progress, 1)
    segment = difference(last, vertex(vertices, state.progress, 0))
    return norm(segment) == 0.0 or inner(difference(state.position, last), segment) > 0.0


def stops_behind(vertices: Vertices, state: PathState, settings: FollowSettings) -> bool:
    """Return whether a body that moves has to stop as the last vertex is passed and behind it."""
    if settings.original or settings.cuts_corners:
        return False
    offset = difference(vertex(vertices, state.progress, 1), state.position)
    return has_passed(vertices, state) and inner(heading(state.attitude), offset) < 0.0


def return_attitude(vertices: Vertices, state: PathState, settings: FollowSettings) -> Attitude:
    """Return the attitude after a step near the last vertex.

    Along the segment; a body that has passed the vertex keeps its heading until it is at rest and
    then turns to the vertex.
    """
    along = segment_attitude(vertices, state)
    if settings.original or settings.cuts_corners or not has_passed(vertices, state):
        return along
    offset = difference(vertex(vertices, state.progress, 1), state.position)
    if norm(offset) == 0.0 or not is_at_rest(state.speed, state.acceleration):
        return state.attitude
    return attitude_along(offset)


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
    remaining = distance(state.position, last)
    if is_at_rest(state.speed, state.acceleration):
        if remaining <= ARRIVAL_DISTANCE:
            due_in = remaining_time(vertices, progress, 1, state.time)
            if not is_timed(vertices, progress, 1) or is_less(due_in, dt / 2.0):
                at_end = arrived(vertices, progress, state.time)
                return Followed(with_progress(state, at_end), FINISHED, row)
            return moved_with(state, STILL, segment_attitude(vertices, state), row, dt)
        is_near = remaining < distance(state.position, vertex(vertices, progress, 0))
        if is_near and settings.strict:
            return Followed(state, IMMOBILE_SHORT_OF_FINAL, row)
    elif remaining <= ARRIVAL_DISTANCE or stops_behind(vertices, state, settings):
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
    remaining = norm(displacement(state, velocity, dt)) - distance(state.position, place)
    ahead = with_progress(state, advanced(vertices, state.progress, state.time))
    for _ in range(len(vertices)):
        beyond = vertex(vertices, ahead.progress, 1)
        length = distance(place, beyond)
        is_last = ahead.progress.left == 2 or is_timed(vertices, ahead.progress, 1)
        if remaining < length or is_last:
            break
        remaining, place = remaining - length, beyond
        ahead = with_progress(state, advanced(vertices, ahead.progress, state.time))
    segment = difference(vertex(vertices, ahead.progress, 1), place)
    along = unit_vector(segment) if norm(segment) > 0.0 else STILL
    attitude = segment_attitude(vertices, ahead)
    moved = moved_with(ahead, velocity, attitude, row, dt)
    if moved.code != MOVED:
        return moved
    x, y, z = scaled(along, remaining)
    position = place[0] + x, place[1] + y, place[2] + z
    arrived = placed(moved.state, moved.state.time, position, ahead.progress)
    return Followed(arrived, MOVED, row)


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
    remaining = distance(state.position, vertex(vertices, progress, 1))
    travel = norm(displacement(state, desired.velocity, dt))
    is_beside = not settings.original and _stands_beside(state, remaining)
    is_reached = travel >= remaining or remaining < EPSILON or is_beside
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


def follow_step(vertices: Vertices, state: PathState, settings: FollowSettings) -> Followed:
    """Return the body one step later.

    Args:
        vertices: The polyline.
        state: The body.
        settings: How to follow.
    """
    for _ in range(len(vertices) + 1):
        checked = _checked(vertices, state, settings)
        if checked.code != 0:
            return checked
        state = checked.state
        if state.progress.left == 2:
            return final_step(vertices, state, settings)
        moved = intermediate_step(vertices, state, settings)
        if moved.code != ADVANCE:
            return moved
        state = with_progress(state, advanced(vertices, state.progress, state.time))
    return Followed(state, ENDLESS_ADVANCE, row_of(vertices, state.progress, 1))


def _checked(vertices: Vertices, state: PathState, settings: FollowSettings) -> Followed:
    """Return the body before the step, with an error code; late vertices are untimed if lenient.

    A body that has arrived at the last vertex is never late.
    """
    code = fault(vertices, state, settings)
    if code != 0:
        row = row_of(vertices, state.progress, 1) if state.progress.left > 1 else 0
        return Followed(state, code, row)
    for _ in range(len(vertices)):
        progress = state.progress
        timed = timed_index(vertices, progress)
        remaining = remaining_time(vertices, progress, timed, state.time)
        if not remaining < -settings.dt or has_arrived(vertices, state):
            break
        if settings.strict:
            return Followed(state, ARRIVAL_TIME_MISSED, row_of(vertices, progress, timed))
        state = with_progress(state, waived(vertices, progress, state.time))
    if is_waived(state.progress):
        state = with_progress(state, late(state.progress, state.progress.due, state.time))
    return Followed(state, 0, 0)


def check_settings(settings: FollowSettings, entity: str = '') -> None:
    """Refuse settings with which nothing can be followed.

    Raises:
        PolylineError: A limit or the step is not finite or not above 0, or the cruise speed is
            neither NaN nor finite and at least 0.
    """
    for name, value in settings.limits._asdict().items():
        if not 0.0 < value < math.inf:
            text = f'every limit must be finite and above 0 ({name} = {value:g})'
            raise PolylineError('INVALID_LIMIT', text, entity)
    cruise = settings.cruise_speed
    if not (math.isnan(cruise) or 0.0 <= cruise < math.inf):
        text = f'the cruise speed must be finite and at least 0 m/s, or missing ({cruise:g} m/s)'
        raise PolylineError('INVALID_LIMIT', text, entity)
    if not 0.0 < settings.dt < math.inf:
        text = f'the step must be finite and above 0 s ({settings.dt:g} s)'
        raise PolylineError('INVALID_STEP', text, entity)


def followed(
    path: Polyline | None,
    state: PathState,
    settings: FollowSettings,
    entity: str = '',
    first: int = 0,
) -> Followed:
    """Return the body one step later, MOVED, or where it is, FINISHED.

    Args:
        path: The polyline.
        state: The body; at the start its progress is ``path.start``.
        settings: How to follow.
        entity: What follows, for errors.
        first: Number of the first vertex, for errors.

    Raises:
        PolylineError: There is no polyline, the settings are invalid, the state is not finite, or,
            with strict settings or the rules of the original, the polyline cannot be followed.

    Example:
        >>> path = polyline([(0.0, 0.0, 0.0, 0.0), (10.0, 0.0, 0.0, 4.0)])
        >>> state = start_state(0.0, (0.0, 0.0, 0.0), path.start)
        >>> followed(path, state, FollowSettings()).state.time
        0.05
    """
    if path is None:
        raise PolylineError('NO_TRAJECTORY', 'there is no polyline to follow', entity)
    if not math.isfinite(state.time):
        text = f'the time of the body is not finite ({state.time:g} s)'
        raise PolylineError('TIME_UNKNOWN', text, entity)
    check_settings(settings, entity)
    moved = follow_step(path.vertices, state, settings)
    if moved.code not in (MOVED, FINISHED):
        raise error_of(moved.code, state.time, entity, first + moved.vertex)
    return moved
