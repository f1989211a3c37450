"""Barrier of a straight braking path against a point: one for its end, one on its way."""

import math

from soliton_encirclement_ros.safety.braking import BrakingPath, braking_acceleration, sensitivity
from soliton_encirclement_ros.safety.half_planes import add_half_plane
from soliton_encirclement_ros.safety.records import Scratch


def nearest_way(path: BrakingPath, x: float, y: float) -> float:
    """Return how far along its braking path [m] a vehicle comes nearest to a point [m]."""
    return min(path.length, max(0.0, (x - path.x) * path.ux + (y - path.y) * path.uy))


def slope_after(path: BrakingPath, way: float, a: float, tau: float) -> float:
    """Return the derivative [s] by the speed of the place at a way [m] on the braking path."""
    left = path.length - way
    slowest = min(path.speed, tau * a)
    if left <= tau * slowest:
        return path.slope - (left / slowest if slowest > 0.0 else 0.0)
    return (path.speed - math.sqrt(max(0.0, path.speed * path.speed - 2.0 * a * way))) / a


def add_point(
    scratch: Scratch,
    count: int,
    own: BrakingPath,
    path: BrakingPath,
    way: float,
    nx: float,
    ny: float,
    rate: float,
    a: float,
    tau: float,
    source: int,
    who: float,
) -> int:
    """Add ``n . (velocity of the place at a way) >= rate``; return how many rows there are then.

    Args:
        scratch: The rows.
        count: How many there are.
        own: The own vehicle.
        path: Its path, or its path relative to a moving body.
        way: Way on that path [m].
        nx: East part of the direction.
        ny: North part of the direction.
        rate: Least rate [m/s] in this direction.
        a: Largest acceleration [m/s^2].
        tau: Lag [s].
        source: Reason that the row stands for.
        who: Id of the other body.
    """
    slope, across = path.slope, path.across
    if way < path.length:
        slope = slope_after(path, way, a, tau)
        across = way / path.speed
    mx, my = sensitivity(path, slope, across, nx, ny)
    ax, ay = braking_acceleration(path, a, tau)
    return add_half_plane(scratch, count, own, tau, mx, my, ax, ay, rate, source, who)
