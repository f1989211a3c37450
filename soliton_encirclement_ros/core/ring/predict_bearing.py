"""Where a neighbour stands on the ring now, from what it and the target said a while ago.

Each is carried on with the velocity it told; that both accelerate alike meanwhile changes nothing
between them. So everybody who heard the same words sees the same ring, to the last bit.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.ring.polar import polar


class PredictedBearing(NamedTuple):
    """Angle [rad] and angular rate [rad/s] round the target."""

    theta: float
    rate: float


def predict_bearing(
    position: Vector,
    velocity: Vector,
    age: float,
    target_position: Vector,
    target_velocity: Vector,
    target_age: float,
    r_min: float,
) -> PredictedBearing:
    """Return where on the ring a body is whose words are old.

    Args:
        position: What it said [m, map].
        velocity: What it said [m/s, map].
        age: How old that is [s].
        target_position: What the target said [m, map].
        target_velocity: What the target said [m/s, map].
        target_age: How old that is [s].
        r_min: Smallest radius that counts for the rate [m].
    """
    x = position[0] + velocity[0] * age
    y = position[1] + velocity[1] * age
    dx = x - (target_position[0] + target_velocity[0] * target_age)
    dy = y - (target_position[1] + target_velocity[1] * target_age)
    dvx = velocity[0] - target_velocity[0]
    dvy = velocity[1] - target_velocity[1]
    at = polar(dx, dy, dvx, dvy, r_min)
    return PredictedBearing(math.atan2(at.ey, at.ex), at.rate)


def predict_bearings(
    position: Vector,
    velocity: Vector,
    age: float,
    target_position: Vector,
    target_velocity: Vector,
    target_age: float,
    r_min: float,
    dead_reckoning: bool,
) -> PredictedBearing:
    """Return where on the ring a body is now, or where it was when it and the target spoke.

    Args:
        position: As of ``predict_bearing``, like all that follow.
        velocity: What it said [m/s, map].
        age: How old that is [s].
        target_position: What the target said [m, map].
        target_velocity: What the target said [m/s, map].
        target_age: How old that is [s].
        r_min: Smallest radius that counts for the rate [m].
        dead_reckoning: Whether its place now is wanted; the rate is 0 if not.
    """
    if not dead_reckoning:
        dx, dy = position[0] - target_position[0], position[1] - target_position[1]
        return PredictedBearing(math.atan2(dy, dx), 0.0)
    return predict_bearing(
        position, velocity, age, target_position, target_velocity, target_age, r_min
    )
