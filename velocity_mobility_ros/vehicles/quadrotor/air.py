"""The air around a quadrotor: mean wind and gusts, which change once per controller step."""

import math
import struct

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.random_numbers import hashed
from velocity_mobility_ros.vehicles.wind import (
    WindMeans,
    WindState,
    calm,
    next_wind,
    wind_velocity,
)


def air_at_start(position: Vector) -> WindState:
    """Return the air around a body that starts at a position [m].

    The place of its start tells a body from the others: in every process it meets the same gusts.
    """
    key = 0
    for coordinate in position:
        (bits,) = struct.unpack('<Q', struct.pack('<d', coordinate + 0.0))
        key = hashed(key, bits)
    return calm(key >> 11)


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
