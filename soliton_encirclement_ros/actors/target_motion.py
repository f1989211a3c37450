"""How the target chooses where to go: a velocity every so often, from where it is.

``random``: any direction with equal chance; from outside its box straight back to the origin.
``constant``: one heading for ever, wherever that leads; it draws nothing.
"""

import math
from collections.abc import Callable

import numpy as np
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.parameters import TargetParameters
from soliton_encirclement_ros.core.plane import length

STILL: Vector = (0.0, 0.0, 0.0)
HOME = 1e-12
"""Distance [m] from the origin below which there is no way back to it."""

Motion = Callable[[TargetParameters, Vector, np.random.Generator], Vector]


def random_velocity(
    speed: float, bound: float, x: float, y: float, stream: np.random.Generator
) -> Vector:
    """Return the next velocity [m/s] of a target that wanders.

    Args:
        speed: How fast it goes [m/s].
        bound: Half side of the box [m] that it turns back from.
        x: Where it is, east [m].
        y: The same, north [m].
        stream: Where a direction is drawn from: one number, none outside the box or at rest.
    """
    if speed == 0.0:
        return STILL
    home = length(x, y)
    if (abs(x) > bound or abs(y) > bound) and home > HOME:
        return speed * (-x / home), speed * (-y / home), 0.0
    angle = stream.random() * 2.0 * math.pi
    return speed * math.cos(angle), speed * math.sin(angle), 0.0


def constant_velocity(speed: float, heading_deg: float) -> Vector:
    """Return the one velocity [m/s] of a target that goes straight on.

    Args:
        speed: How fast it goes [m/s].
        heading_deg: Where to, counter-clockwise from east [deg].
    """
    angle = math.radians(heading_deg)
    return speed * math.cos(angle), speed * math.sin(angle), 0.0


def _wander(
    parameters: TargetParameters, position: Vector, stream: np.random.Generator
) -> Vector:
    return random_velocity(
        parameters.target_motion_speed_xy,
        parameters.target_motion_boundary_xy,
        position[0],
        position[1],
        stream,
    )


def _go_straight(
    parameters: TargetParameters, position: Vector, stream: np.random.Generator
) -> Vector:
    del position, stream
    return constant_velocity(
        parameters.target_motion_speed_xy, parameters.target_motion_heading_deg
    )


TARGET_MOTIONS: dict[str, Motion] = {'random': _wander, 'constant': _go_straight}
"""How the actor asks each of them."""
