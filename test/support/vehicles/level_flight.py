"""Steady level flight of an airframe: tilt, thrust and speed that belong together.

In still air, straight ahead, with a tilt of t and the drag k = k_1 + k_2 v along the body's axes
(``drag.py``):

    m g sin(t) = k_x v cos(t)                  along the forward axis
    F = m g cos(t) + k_z v sin(t)              along the up axis

so that k_x v = m g tan(t), a quadratic equation for v. The drag of a tilted body also lifts it:
without one along the up axis the thrust falls with the speed, and no thrust bounds it.
"""

import math

from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import (
    QuadrotorParameters, airframe
)
from velocity_mobility_ros.vehicles.quadrotor.rigid_body import drag_of

HALVINGS = 60
"""Steps of the bisection for a tilt: to the last bit."""


def level_speed(parameters: QuadrotorParameters, tilt: float) -> float:
    """Return the speed [m/s] of level flight at a tilt [rad]; infinite without drag."""
    drag = drag_of(parameters)
    force, linear, square = (
        airframe(parameters).weight * math.tan(tilt), drag.linear[0], drag.square[0],
    )  # fmt: skip
    per_speed = linear + math.sqrt(linear * linear + 4.0 * square * force)
    return 2.0 * force / per_speed if per_speed > 0.0 else math.inf


def level_tilt(parameters: QuadrotorParameters, speed: float) -> float:
    """Return the tilt [rad] of level flight at a speed [m/s]."""
    return math.atan(drag_along(parameters, 0, speed) / airframe(parameters).weight)


def level_thrust(parameters: QuadrotorParameters, speed: float) -> float:
    """Return the thrust [N] of level flight at a speed [m/s]."""
    tilt = level_tilt(parameters, speed)
    lift = drag_along(parameters, 2, speed) * math.sin(tilt)
    return airframe(parameters).weight * math.cos(tilt) + lift


def drag_along(parameters: QuadrotorParameters, axis: int, speed: float) -> float:
    """Return the drag [N] along an axis of the body by the share of the speed [m/s] along it."""
    drag = drag_of(parameters)
    return (drag.linear[axis] + drag.square[axis] * speed) * speed


def full_thrust_tilt(parameters: QuadrotorParameters) -> float:
    """Return the tilt [rad] at which level flight takes the largest thrust; pi/2: none does.

    By bisection: hover takes less, and with drag along the up axis steep flight takes more.
    """
    drag = drag_of(parameters)
    if max(drag.linear[2], drag.square[2]) == 0.0 or max(drag.linear[0], drag.square[0]) == 0.0:
        return math.pi / 2.0
    most = parameters.max_thrust_share * 4.0 * airframe(parameters).max_thrust
    low, high = 0.0, math.pi / 2.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        is_below = level_thrust(parameters, level_speed(parameters, middle)) < most
        low, high = (middle, high) if is_below else (low, middle)
    return low


def top_speed(parameters: QuadrotorParameters) -> float:
    """Return the largest speed [m/s] of level flight: by full thrust and by the largest tilt."""
    return level_speed(parameters, min(full_thrust_tilt(parameters), parameters.max_tilt))
