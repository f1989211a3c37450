"""Checks before a step, as codes."""

import math

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.polyline.codes import (
    LIMIT_MAXIMUM,
    LIMIT_MINIMUM,
    STATE_ACCELERATION,
    STATE_ANGULAR_ACCELERATION,
    STATE_ANGULAR_VELOCITY,
    STATE_POSITION,
    STATE_SPEED,
    TOO_FEW_VERTICES,
    VERTEX_AHEAD,
    VERTEX_BEHIND,
)
from velocity_mobility_ros.core.polyline.queries import Vertices, vertex
from velocity_mobility_ros.core.polyline.records import FollowSettings, PathState


def is_finite(vector: Vector) -> bool:
    """Return whether all components are finite."""
    return math.isfinite(vector[0]) and math.isfinite(vector[1]) and math.isfinite(vector[2])


def state_fault(state: PathState) -> int:
    """Return the code of the first number of a body that is not finite, else 0."""
    if not is_finite(state.position):
        return STATE_POSITION
    if not math.isfinite(state.acceleration):
        return STATE_ACCELERATION
    if not is_finite(state.angular_acceleration):
        return STATE_ANGULAR_ACCELERATION
    if not math.isfinite(state.speed):
        return STATE_SPEED
    if not is_finite(state.angular_velocity):
        return STATE_ANGULAR_VELOCITY
    return 0


def fault(vertices: Vertices, state: PathState, settings: FollowSettings) -> int:
    """Return the code of the first fault of body, vertices and limits, else 0."""
    found = state_fault(state)
    if found != 0:
        return found
    if state.progress.left < 2:
        return TOO_FEW_VERTICES
    if not is_finite(vertex(vertices, state.progress, 0)):
        return VERTEX_BEHIND
    if not is_finite(vertex(vertices, state.progress, 1)):
        return VERTEX_AHEAD
    limits, dt = settings.limits, settings.dt
    most = min(state.acceleration + limits.acceleration_rate * dt, limits.max_acceleration)
    if not math.isfinite(most):
        return LIMIT_MAXIMUM
    least = max(state.acceleration - limits.deceleration_rate * dt, -limits.max_deceleration)
    if not math.isfinite(least):
        return LIMIT_MINIMUM
    return 0
