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


def predict_bearing(
    position: Vector,
    velocity: Vector,
    age: float,
    target_position: Vector,
    target_velocity: Vector,
    target_age: float,
    r_min: float,
) -> PredictedBearing:
    """Return the present bearing of a body from an old state.

    Args:
        position: Reported position [m, map].
        velocity: Reported velocity [m/s, map].
        age: Age of the report [s].
        target_position: Reported position of the target [m, map].
        target_velocity: Reported velocity of the target [m/s, map].
        target_age: Age of that report [s].
        r_min: Smallest radius used for the rate [m].
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
    """Return the bearing of a body now, or at the time of its and the target's reports.

    Args:
        position: As of ``predict_bearing``, like all that follow.
        velocity: Reported velocity [m/s, map].
        age: Age of the report [s].
        target_position: Reported position of the target [m, map].
        target_velocity: Reported velocity of the target [m/s, map].
        target_age: Age of that report [s].
        r_min: Smallest radius used for the rate [m].
        dead_reckoning: Whether the present bearing is requested; the rate is 0 if not.
    """
    if not dead_reckoning:
        dx, dy = position[0] - target_position[0], position[1] - target_position[1]
        return PredictedBearing(math.atan2(dy, dx), 0.0)
    return predict_bearing(
        position, velocity, age, target_position, target_velocity, target_age, r_min
    )
