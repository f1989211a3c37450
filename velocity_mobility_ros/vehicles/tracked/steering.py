"""Surge and yaw rate of a vehicle that cannot move sideways, from a commanded velocity.

A command in the body frame is surge and yaw rate already. One in the map frame is followed as far
as the vehicle points there: the surge is its component along the heading, zero if it points
backwards, while the vehicle turns towards it at a rate proportional to the angle. The slower the
command, the less it steers: below ``CREEP`` the rate fades out, so that a command around zero
leaves the heading as it is, and the yaw rate of the command fades in.
"""

import math

from velocity_mobility_ros.core.frames import rotate_z
from velocity_mobility_ros.core.limits import limit_abs, limit_xy
from velocity_mobility_ros.vehicles.vehicle import Command

CREEP = 0.1
"""Speed [m/s] from which the direction of a command counts in full."""


def surge_and_yaw_rate(
    command: Command, yaw: float, gain: float, max_speed: float, max_yaw_rate: float
) -> tuple[float, float]:
    """Return the wanted forward velocity [m/s] and yaw rate [rad/s].

    Args:
        command: The command; its vertical part is ignored, in the body frame the one to the left,
            too.
        yaw: Heading of the vehicle [rad].
        gain: Yaw rate per angle between heading and command [1/s].
        max_speed: Largest surge [m/s].
        max_yaw_rate: Largest yaw rate [rad/s].
    """
    if command.in_body:
        surge = limit_abs(command.velocity[0], max_speed)
        return surge, limit_abs(command.yaw_rate, max_yaw_rate)
    x, y = limit_xy(command.velocity[0], command.velocity[1], max_speed)
    forward, left = rotate_z(x, y, -yaw)
    share = math.sqrt(x * x + y * y) / CREEP
    if share > 1.0:
        share = 1.0
    angle = math.atan2(left, forward)
    turn = share * gain * angle + (1.0 - share) * limit_abs(command.yaw_rate, max_yaw_rate)
    return (forward if forward > 0.0 else 0.0), limit_abs(turn, max_yaw_rate)
