"""Setpoints for an autopilot that takes velocities and yaw rates only.

A point is approached with the speed from which the vehicle stops there (``speed_towards``): in
proportion to a small distance, with the square root of a large one. A heading is approached in
proportion to the angle.
"""

import math

from velocity_mobility_ros.autopilot.guidance.guidance_parameters import GuidanceParameters
from velocity_mobility_ros.autopilot.guidance.keep_in import speed_towards
from velocity_mobility_ros.autopilot.outputs import Setpoint, SetpointKind
from velocity_mobility_ros.autopilot.reports import LocalPosition
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.trajectory.guidance import yaw_rate

RESPONSE = 1.0
"""Time constant of a small distance to the point [s]."""

YAW_GAIN = 1.0
"""Yaw rate by angle to the heading [1/s]."""


def as_velocity(
    settings: GuidanceParameters, setpoint: Setpoint, local: LocalPosition
) -> Setpoint:
    """Return the velocity and the yaw rate that fly a setpoint.

    Args:
        settings: The limits.
        setpoint: A position or a velocity, with a heading or a yaw rate.
        local: Where the vehicle is.
    """
    velocity, rate = setpoint.target, setpoint.yaw_rate
    if setpoint.kind is SetpointKind.POSITION:
        velocity = _velocity_to(settings, setpoint.target, local.position)
    if not math.isnan(setpoint.yaw):
        rate = yaw_rate(setpoint.yaw, local.heading, YAW_GAIN, settings.max_yaw_rate)
    return Setpoint(SetpointKind.VELOCITY, velocity, yaw_rate=rate)


def _velocity_to(settings: GuidanceParameters, point: Vector, position: Vector) -> Vector:
    x, y, z = (a - b for a, b in zip(point, position, strict=True))
    far = math.hypot(x, y)
    speed = min(speed_towards(far, RESPONSE, settings.max_acc_xy), settings.max_speed_xy)
    share = speed / far if far > 0.0 else 0.0
    most = settings.max_speed_up if z > 0.0 else settings.max_speed_down
    climb = min(speed_towards(abs(z), RESPONSE, settings.max_acc_z), most)
    return share * x, share * y, math.copysign(climb, z)
