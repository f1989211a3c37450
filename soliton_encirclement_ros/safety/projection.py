"""The command nearest to a wanted one on half-planes within the two discs of the vehicle.

Exact and deterministic: the half-planes are added one by one. If the best point so far violates
the next one, the new best point lies on its line, where the discs and the half-planes before it
leave an interval. Source: Seidel's incremental algorithm, with a distance as its aim.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.safety.codes import BASE, EXTRA, NX, NY
from soliton_encirclement_ros.safety.feasibility import Discs
from soliton_encirclement_ros.safety.records import Scratch

TOLERANCE = 1e-9
"""By so much [m/s] a half-plane may be violated by rounding."""

PARALLEL = 1e-12
"""Below this sine two lines count as parallel."""


class Point(NamedTuple):
    """A command [m/s], and whether it fulfils everything."""

    x: float
    y: float
    found: bool


class _Interval(NamedTuple):
    """Ends of an interval on a line; empty if the first exceeds the second."""

    low: float
    high: float


def nearest_command(
    scratch: Scratch, count: int, able: Discs, wx: float, wy: float, push: float
) -> Point:
    """Return the command nearest to a wanted one.

    Args:
        scratch: The half-planes.
        count: How many there are.
        able: The discs.
        wx: Wanted command east [m/s].
        wy: Wanted command north [m/s].
        push: Share of the rates above 0 that is asked for, 0 to 1.
    """
    x, y = nearest_in_discs(able, wx, wy)
    for k in range(count):
        nx, ny, bound = scratch[k][NX], scratch[k][NY], bound_of(scratch, k, push)
        if nx * x + ny * y >= bound - TOLERANCE:
            continue
        free = _on_line(scratch, k, able, nx, ny, bound, push)
        if free.low > free.high:
            return Point(x, y, False)
        t = min(free.high, max(free.low, nx * wy - ny * wx))
        x, y = bound * nx - t * ny, bound * ny + t * nx
    return Point(x, y, True)


def bound_of(scratch: Scratch, k: int, push: float) -> float:
    """Return the bound of a half-plane [m/s] with a share of its rate above 0."""
    extra = scratch[k][EXTRA]
    return scratch[k][BASE] + (extra * push if extra > 0.0 else extra)


def largest_violation(scratch: Scratch, count: int, x: float, y: float) -> tuple[float, int]:
    """Return the largest violation [m/s] of half-planes by a command, and its row; else 0, -1."""
    worst, which = 0.0, -1
    for k in range(count):
        short = bound_of(scratch, k, 1.0) - scratch[k][NX] * x - scratch[k][NY] * y
        if short > worst:
            worst, which = short, k
    return worst, which


def nearest_in_discs(able: Discs, wx: float, wy: float) -> tuple[float, float]:
    """Return the point of both discs nearest to a point [m/s]."""
    ax, ay = _in_disc(wx, wy, able.x, able.y, able.reach)
    if ax * ax + ay * ay <= able.fastest * able.fastest:
        return ax, ay
    bx, by = _in_disc(wx, wy, 0.0, 0.0, able.fastest)
    dx, dy = bx - able.x, by - able.y
    if dx * dx + dy * dy <= able.reach * able.reach:
        return bx, by
    return _corner(able, wx, wy)


def _in_disc(wx: float, wy: float, x: float, y: float, radius: float) -> tuple[float, float]:
    """Return the point of a disc nearest to a point."""
    dx, dy = wx - x, wy - y
    size = math.sqrt(dx * dx + dy * dy)
    if size <= radius:
        return wx, wy
    return x + dx * (radius / size), y + dy * (radius / size)


def _corner(able: Discs, wx: float, wy: float) -> tuple[float, float]:
    """Return the intersection of both circles nearest to a point."""
    square = able.x * able.x + able.y * able.y
    size = math.sqrt(square)
    ux, uy = able.x / size, able.y / size
    along = (square + able.fastest * able.fastest - able.reach * able.reach) / (2.0 * size)
    across = math.sqrt(max(0.0, able.fastest * able.fastest - along * along))
    if ux * wy - uy * wx < 0.0:
        across = -across
    return along * ux - across * uy, along * uy + across * ux


def _on_line(
    scratch: Scratch, k: int, able: Discs, nx: float, ny: float, bound: float, push: float
) -> _Interval:
    """Return the part of the line of row k that discs and earlier half-planes leave."""
    one = _in_circle(nx, ny, bound, able.x, able.y, able.reach)
    two = _in_circle(nx, ny, bound, 0.0, 0.0, able.fastest)
    low, high = max(one.low, two.low), min(one.high, two.high)
    for j in range(k):
        mx, my = scratch[j][NX], scratch[j][NY]
        sine = nx * my - ny * mx
        room = bound_of(scratch, j, push) - bound * (nx * mx + ny * my)
        if abs(sine) < PARALLEL:
            if room > TOLERANCE:
                return _Interval(1.0, 0.0)
        elif sine > 0.0:
            low = max(low, room / sine)
        else:
            high = min(high, room / sine)
    if low > high and low - high < TOLERANCE:
        return _Interval(high, high)
    return _Interval(low, high)


def _in_circle(nx: float, ny: float, bound: float, x: float, y: float, radius: float) -> _Interval:
    """Return the part of a line in a disc."""
    off = bound - (nx * x + ny * y)
    square = radius * radius - off * off
    if square < 0.0:
        if -square > TOLERANCE * radius:
            return _Interval(1.0, 0.0)
        square = 0.0
    half = math.sqrt(square)
    middle = nx * y - ny * x
    return _Interval(middle - half, middle + half)
