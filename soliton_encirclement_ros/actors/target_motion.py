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
    parameters: TargetParameters, position: Vector, stream: np.random.Generator
) -> Vector:
    """Return the next velocity [m/s] of a target that wanders, seen from its position [m]."""
    speed = parameters.target_motion_speed_xy
    bound = parameters.target_motion_boundary_xy
    if speed == 0.0:
        return STILL
    x, y, _ = position
    home = length(x, y)
    if (abs(x) > bound or abs(y) > bound) and home > HOME:
        return speed * (-x / home), speed * (-y / home), 0.0
    angle = stream.random() * 2.0 * math.pi
    return speed * math.cos(angle), speed * math.sin(angle), 0.0


def constant_velocity(
    parameters: TargetParameters, position: Vector, stream: np.random.Generator
) -> Vector:
    """Return the one velocity [m/s] of a target that goes straight on."""
    del position, stream
    angle = math.radians(parameters.target_motion_heading_deg)
    speed = parameters.target_motion_speed_xy
    return speed * math.cos(angle), speed * math.sin(angle), 0.0


TARGET_MOTIONS: dict[str, Motion] = {'random': random_velocity, 'constant': constant_velocity}
