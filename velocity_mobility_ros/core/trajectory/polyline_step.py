"""Parts of a step along a polyline: the wanted velocity, the motion with it, a vertex passed.

The speed controller gives the velocity towards the next vertex; braking goes along the heading,
within the limits. A vertex is passed, or loses its arrival time.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.trajectory.acceleration_bounds import constrained_brake
from velocity_mobility_ros.core.trajectory.polyline import (
    FORWARD, Vertices, arrival_time, attitude_along, difference, distance_along, heading,
    is_braking, is_finite, norm, planning_index, remaining_time, row_of, scaled, timed_index,
    turn_between, unit_vector, vertex
)
from velocity_mobility_ros.core.trajectory.polyline_records import (
    FOLLOW_MODE_UNSUPPORTED, MACHINE_EPSILON, MOVED, NON_FINITE_DESIRED, NON_FINITE_VELOCITY,
    Attitude, FollowSettings, PathProgress, PathState, SpeedTask
)
from velocity_mobility_ros.core.trajectory.speed_control import chosen_acceleration
from velocity_mobility_ros.core.velocity_model import Vector


class Followed(NamedTuple):
    """Result of a step.

    Attributes:
        state: The body after the step; before it, if the body did not move.
        code: MOVED, FINISHED, or an error code.
        vertex: Row of the vertex that an error is about.
    """

    state: PathState
    code: int
    vertex: int


def displacement(state: PathState, velocity: Vector, dt: float) -> Vector:
    """Return the way [m] of one step [s] that ends with a velocity [m/s].

    Along the velocity, or forward if it is zero, with the mean of both speeds.
    """
    speed = norm(velocity)
    way = 0.5 * (state.speed + speed) * dt
    if speed <= MACHINE_EPSILON:
        return scaled(heading(state.attitude), way)
    return scaled(velocity, way / speed)


def segment_attitude(vertices: Vertices, state: PathState) -> Attitude:
    """Return the attitude along the present segment; unchanged if the segment has no length."""
    progress = state.progress
    segment = difference(vertex(vertices, progress, 1), vertex(vertices, progress, 0))
    return attitude_along(segment) if norm(segment) > 0.0 else state.attitude


def moved_with(
    state: PathState, velocity: Vector, attitude: Attitude, row: int, dt: float
) -> Followed:
    """Return the body after one step [s] that ends with a velocity [m/s] and an attitude."""
    if not is_finite(velocity):
        return Followed(state, NON_FINITE_VELOCITY, row)
    speed, way = norm(velocity), displacement(state, velocity, dt)
    acceleration = (speed - state.speed) / dt
    x, y, z = state.position
    position = (x + way[0], y + way[1], z + way[2])
    turning = scaled(turn_between(state.attitude, attitude), 1.0 / dt)
    its_rate = scaled(difference(turning, state.angular_velocity), 1.0 / dt)
    time, progress = state.time + dt, state.progress
    moved = PathState(time, position, attitude, speed, acceleration, turning, its_rate, progress)
    return Followed(moved, MOVED, row)


def with_progress(state: PathState, progress: PathProgress) -> PathState:
    """Return a body with another progress."""
    return placed(state, state.time, state.position, progress)


def placed(state: PathState, time: float, position: Vector, progress: PathProgress) -> PathState:
    """Return a body with the same motion; compiled code knows no ``_replace``."""
    _, _, attitude, speed, acceleration, turning, its_rate, _ = state
    return PathState(time, position, attitude, speed, acceleration, turning, its_rate, progress)


def advanced(vertices: Vertices, progress: PathProgress, time: float) -> PathProgress:
    """Return the progress after the next vertex is passed at a time [s].

    Times that count from a base time count from now on, if the vertex has one.
    """
    first, left, closed, passed, waived, base, due, lateness = progress
    if not math.isnan(vertices[row_of(vertices, progress, 1), 3]):
        due = _due(vertices, progress)
        lateness = time - due
        base = base if math.isnan(base) else time
    left = left if closed else left - 1
    first = (first + 1) % len(vertices)
    return PathProgress(first, left, closed, passed + 1, waived, base, due, lateness)


def late(progress: PathProgress, due: float, time: float) -> PathProgress:
    """Return the progress with the lateness at a time [s] of what was due [s]."""
    first, left, closed, passed, waived, base, _, _ = progress
    return PathProgress(first, left, closed, passed, waived, base, due, time - due)


def arrived(vertices: Vertices, progress: PathProgress, time: float) -> PathProgress:
    """Return the progress with the lateness [s] of the last vertex, reached at a time [s]."""
    if math.isnan(vertices[row_of(vertices, progress, 1), 3]):
        return progress
    return late(progress, _due(vertices, progress), time)


def waived(vertices: Vertices, progress: PathProgress, time: float) -> PathProgress:
    """Return the progress with the nearest timed vertex untimed, as it is overdue at a time [s].

    Times that count from a base time count from when it was due.
    """
    i = timed_index(vertices, progress)
    due = arrival_time(vertices, progress, i)
    first, left, closed, passed, _, base, _, _ = progress
    base = base if math.isnan(base) else due
    return PathProgress(first, left, closed, passed, passed + i, base, due, time - due)


def is_waived(progress: PathProgress) -> bool:
    """Return whether a vertex ahead was missed."""
    return progress.waived > progress.passed


def _due(vertices: Vertices, progress: PathProgress) -> float:
    """Return when the next vertex was due [s]."""
    return progress.due if is_waived(progress) else arrival_time(vertices, progress, 1)


class Desired(NamedTuple):
    """A velocity [m/s], and an error code or 0."""

    velocity: Vector
    code: int


def speed_task(settings: FollowSettings, timed: int) -> SpeedTask:
    """Return what the controller knows; ``timed`` is the nearest timed vertex, 0 for none.

    The cruise speed holds only where no timed vertex is ahead.
    """
    fastest = settings.limits.max_speed
    has_cruise = timed == 0 and not math.isnan(settings.cruise_speed)
    target = settings.cruise_speed if has_cruise else fastest
    return SpeedTask(target, settings.limits, settings.dt, settings.original)


def direction(vertices: Vertices, state: PathState, original: bool) -> Vector:
    """Return the unit vector to the next vertex.

    At the vertex it is the heading of the body, in the original that of the x axis.
    """
    offset = difference(vertex(vertices, state.progress, 1), state.position)
    if norm(offset) > 0.0:
        return unit_vector(offset)
    return FORWARD if original else heading(state.attitude)


def desired_velocity(vertices: Vertices, state: PathState, settings: FollowSettings) -> Desired:
    """Return the velocity after the next step."""
    if not settings.by_position:
        return Desired(state.position, FOLLOW_MODE_UNSUPPORTED)
    progress = state.progress
    timed = timed_index(vertices, progress)
    chosen = chosen_acceleration(
        speed_task(settings, timed),
        state.speed,
        state.acceleration,
        remaining_time(vertices, progress, timed, state.time),
        distance_along(vertices, progress, state.position, planning_index(progress, timed)),
        is_braking(progress, timed),
    )
    if chosen.code != 0:
        return Desired(state.position, chosen.code)
    speed = state.speed + chosen.value * settings.dt
    velocity = scaled(direction(vertices, state, settings.original), speed)
    is_sound = math.isfinite(speed) and is_finite(velocity)
    return Desired(velocity, 0 if is_sound else NON_FINITE_DESIRED)


def braked(
    state: PathState, aim: Vector, attitude: Attitude, row: int, settings: FollowSettings
) -> Followed:
    """Return the body after a step of braking.

    Args:
        state: The body.
        aim: Direction of the motion, a unit vector.
        attitude: Attitude after the step.
        row: Vertex that an error is about.
        settings: Limits, rules and step.
    """
    task = SpeedTask(settings.limits.max_speed, settings.limits, settings.dt, settings.original)
    change = constrained_brake(task, state.speed, state.acceleration) * settings.dt
    return moved_with(state, scaled(aim, state.speed + change), attitude, row, settings.dt)
