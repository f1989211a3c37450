"""The height that vertical commands lead to, and a velocity that keeps the vehicle at it.

An autopilot flies a commanded velocity with an error that lasts: PX4 in its simulator SIH was seen
to sink by 5 m in a minute at a vertical command of 0. The height moves with the command, never far
from the vehicle; the distance to it, times a gain, is added. The same in the plane made a ring
round a wandering target worse: agents correct their places there by themselves.
"""

import math

from velocity_mobility_ros.autopilot.guidance.guidance_parameters import (
    HOLD_HEIGHT,
    GuidanceParameters,
)
from velocity_mobility_ros.autopilot.reports import LocalPosition
from velocity_mobility_ros.core.limits import limit_abs
from velocity_mobility_ros.core.model import Vector

MAX_LEAD = 1.0
"""Largest distance of that height from the vehicle's [m]."""


def led(point: Vector, climb: float, local: LocalPosition, dt: float) -> Vector:
    """Return a point whose height has moved with the command.

    Args:
        point: The point before [m].
        climb: The commanded vertical velocity [m/s].
        local: Where the vehicle is.
        dt: Time since then [s].
    """
    z = local.position[2]
    return point[0], point[1], z + limit_abs(point[2] + dt * climb - z, MAX_LEAD)


def corrected(
    settings: GuidanceParameters, height: float, velocity: Vector, local: LocalPosition
) -> Vector:
    """Return a velocity that also leads back to a height [m/s].

    Args:
        settings: The gain.
        height: Where the vertical commands lead to [m].
        velocity: The commanded velocity [m/s].
        local: Where the vehicle is.
    """
    x, y, z = velocity
    error = height - local.position[2]
    if settings.vertical_mode != HOLD_HEIGHT or not local.z_valid or not math.isfinite(error):
        return velocity
    return x, y, z + settings.k_z * error
