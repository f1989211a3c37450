"""Reachable velocities and the braking path of a vehicle with lag and limited acceleration.

How it stops when its command is 0:

    D_b(v) = tau v                       for v <= tau a, where the lag alone decides
           = v^2 / 2a + tau^2 a / 2      else: braking at a, then the lag
    D_b'   = max(tau, v / a)
    P      = p + D_b v/|v|               stopping point
    P'     = v + J acc,  J = D_b' u u^T + (D_b / |v|) (I - u u^T),  u = v / |v|

Command 0 leaves P where it is. Without saturation P' is the command itself.

Its commands are those with |acc| <= a_max and |v + tau acc| <= v_max. With ``c = v + tau acc`` the
first is a disc of radius tau a_max round the velocity, the second one of radius v_max round 0. A
wanted command outside the first only saturates the vehicle.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.safety.filter_records import (
    AGE, GHOST, KIND, VX, VY, FilterSettings, OwnState, Rows, X, Y
)
from velocity_mobility_ros.core.velocity_model import Vector, held_command, limit_xy

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
    tail = tau * math.exp((path.switch - s) / tau)
    slope = path.slope - tail
    if path.speed == 0.0:
        return 0.0, slope, slope
    distance = path.length - tail * min(path.speed, tau * a)
    return distance, slope, distance / path.speed


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


AT_LIMIT = 1.0 - 1e-9
"""Share of the largest acceleration from which on it counts as reached."""

ROUNDING = 1.0 + 1e-12
"""Share of the largest speed up to which a wanted velocity is at it: laws end there."""


class Discs(NamedTuple):
    """Commands that the vehicle can follow.

    Attributes:
        x: Centre of the disc of acceleration east: the velocity [m/s].
        y: The same north.
        reach: Its radius [m/s].
        fastest: Radius of the disc of speed round 0 [m/s].
    """

    x: float
    y: float
    reach: float
    fastest: float


def within_speed(x: float, y: float, most: float) -> tuple[float, float]:
    """Return a velocity [m/s] within the largest speed; what exceeds it by rounding passes."""
    bound = ROUNDING * most
    if x * x + y * y <= bound * bound:
        return x, y
    return limit_xy(x, y, most)


def discs(path: BrakingPath, a: float, tau: float, fastest: float) -> Discs:
    """Return the discs of a vehicle.

    A vehicle above its largest speed is given the smallest disc that braking reaches.
    """
    reach = tau * a
    return Discs(path.vx, path.vy, reach, max(fastest, path.speed - reach))


def stopping_command(path: BrakingPath, a: float, tau: float) -> tuple[float, float]:
    """Return the command [m/s] in the discs with the acceleration of command 0."""
    ax, ay = braking_acceleration(path, a, tau)
    return path.vx + tau * ax, path.vy + tau * ay


def saturated(feasible: Discs, cx: float, cy: float) -> tuple[float, float]:
    """Return the command in the disc of acceleration that acts like a given one [m/s]."""
    dx, dy = limit_xy(cx - feasible.x, cy - feasible.y, feasible.reach)
    return feasible.x + dx, feasible.y + dy


def sustain_factor(period: float, tau: float, change: float, a: float) -> float:
    """Return the factor of a change of velocity that keeps its acceleration for a period.

    The acceleration towards a constant command decays with the lag. At the limit it stays there
    for the whole period [s] if the command is further away by the factor ``1 + period / tau``.

    Args:
        period: Control period [s].
        tau: Lag [s].
        change: Size of command minus velocity [m/s].
        a: Largest acceleration [m/s^2].
    """
    return 1.0 + period / tau if change >= AT_LIMIT * tau * a else 1.0


def sustained_command(
    feasible: Discs, cx: float, cy: float, period: float, tau: float
) -> tuple[float, float]:
    """Return a command [m/s] whose acceleration, if at the limit, stays for a period [s].

    One that would be too fast is returned as it is.
    """
    dx, dy = cx - feasible.x, cy - feasible.y
    change = math.sqrt(dx * dx + dy * dy)
    stretch = sustain_factor(period, tau, change, feasible.reach / tau)
    sx, sy = feasible.x + stretch * dx, feasible.y + stretch * dy
    if math.sqrt(sx * sx + sy * sy) > feasible.fastest:
        return cx, cy
    return sx, sy


def state_at_effect(settings: FilterSettings, own: OwnState, previous: Vector) -> OwnState:
    """Return the own state when the new command takes effect, by the steps of the vehicle model.

    Args:
        settings: Limits, delay and step.
        own: The state now.
        previous: The command that is still in effect [m/s].
    """
    steps = int(settings.delay / settings.update + 0.5)
    position, velocity = held_command(
        own.position, own.velocity, previous, settings.update, steps, settings.limits
    )
    return OwnState(position, velocity)


def other_path(
    settings: FilterSettings, others: Rows, i: int, a: float, tau: float
) -> BrakingPath:
    """Return the braking path of another body when the own command takes effect.

    A body that was heard is predicted with its last velocity. One that fell silent has flown on
    for half of the longest time for which it may have, and braked since.

    Args:
        settings: The delay.
        others: The other bodies.
        i: Its row.
        a: Its largest acceleration [m/s^2].
        tau: Its lag [s].
    """
    x, y, vx, vy = others[i][X], others[i][Y], others[i][VX], others[i][VY]
    age = others[i][AGE] + settings.delay
    if others[i][KIND] != GHOST:
        return braking_path(x + age * vx, y + age * vy, vx, vy, a, tau)
    run_on = 0.5 * settings.run_on
    path = braking_path(x + run_on * vx, y + run_on * vy, vx, vy, a, tau)
    braked = max(0.0, age - run_on)
    s, _, _ = travelled(path, braked, a, tau)
    speed = braked_speed(path, braked, a, tau)
    return braking_path(
        path.x + s * path.ux, path.y + s * path.uy, speed * path.ux, speed * path.uy, a, tau
    )
