"""Commands of a vehicle that follows a virtual leader.

velocity = v_ref + k (p_ref - p), with v_ref = v_next + lag (v_next - v) / dt for a known lag
yaw rate = k_yaw wrap(yaw_ref - yaw), within the largest one

The middle term is the inverse of a first-order lag: a vehicle with this lag has the velocity of
the leader at the next step.
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


def made_up(velocity: Vector, after: Vector, xy: float, z: float) -> Vector:
    """Return the velocity [m/s] to command to a vehicle with a lag, the correction left out.

    Args:
        velocity: Velocity of the leader [m/s].
        after: The same one step later.
        xy: Lag of the horizontal velocity by the step.
        z: Lag of the vertical velocity by the step.
    """
    return (
        after[0] + xy * (after[0] - velocity[0]),
        after[1] + xy * (after[1] - velocity[1]),
        after[2] + z * (after[2] - velocity[2]),
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
