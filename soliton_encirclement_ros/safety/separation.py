"""Barrier of two vehicles: if both braked from now on, they would stay D + e apart.

    h     = min over s of |q_i(s) - q_j(s)| - D - e
    n     = direction of that difference, m = G(s)^T n, G = derivative of q_i(s) by v_i
    m . (acc - acc_0) >= -share gamma h,  acc_0: acceleration at command 0

and the same for the stopping points alone, ``h = |P_i - P_j| - D - e``, ``m = J n``. Command 0
fulfils both while h >= 0. Two agents that run the filter share the duty, all others leave it to
us. Source: backup barriers, gatekeeper (arXiv 2211.14361).
"""

import math

from soliton_encirclement_ros.safety.age_ball import uncertainty
from soliton_encirclement_ros.safety.braking import (
    BrakingPath,
    braking_acceleration,
    braking_distance,
    sensitivity,
)
from soliton_encirclement_ros.safety.closest_approach import closest_approach
from soliton_encirclement_ros.safety.codes import (
    AGE,
    GHOST,
    ID,
    INDEX,
    KEY,
    KIND,
    MUTUAL,
    NEAREST,
    SEPARATION,
    VX,
    VY,
    X,
    Y,
)
from soliton_encirclement_ros.safety.half_planes import add_half_plane
from soliton_encirclement_ros.safety.layers import VerticalPath, is_layer_apart, is_vehicle
from soliton_encirclement_ros.safety.prediction import other_path
from soliton_encirclement_ros.safety.records import FilterSettings, Rows, Scratch

NO_DISTANCE = 1e-9
"""Below this distance [m] two bodies have no direction from one to the other."""


def separation_rows(
    settings: FilterSettings,
    own: BrakingPath,
    height: VerticalPath,
    others: Rows,
    scratch: Scratch,
    count: int,
    tau: float,
) -> int:
    """Add the half-planes of the nearest other vehicles; return how many rows there are then.

    Args:
        settings: The filter's numbers.
        own: The own vehicle when the command takes effect.
        height: The same vertically.
        others: The other bodies.
        scratch: The rows.
        count: How many there are.
        tau: Lag [s].
    """
    near = nearest_bodies(settings, own, height, others, scratch, tau)
    for k in range(near):
        count = pair_rows(settings, own, others, int(scratch[k][INDEX]), scratch, count, tau)
    return count


def nearest_bodies(
    settings: FilterSettings,
    own: BrakingPath,
    height: VerticalPath,
    others: Rows,
    scratch: Scratch,
    tau: float,
) -> int:
    """Write the rows of the nearest vehicles into the scratch rows; return how many there are.

    The key is a lower bound of the distance to anywhere on the braking path of the other one.
    """
    a, found = settings.limits[2], 0
    reach = reach_of(settings, own, tau)
    for i in range(len(others)):
        if not is_vehicle(others, i):
            continue
        key = nearness(settings, own, others, i, a, tau)
        if not key < reach or (found == NEAREST and key >= scratch[NEAREST - 1][KEY]):
            continue
        if is_layer_apart(settings, height, others, i):
            continue
        k = found if found < NEAREST else NEAREST - 1
        found = k + 1
        while k > 0 and scratch[k - 1][KEY] > key:
            scratch[k][KEY], scratch[k][INDEX] = scratch[k - 1][KEY], scratch[k - 1][INDEX]
            k -= 1
        scratch[k][KEY], scratch[k][INDEX] = key, i
    return found


def nearness(
    settings: FilterSettings, own: BrakingPath, others: Rows, i: int, a: float, tau: float
) -> float:
    """Return a lower bound [m] of the distance to anywhere on the path of another body."""
    row = others[i]
    vx, vy = row[VX], row[VY]
    age = 0.0 if row[KIND] == GHOST else row[AGE] + settings.delay
    dx, dy = row[X] + age * vx - own.x, row[Y] + age * vy - own.y
    speed = math.sqrt(vx * vx + vy * vy)
    path = braking_distance(speed, a, tau)
    return math.sqrt(dx * dx + dy * dy) - path - uncertainty(settings, others, i, speed, a, tau)


def reach_of(settings: FilterSettings, own: BrakingPath, tau: float) -> float:
    """Return the nearness [m] from which on a pair cannot have an active half-plane.

    A stopping point moves by ``|G (acc - acc_0)| <= 2 a slope`` at most.
    """
    fastest = 2.0 * settings.limits[2] * own.slope
    return settings.distance + own.length + 2.0 * fastest / settings.gamma


def pair_rows(
    settings: FilterSettings,
    own: BrakingPath,
    others: Rows,
    i: int,
    scratch: Scratch,
    count: int,
    tau: float,
) -> int:
    """Add the half-planes of one other vehicle; return how many rows there are then."""
    a, kind, who = settings.limits[2], others[i][KIND], others[i][ID]
    vx, vy = others[i][VX], others[i][VY]
    speed = math.sqrt(vx * vx + vy * vy)
    other = other_path(settings, others, i, a, tau)
    clear = settings.distance + uncertainty(settings, others, i, speed, a, tau)
    rate = settings.gamma * (0.5 if kind == MUTUAL else 1.0)
    ax, ay = braking_acceleration(own, a, tau)
    near = closest_approach(own, other, a, tau)
    if not near.at_end:
        nx, ny, gap = direction(near.x, near.y, own, other)
        mx, my = sensitivity(own, near.slope, near.across, nx, ny)
        bound = mx * ax + my * ay - rate * (gap - clear)
        count = add_half_plane(scratch, count, own, tau, mx, my, bound, SEPARATION, who)
    nx, ny, gap = direction(own.px - other.px, own.py - other.py, own, other)
    mx, my = sensitivity(own, own.slope, own.across, nx, ny)
    bound = mx * ax + my * ay - rate * (gap - clear)
    return add_half_plane(scratch, count, own, tau, mx, my, bound, SEPARATION, who)


def direction(
    x: float, y: float, own: BrakingPath, other: BrakingPath
) -> tuple[float, float, float]:
    """Return the unit vector of a difference and its norm [m].

    Where two stopping points coincide the positions tell the direction; else it is east.
    """
    gap = math.sqrt(x * x + y * y)
    if gap > NO_DISTANCE:
        return x / gap, y / gap, gap
    x, y = own.x - other.x, own.y - other.y
    size = math.sqrt(x * x + y * y)
    if size > NO_DISTANCE:
        return x / size, y / size, gap
    return 1.0, 0.0, gap
