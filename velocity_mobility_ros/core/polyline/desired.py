"""The velocity towards the next vertex that the speed controller asks for."""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.polyline.codes import (
    DESIRED_ACCELERATION,
    DESIRED_SPEED,
    DESIRED_VELOCITY,
    FOLLOW_MODE_UNSUPPORTED,
)
from velocity_mobility_ros.core.polyline.orientation import (
    FORWARD,
    difference,
    heading,
    norm,
    scaled,
    unit_vector,
)
from velocity_mobility_ros.core.polyline.queries import (
    Vertices,
    distance_along,
    is_braking,
    planning_index,
    remaining_time,
    timed_index,
    vertex,
)
from velocity_mobility_ros.core.polyline.records import FollowSettings, PathState, SpeedTask
from velocity_mobility_ros.core.polyline.speed.choosing import chosen_acceleration
from velocity_mobility_ros.core.polyline.validation import is_finite


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
    way = difference(vertex(vertices, state.progress, 1), state.position)
    if norm(way) > 0.0:
        return unit_vector(way)
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
    if not math.isfinite(chosen.value):
        return Desired(state.position, DESIRED_ACCELERATION)
    speed = state.speed + chosen.value * settings.dt
    if not math.isfinite(speed):
        return Desired(state.position, DESIRED_SPEED)
    velocity = scaled(direction(vertices, state, settings.original), speed)
    return Desired(velocity, 0 if is_finite(velocity) else DESIRED_VELOCITY)
