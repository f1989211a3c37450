"""Bounds of the room in which a vehicle may fly: a radius about the origin, lowest and highest.

A speed towards a bound is reduced to the one from which the vehicle stops in front of it; the
part of the velocity along the bound stays.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.autopilot.guidance.guidance_parameters import GuidanceParameters
from velocity_mobility_ros.core.model import Vector


class KeptIn(NamedTuple):
    """A velocity that does not lead out.

    Attributes:
        velocity: The velocity [m/s].
        is_reduced: Whether it differs from the wanted one.
        outside: How far outside the vehicle is [m]; 0: it is inside.
    """

    velocity: Vector
    is_reduced: bool
    outside: float


def kept_in(settings: GuidanceParameters, position: Vector, wanted: Vector) -> KeptIn:
    """Return a velocity that does not lead out of the room.

    Args:
        settings: The room.
        position: Position in the swarm's frame [m].
        wanted: Velocity along the same axes [m/s].
    """
    (x, y, z), (vx, vy, vz) = position, wanted
    delay, a, outside = settings.stop_delay, settings.max_acc_xy, 0.0
    if settings.keep_in_radius > 0.0:
        far = math.sqrt(x * x + y * y)
        ux, uy = (x / far, y / far) if far > 0.0 else (1.0, 0.0)
        gap, outward = settings.keep_in_radius - far, vx * ux + vy * uy
        excess = max(0.0, outward - speed_towards(gap, delay, a))
        vx, vy, outside = vx - excess * ux, vy - excess * uy, max(0.0, -gap)
    up = speed_towards(settings.max_height - z, delay, settings.max_acc_z)
    down = speed_towards(z - settings.min_height, delay, settings.max_acc_z)
    vz = min(max(vz, -down), up)
    outside = max(outside, z - settings.max_height, settings.min_height - z)
    return KeptIn((vx, vy, vz), (vx, vy, vz) != wanted, outside)


def speed_towards(gap: float, delay: float, a: float) -> float:
    """Return the speed [m/s] from which a vehicle stops within a gap; 0 without one.

    It solves ``v delay + v^2 / (2 a) = gap``.

    Args:
        gap: Distance to the bound [m].
        delay: Time until it begins to brake [s].
        a: Deceleration [m/s^2], > 0.
    """
    if not gap > 0.0:
        return 0.0
    lost = a * delay
    return math.sqrt(lost * lost + 2.0 * a * gap) - lost
