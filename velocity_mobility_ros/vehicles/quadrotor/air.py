"""The air around a quadrotor: mean wind and gusts, which change once per controller step."""

import math

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.vehicles.wind import (
    WindMeans,
    WindState,
    next_wind,
    wind_velocity,
)


def next_air(
    means: WindMeans, air: WindState, position: Vector, velocity: Vector, ground: float, dt: float
) -> WindState:
    """Return the air after a step of ``dt`` [s].

    Args:
        means: Mean wind and intensity of gusts.
        air: The air before.
        position: Position of the body [m, map].
        velocity: Velocity of the body [m/s, map].
        ground: Height of the ground [m]; NaN: 0.
        dt: Step [s].
    """
    east, north, up = wind_velocity(means, air)
    x, y, z = velocity[0] - east, velocity[1] - north, velocity[2] - up
    height = position[2] - (0.0 if math.isnan(ground) else ground)
    return next_wind(means, air, height, math.sqrt(x * x + y * y + z * z), dt)
