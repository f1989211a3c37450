"""Steady level flight of an airframe: tilt, thrust and speed that belong together.

In still air, straight ahead, with the linear drag k_x, k_z along the body's axes and a tilt of t:

    m g sin(t) = k_x v cos(t)                  along the forward axis
    F = m g cos(t) + k_z v sin(t)              along the up axis

so that v = m g tan(t) / k_x. The drag of a tilted body also lifts it: without k_z the thrust falls
with the speed, and no thrust bounds it. A linear drag, of the rotors, is too small at high speeds,
where that of the body grows with the square: the speeds here are upper bounds there.
"""

import math

from velocity_mobility_ros.vehicles.quadrotor.airframe import airframe
from velocity_mobility_ros.vehicles.quadrotor.parameters import QuadrotorParameters


def level_speed(parameters: QuadrotorParameters, tilt: float) -> float:
    """Return the speed [m/s] of level flight at a tilt [rad]; infinite without drag."""
    drag = parameters.drag_x
    return airframe(parameters).weight * math.tan(tilt) / drag if drag > 0.0 else math.inf


def level_tilt(parameters: QuadrotorParameters, speed: float) -> float:
    """Return the tilt [rad] of level flight at a speed [m/s]."""
    return math.atan(parameters.drag_x * speed / airframe(parameters).weight)


def level_thrust(parameters: QuadrotorParameters, speed: float) -> float:
    """Return the thrust [N] of level flight at a speed [m/s]."""
    tilt = level_tilt(parameters, speed)
    lift = parameters.drag_z * speed * math.sin(tilt)
    return airframe(parameters).weight * math.cos(tilt) + lift


def full_thrust_tilt(parameters: QuadrotorParameters) -> float:
    """Return the tilt [rad] at which level flight takes the largest thrust; pi/2: none does.

    With q = k_z / k_x and r = F / (m g) the cosine c of the tilt solves (1 - q) c^2 - r c + q = 0,
    in the form that holds for q = 1 as well.
    """
    if parameters.drag_z == 0.0 or parameters.drag_x == 0.0:
        return math.pi / 2.0
    q = parameters.drag_z / parameters.drag_x
    r = parameters.max_thrust_share * airframe(parameters).thrust_to_weight
    return math.acos(2.0 * q / (r + math.sqrt(r * r - 4.0 * q * (1.0 - q))))


def top_speed(parameters: QuadrotorParameters) -> float:
    """Return the largest speed [m/s] of level flight: by full thrust and by the largest tilt."""
    return level_speed(parameters, min(full_thrust_tilt(parameters), parameters.max_tilt))
