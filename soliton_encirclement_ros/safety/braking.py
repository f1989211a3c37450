"""How a vehicle with lag and limited acceleration stops when its command is 0.

    D_b(v) = tau v                       for v <= tau a, where the lag alone decides
           = v^2 / 2a + tau^2 a / 2      else: braking at a, then the lag
    D_b'   = max(tau, v / a)
    P      = p + D_b v/|v|               stopping point
    P'     = v + J acc,  J = D_b' u u^T + (D_b / |v|) (I - u u^T),  u = v / |v|

Command 0 leaves P where it is. Without saturation P' is the command itself.
"""

import math
from typing import NamedTuple

STANDSTILL = 1e-9
"""Below this speed [m/s] a vehicle has no direction."""


class BrakingPath(NamedTuple):
    """A vehicle in the plane, and the straight path on which it stops.

    Attributes:
        x: Position east [m].
        y: Position north [m].
        vx: Velocity east [m/s].
        vy: Velocity north [m/s].
        speed: Speed [m/s].
        ux: Direction of the velocity east, 1 at a standstill.
        uy: Direction of the velocity north.
        length: Braking distance [m].
        slope: Its derivative by the speed [s].
        across: Change of the stopping point across the path per change of velocity [s].
        switch: Time at which the braking leaves the acceleration limit [s].
        px: Stopping point east [m].
        py: Stopping point north [m].
    """

    x: float
    y: float
    vx: float
    vy: float
    speed: float
    ux: float
    uy: float
    length: float
    slope: float
    across: float
    switch: float
    px: float
    py: float


def usable_lag(tau: float, period: float) -> float:
    """Return the lag [s] to compute with: the period for a vehicle without lag (NaN)."""
    if math.isnan(tau):
        return period
    return tau


def braking_distance(speed: float, a: float, tau: float) -> float:
    """Return the way [m] from a speed [m/s] to a standstill at command 0.

    Args:
        speed: Speed, >= 0.
        a: Largest acceleration [m/s^2], > 0.
        tau: Lag [s], > 0.
    """
    if speed <= tau * a:
        return tau * speed
    return speed * speed / (2.0 * a) + tau * tau * a / 2.0


def braking_slope(speed: float, a: float, tau: float) -> float:
    """Return the derivative [s] of the braking distance by the speed."""
    return max(tau, speed / a)


def braking_path(x: float, y: float, vx: float, vy: float, a: float, tau: float) -> BrakingPath:
    """Return the braking path from a position [m] and a velocity [m/s]."""
    speed = math.sqrt(vx * vx + vy * vy)
    if speed < STANDSTILL:
        return BrakingPath(x, y, vx, vy, 0.0, 1.0, 0.0, 0.0, tau, tau, 0.0, x, y)
    ux, uy = vx / speed, vy / speed
    length = braking_distance(speed, a, tau)
    return BrakingPath(
        x, y, vx, vy, speed, ux, uy, length, braking_slope(speed, a, tau), length / speed,
        max(0.0, speed / a - tau), x + length * ux, y + length * uy,
    )  # fmt: skip


def travelled(path: BrakingPath, s: float, a: float, tau: float) -> tuple[float, float, float]:
    """Return how far a body has braked after a time, and the derivatives by its velocity.

    Args:
        path: Its braking path.
        s: Time since the beginning of the braking [s], >= 0.
        a: Largest acceleration [m/s^2].
        tau: Lag [s].

    Returns:
        Distance [m]; its derivative by the speed [s]; distance per speed, which is the derivative
        across the path [s].
    """
    if s < path.switch:
        return path.speed * s - 0.5 * a * s * s, s, s - 0.5 * a * s * s / path.speed
    rest = tau * math.exp((path.switch - s) / tau)
    slope = path.slope - rest
    if path.speed == 0.0:
        return 0.0, slope, slope
    way = path.length - rest * min(path.speed, tau * a)
    return way, slope, way / path.speed


def braked_speed(path: BrakingPath, s: float, a: float, tau: float) -> float:
    """Return the speed [m/s] after braking for a time [s]."""
    if s < path.switch:
        return path.speed - a * s
    return min(path.speed, tau * a) * math.exp((path.switch - s) / tau)


def braking_acceleration(path: BrakingPath, a: float, tau: float) -> tuple[float, float]:
    """Return the acceleration [m/s^2] at command 0."""
    size = min(a, path.speed / tau)
    return -size * path.ux, -size * path.uy


def sensitivity(
    path: BrakingPath, slope: float, across: float, nx: float, ny: float
) -> tuple[float, float]:
    """Return ``J n`` [s] for a direction n: along the path by ``slope``, across by ``across``."""
    along = nx * path.ux + ny * path.uy
    return (
        slope * along * path.ux + across * (nx - along * path.ux),
        slope * along * path.uy + across * (ny - along * path.uy),
    )
