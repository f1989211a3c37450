"""Commands of a vehicle that follows a virtual leader.

velocity = v_ref + k (p_ref - p)
yaw rate = k_yaw wrap(yaw_ref - yaw), within the largest one
"""

import math

from velocity_mobility_ros.core.frames import wrap_pi
from velocity_mobility_ros.core.limits import limit_abs
from velocity_mobility_ros.core.model import Vector

LEVEL_SHARE = 0.02
"""Horizontal share of a direction below which it has no heading: a climb or a descent."""

SEGMENT, FIXED, TOWARD_POINT = 'segment', 'fixed', 'toward_point'
YAW_POLICIES = (SEGMENT, FIXED, TOWARD_POINT)
"""Where the vehicle looks: along the path, in one direction, at a point."""


def follow_velocity(place: Vector, velocity: Vector, position: Vector, gain: float) -> Vector:
    """Return the commanded velocity [m/s, map].

    Args:
        place: Position of the leader [m].
        velocity: Its velocity [m/s].
        position: Position of the vehicle [m].
        gain: Correction [1/s].
    """
    return (
        velocity[0] + gain * (place[0] - position[0]),
        velocity[1] + gain * (place[1] - position[1]),
        velocity[2] + gain * (place[2] - position[2]),
    )


def yaw_along(direction: Vector, otherwise: float) -> float:
    """Return the heading [rad] of a direction; ``otherwise`` where it is nearly vertical."""
    x, y, z = direction
    level = math.sqrt(x * x + y * y)
    steep = level <= LEVEL_SHARE * math.sqrt(x * x + y * y + z * z)
    return otherwise if steep else math.atan2(y, x)


def yaw_rate(wanted: float, yaw: float, gain: float, largest: float) -> float:
    """Return the commanded yaw rate [rad/s].

    Args:
        wanted: Desired heading [rad].
        yaw: Heading of the vehicle [rad].
        gain: Correction [1/s].
        largest: Largest yaw rate [rad/s].
    """
    return limit_abs(gain * wrap_pi(wanted - yaw), largest)
