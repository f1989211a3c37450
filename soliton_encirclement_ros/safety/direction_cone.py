"""Directions and distances that a difference of two positions may have, known up to an error e.

The true difference X is in a ball of radius e round the known one, and ``|X| >= D`` holds as long
as the filter works. A rate of change is asked for along the known direction at the least distance
of the ball, and along two directions at an angle to both sides:

    sin(angle) = 0.8 e / |X|,  distance = |X| cos(angle) - 0.6 e

Between them the demand on a motion across differs by a few percent. If the ball reaches into D,
the directions of the arc ``|X| = D`` inside it count, which no motion may approach:

    cos(angle) = (|X|^2 + D^2 - e^2) / (2 |X| D)
"""

import math
from typing import NamedTuple

WIDEST = 0.1
"""Least cosine of the angle: moving straight away from the known place is always allowed."""


class DirectionCone(NamedTuple):
    """Directions, and by how much their distances exceed D.

    Attributes:
        gap: Distance to D along the known direction, 0 if the ball reaches into D; below 0, so
            that the distance must grow, if even the known distance is smaller than D, or the
            error is a lasting one [m].
        cosine: Cosine of the angle of the other two directions.
        sine: Its sine.
        side_gap: Distance to D along these [m], at least 0.
    """

    gap: float
    cosine: float
    sine: float
    side_gap: float


def direction_cone(size: float, distance: float, e: float, lasting: bool) -> DirectionCone:
    """Return the cone of a difference.

    Args:
        size: Its known norm [m].
        distance: The distance D to keep [m], > 0.
        e: Its error [m], >= 0.
        lasting: Whether no message will make it smaller; then the vehicle leaves the ball.
    """
    gap = size - e - distance
    if gap < 0.0 and not lasting:
        gap = min(0.0, size - distance)
    if e * e == 0.0:  # also where the square of an error is below all numbers
        return DirectionCone(gap, 1.0, 0.0, max(0.0, gap))
    sine = 0.8 * e / max(size, e)
    cosine = math.sqrt(1.0 - sine * sine)
    side_gap = size * cosine - 0.6 * e - distance
    if side_gap < 0.0:
        side_gap = 0.0
        cosine = (size * size + distance * distance - e * e) / max(2.0 * size * distance, e * e)
        cosine = min(1.0, max(WIDEST, cosine))
        sine = math.sqrt(1.0 - cosine * cosine)
    return DirectionCone(gap, cosine, sine, side_gap)
