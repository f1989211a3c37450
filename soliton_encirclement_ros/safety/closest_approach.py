"""The least distance of two vehicles that both brake from now on.

The vehicles are at ``q(s) = p + way(s) u`` after braking for s. Once both have left the
acceleration limit, their difference moves on a straight line to the difference of the stopping
points, and its least norm is known in closed form. Before, it is looked for on PIECES chords and
taken from the curve itself: the error is of second order.
"""

from typing import NamedTuple

from soliton_encirclement_ros.safety.braking import BrakingPath, travelled

PIECES = 4
"""Chords into which the time at the acceleration limit is divided."""


class Approach(NamedTuple):
    """The least distance of two vehicles that brake.

    Attributes:
        x: Difference of their positions then, own minus other, east [m].
        y: The same north [m].
        slope: Derivative of the own way by the own speed [s].
        across: Own way per own speed [s].
        at_end: Whether that is where both have stopped.
    """

    x: float
    y: float
    slope: float
    across: float
    at_end: bool


def closest_approach(own: BrakingPath, other: BrakingPath, a: float, tau: float) -> Approach:
    """Return the least distance of two vehicles with the same limits that brake.

    Args:
        own: Path of the own vehicle.
        other: Path of the other one.
        a: Largest acceleration of both [m/s^2].
        tau: Lag of both [s].
    """
    last = max(own.switch, other.switch)
    x, y, best, when = own.x - other.x, own.y - other.y, -1.0, 0.0
    if last > 0.0:
        for k in range(1, PIECES + 1):
            s = last * k / PIECES
            to_x, to_y, _, _ = _difference(own, other, s, a, tau)
            share, square = on_chord(x, y, to_x, to_y)
            if best < 0.0 or square < best:
                best, when = square, s - (1.0 - share) * (last / PIECES)
            x, y = to_x, to_y
    end_x, end_y = own.px - other.px, own.py - other.py
    share, square = on_chord(x, y, end_x, end_y)
    if 0.0 <= best < square:
        x, y, slope, across = _difference(own, other, when, a, tau)
        return Approach(x, y, slope, across, False)
    _, slope, across = travelled(own, last, a, tau)
    return Approach(
        x + share * (end_x - x),
        y + share * (end_y - y),
        slope + share * (own.slope - slope),
        across + share * (own.across - across),
        share == 1.0,
    )


def on_chord(x: float, y: float, to_x: float, to_y: float) -> tuple[float, float]:
    """Return the share of the way to the nearest point of a chord to 0, and its squared norm."""
    rx, ry = to_x - x, to_y - y
    square = rx * rx + ry * ry
    share = 0.0 if square == 0.0 else min(1.0, max(0.0, -(x * rx + y * ry) / square))
    x, y = x + share * rx, y + share * ry
    return share, x * x + y * y


def _difference(
    own: BrakingPath, other: BrakingPath, s: float, a: float, tau: float
) -> tuple[float, float, float, float]:
    """Return the difference of the positions [m] at a time [s], and the own derivatives [s]."""
    way, slope, across = travelled(own, s, a, tau)
    away, _, _ = travelled(other, s, a, tau)
    return (
        own.x + way * own.ux - other.x - away * other.ux,
        own.y + way * own.uy - other.y - away * other.uy,
        slope,
        across,
    )
