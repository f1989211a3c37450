"""Small plane geometry: the controllers act in the horizontal plane only."""

import math

from velocity_mobility_ros.core.frames import TURN, wrap_2pi

DIRECTION_FLOOR = 1e-6
"""Below this length [m] a vector has no direction."""


def length(x: float, y: float) -> float:
    """Return the norm; written out so that every machine rounds it identically."""
    return math.sqrt(x * x + y * y)


def direction(x: float, y: float) -> tuple[float, float, float]:
    """Return the unit vector and the length; (1, 0) and 0 where there is no direction."""
    n = length(x, y)
    if not math.isfinite(n) or n < DIRECTION_FLOOR:
        return 1.0, 0.0, 0.0
    return x / n, y / n, n


def bearing(x: float, y: float) -> float:
    """Return the angle [rad] in [0, 2 pi) of a vector, counter-clockwise from east."""
    return wrap_2pi(math.atan2(y, x) + TURN)
