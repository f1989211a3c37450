"""What the vehicle can do: |acc| <= a_max and |v + tau acc| <= v_max, two discs of commands.

With ``c = v + tau acc`` the first is a disc of radius tau a_max round the velocity, the second
one of radius v_max round 0. A wanted command outside the first only saturates the vehicle.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.limits import limit_xy

from soliton_encirclement_ros.safety.braking import BrakingPath, braking_acceleration

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


def saturated(able: Discs, cx: float, cy: float) -> tuple[float, float]:
    """Return the command in the disc of acceleration that acts like a given one [m/s]."""
    dx, dy = limit_xy(cx - able.x, cy - able.y, able.reach)
    return able.x + dx, able.y + dy


def held(period: float, tau: float, change: float, a: float) -> float:
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


def held_command(
    able: Discs, cx: float, cy: float, period: float, tau: float
) -> tuple[float, float]:
    """Return a command [m/s] whose acceleration, if at the limit, stays for a period [s].

    One that would be too fast is returned as it is.
    """
    dx, dy = cx - able.x, cy - able.y
    change = math.sqrt(dx * dx + dy * dy)
    stretch = held(period, tau, change, able.reach / tau)
    sx, sy = able.x + stretch * dx, able.y + stretch * dy
    if math.sqrt(sx * sx + sy * sy) > able.fastest:
        return cx, cy
    return sx, sy
