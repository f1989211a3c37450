"""Present bearing of a neighbour on the ring, extrapolated from its and the target's states.

Both are extrapolated with their reported velocities; a common acceleration of both cancels
between them. So all agents with the same messages compute the same ring, to the last bit.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.ring.polar import polar


class PredictedBearing(NamedTuple):
    """Angle [rad] and angular rate [rad/s] around the target."""

    theta: float
    rate: float


class RelativeMotion(NamedTuple):
    """Horizontal position [m] and velocity [m/s] relative to the target."""

    x: float
    y: float
    vx: float
    vy: float


class PredictedDirection(NamedTuple):
    """Direction from the target, of any length, and angular rate [rad/s] around it."""

    x: float
    y: float
    rate: float


def relative_motion(
    position: Vector,
    velocity: Vector,
    age: float,
    target_position: Vector,
    target_velocity: Vector,
    target_age: float,
    dead_reckoning: bool,
) -> RelativeMotion:
    """Return the motion of a body now, or at the time of its and the target's reports.

    Args:
        position: Reported position [m, map].
        velocity: Reported velocity [m/s, map].
        age: Age of the report [s].
        target_position: Reported position of the target [m, map].
        target_velocity: Reported velocity of the target [m/s, map].
        target_age: Age of that report [s].
        dead_reckoning: Whether the present motion is requested.
    """
    dvx, dvy = velocity[0] - target_velocity[0], velocity[1] - target_velocity[1]
    if not dead_reckoning:
        dx, dy = position[0] - target_position[0], position[1] - target_position[1]
        return RelativeMotion(dx, dy, dvx, dvy)
    x = position[0] + velocity[0] * age
    y = position[1] + velocity[1] * age
    dx = x - (target_position[0] + target_velocity[0] * target_age)
    dy = y - (target_position[1] + target_velocity[1] * target_age)
    return RelativeMotion(dx, dy, dvx, dvy)


def direction_of(
    motion: RelativeMotion, r_min: float, dead_reckoning: bool
) -> PredictedDirection:
    """Return the direction to a body, and its rate.

    Args:
        motion: Its motion.
        r_min: Smallest radius used for the rate [m].
        dead_reckoning: Whether the motion is the present one; the rate is 0 if not.
    """
    x, y, vx, vy = motion
    if not dead_reckoning:
        return PredictedDirection(x, y, 0.0)
    at = polar(x, y, vx, vy, r_min)
    return PredictedDirection(at.ex, at.ey, at.rate)


def angle_of(x: float, y: float) -> float:
    """Return the angle [rad] of a direction, from -pi to pi."""
    return math.atan2(y, x)


def predict_bearing(
    position: Vector,
    velocity: Vector,
    age: float,
    target_position: Vector,
    target_velocity: Vector,
    target_age: float,
    r_min: float,
    dead_reckoning: bool,
) -> PredictedBearing:
    """Return the bearing of a body; the arguments are those of the functions above."""
    motion = relative_motion(
        position, velocity, age, target_position, target_velocity, target_age, dead_reckoning
    )
    x, y, rate = direction_of(motion, r_min, dead_reckoning)
    return PredictedBearing(angle_of(x, y), rate)
