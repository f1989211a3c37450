"""Limits of a leader that a vehicle can follow, from those of the vehicle.

    a = min(0.9 max_acc, max_speed / (4 lag))       acceleration
    v = max_speed - lag a                            speed
    j = 2 a / s                                      change of the acceleration

At full speed and acceleration the command ``v + lag a`` is still within ``max_speed``. Along a
polyline both the horizontal and the vertical limits hold on its steepest and its flattest segment.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.polyline.orientation import difference, norm
from velocity_mobility_ros.core.polyline.path import Polyline
from velocity_mobility_ros.core.polyline.records import SpeedLimits

ACCELERATION_SHARE = 0.9
"""Share of a vehicle's acceleration that a leader uses; the rest is for corrections."""

JERK_RATE = 2.0
"""Change of the acceleration [1/s] per largest acceleration."""


class AxisLimits(NamedTuple):
    """Largest speed [m/s] and acceleration [m/s^2] in a direction."""

    speed: float
    acceleration: float


def followable(max_speed: float, max_acceleration: float, lag: float) -> AxisLimits:
    """Return the limits of a leader for a vehicle.

    Args:
        max_speed: Largest speed of the vehicle [m/s].
        max_acceleration: Its largest acceleration [m/s^2].
        lag: Lag of its velocity [s].
    """
    acceleration = ACCELERATION_SHARE * max_acceleration
    if lag > 0.0:
        acceleration = min(acceleration, max_speed / (4.0 * lag))
    return AxisLimits(max_speed - lag * acceleration, acceleration)


def limits_along(path: Polyline, xy: AxisLimits, z: AxisLimits) -> SpeedLimits:
    """Return the limits along a polyline.

    Args:
        path: The polyline.
        xy: Horizontal limits.
        z: Vertical limits.
    """
    rows = [tuple(row) for row in path.vertices[:, :3].tolist()]
    after = [*rows[1:], rows[0]] if path.closed else rows[1:]
    speed = acceleration = math.inf
    for a, b in zip(rows, after, strict=False):
        way = difference(b, a)
        length, level = norm(way), norm((way[0], way[1], 0.0))
        for part, limits in ((level, xy), (abs(way[2]), z)):
            if part > 0.0:
                speed = min(speed, limits.speed * length / part)
                acceleration = min(acceleration, limits.acceleration * length / part)
    jerk = JERK_RATE * acceleration
    return SpeedLimits(speed, acceleration, jerk, acceleration, jerk)
