"""The command nearest to a wanted one on half-planes within the two discs of the vehicle.

Exact and deterministic: the half-planes are added one by one. If the best point so far violates
the next one, the new best point lies on its line, where the discs and the half-planes before it
leave an interval. Source: Seidel's incremental algorithm, with a distance as its aim.

A half-plane is a condition on the acceleration, a row of the scratch array:

    m . (acc - acc_0) >= rate,  acc = (c - v) / tau,  acc_0: acceleration at command 0

A rate up to 0 is a distance that may shrink, which command 0 always keeps; a rate above 0 one
that has to grow.

If no command restores all distances that are too small, they are restored more slowly
(``relaxed_command``):

The rates above 0 are scaled by the largest common share at which a command exists. With share 0
command 0 fulfils every half-plane, so there always is one, and it never lets a distance shrink
more than command 0 does. That matters where a barrier is violated by the age of a state alone:
command 0 keeps the true distance.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.safety.braking import BrakingPath, Discs
from soliton_encirclement_ros.safety.filter_records import (
    BASE, EXTRA, NX, NY, SOURCE, WHO, Scratch
)

TOLERANCE = 1e-9
"""By so much [m/s] a half-plane may be violated by rounding."""

PARALLEL = 1e-12
"""Below this sine two lines count as parallel."""


class NearestCommand(NamedTuple):
    """A command [m/s], and whether it fulfils everything."""

    x: float
    y: float
    found: bool


class _Interval(NamedTuple):
    """Ends of an interval on a line; empty if the first exceeds the second."""

    low: float
    high: float


def nearest_command(
    scratch: Scratch, count: int, feasible: Discs, wx: float, wy: float, push: float
) -> NearestCommand:
    """Return the command nearest to a wanted one.

    Args:
        scratch: The half-planes.
        count: How many there are.
        feasible: The discs.
        wx: Wanted command east [m/s].
        wy: Wanted command north [m/s].
        push: Share of the rates above 0 that is asked for, 0 to 1.
    """
    x, y = nearest_in_discs(feasible, wx, wy)
    for k in range(count):
        nx, ny, bound = scratch[k][NX], scratch[k][NY], bound_of(scratch, k, push)
        if nx * x + ny * y >= bound - TOLERANCE:
            continue
        free = _on_line(scratch, k, feasible, nx, ny, bound, push)
        if free.low > free.high:
            return NearestCommand(x, y, False)
        t = min(free.high, max(free.low, nx * wy - ny * wx))
        x, y = bound * nx - t * ny, bound * ny + t * nx
    return NearestCommand(x, y, True)


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


def nearest_in_discs(feasible: Discs, wx: float, wy: float) -> tuple[float, float]:
    """Return the point of both discs nearest to a point [m/s]."""
    ax, ay = _in_disc(wx, wy, feasible.x, feasible.y, feasible.reach)
    if ax * ax + ay * ay <= feasible.fastest * feasible.fastest:
        return ax, ay
    bx, by = _in_disc(wx, wy, 0.0, 0.0, feasible.fastest)
    dx, dy = bx - feasible.x, by - feasible.y
    if dx * dx + dy * dy <= feasible.reach * feasible.reach:
        return bx, by
    return _corner(feasible, wx, wy)


def _in_disc(wx: float, wy: float, x: float, y: float, radius: float) -> tuple[float, float]:
    """Return the point of a disc nearest to a point."""
    dx, dy = wx - x, wy - y
    size = math.sqrt(dx * dx + dy * dy)
    if size <= radius:
        return wx, wy
    return x + dx * (radius / size), y + dy * (radius / size)


def _corner(feasible: Discs, wx: float, wy: float) -> tuple[float, float]:
    """Return the intersection of both circles nearest to a point."""
    fastest, reach = feasible.fastest, feasible.reach
    square = feasible.x * feasible.x + feasible.y * feasible.y
    size = math.sqrt(square)
    ux, uy = feasible.x / size, feasible.y / size
    along = (square + fastest * fastest - reach * reach) / (2.0 * size)
    across = math.sqrt(max(0.0, fastest * fastest - along * along))
    if ux * wy - uy * wx < 0.0:
        across = -across
    return along * ux - across * uy, along * uy + across * ux


def _on_line(
    scratch: Scratch, k: int, feasible: Discs, nx: float, ny: float, bound: float, push: float
) -> _Interval:
    """Return the part of the line of row k that discs and earlier half-planes leave."""
    reachable = _in_circle(nx, ny, bound, feasible.x, feasible.y, feasible.reach)
    slow_enough = _in_circle(nx, ny, bound, 0.0, 0.0, feasible.fastest)
    low, high = max(reachable.low, slow_enough.low), min(reachable.high, slow_enough.high)
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


NO_DISTANCE = 1e-9
"""Below this distance [m] two places have no direction from one to the other."""

LEAST_INFLUENCE = 1e-6
"""Below this [s] the acceleration does not matter for a distance."""


def add_half_plane(
    scratch: Scratch,
    count: int,
    path: BrakingPath,
    tau: float,
    mx: float,
    my: float,
    ax: float,
    ay: float,
    rate: float,
    source: int,
    body_id: float,
) -> int:
    """Add a condition to the rows.

    A condition that the acceleration hardly influences, or that is not finite, is left out.

    Args:
        scratch: The rows.
        count: How many there are.
        path: The own vehicle.
        tau: Its lag [s].
        mx: East part of m [s].
        my: North part of m [s].
        ax: East part of acc_0 [m/s^2].
        ay: North part of acc_0 [m/s^2].
        rate: Rate [m/s].
        source: Reason that it stands for.
        body_id: Id of the other body.

    Returns:
        How many rows there are then.
    """
    size = math.sqrt(mx * mx + my * my)
    if not (size >= LEAST_INFLUENCE and math.isfinite(rate)):
        return count
    nx, ny = mx / size, my / size
    row = scratch[count]
    row[NX], row[NY] = nx, ny
    row[BASE] = nx * (path.vx + tau * ax) + ny * (path.vy + tau * ay)
    row[EXTRA] = tau * rate / size
    row[SOURCE], row[WHO] = source, body_id
    return count + 1


HALVINGS = 10
"""Iterations of the bisection: the share is known to 1 / 1024."""


def relaxed_command(
    scratch: Scratch,
    count: int,
    feasible: Discs,
    wx: float,
    wy: float,
    stop_x: float,
    stop_y: float,
) -> NearestCommand:
    """Return the command nearest to the wanted one with the largest common share of the rates.

    Args:
        scratch: The half-planes.
        count: How many there are.
        feasible: The discs.
        wx: Wanted command east [m/s].
        wy: Wanted command north [m/s].
        stop_x: The command that brakes like command 0, within the discs, east [m/s]; returned
            with ``found`` False if rounding leaves nothing else.
        stop_y: The same north.
    """
    best = NearestCommand(stop_x, stop_y, False)
    low, high = 0.0, 1.0
    for k in range(HALVINGS):
        middle = 0.0 if k == 0 else 0.5 * (low + high)
        candidate = nearest_command(scratch, count, feasible, wx, wy, middle)
        if candidate.found:
            best, low = candidate, middle
        elif k == 0:
            return best
        else:
            high = middle
    return best
