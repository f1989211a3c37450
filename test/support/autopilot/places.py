"""For tests: where a vehicle truly is, and where it has moved, in metres."""

import math
from types import SimpleNamespace

DEGREE = math.radians(6.37e6)
"""Length of a degree of latitude [m]."""


def moved(start: SimpleNamespace, end: SimpleNamespace) -> tuple[float, float, float]:
    """Return how far east, north and up [m] a vehicle is from where it was."""
    (latitude, longitude, altitude), (latitude_2, longitude_2, altitude_2) = (
        start.position, end.position,
    )  # fmt: skip
    north = DEGREE * (latitude_2 - latitude)
    east = DEGREE * (longitude_2 - longitude) * math.cos(math.radians(latitude))
    return east, north, altitude_2 - altitude


def velocity(truth: SimpleNamespace) -> tuple[float, float, float]:
    """Return the velocity east, north, up [m/s]."""
    north, east, down = truth.velocity
    return east, north, -down


def speed(truth: SimpleNamespace) -> float:
    """Return the speed [m/s]."""
    return math.hypot(*truth.velocity)
