"""Barrier of two vehicles: if both braked from now on, they would stay D apart.

    h     = min over s of |q_i(s) - q_j(s)| - D
    n     = direction of that difference, m = G(s)^T n, G = derivative of q_i(s) by v_i
    m . (acc - acc_0) >= -share gamma h,  acc_0: acceleration at command 0

and the same for the stopping points alone, ``h = |P_i - P_j| - D``, ``m = J n``; for all values
that the error e of the other state leaves to n and h (``direction_cone``). Command 0 fulfils both
while h >= 0. Two agents that run the filter share the duty, all others leave it to us. Source:
backup barriers, gatekeeper (arXiv 2211.14361).
"""

import math

from soliton_encirclement_ros.safety.age_ball import uncertainty
from soliton_encirclement_ros.safety.braking import (
    BrakingPath,
    braking_acceleration,
    sensitivity,
)
from soliton_encirclement_ros.safety.closest_approach import closest_approach
from soliton_encirclement_ros.safety.codes import (
    GHOST,
    ID,
    INDEX,
    KIND,
    MUTUAL,
    SEPARATION,
    VX,
    VY,
)
from soliton_encirclement_ros.safety.direction_cone import DirectionCone, direction_cone
from soliton_encirclement_ros.safety.half_planes import NO_DISTANCE, add_half_plane
from soliton_encirclement_ros.safety.prediction import other_path
from soliton_encirclement_ros.safety.records import FilterSettings, Rows, Scratch


def separation_rows(
    settings: FilterSettings,
    own: BrakingPath,
    others: Rows,
    near: int,
    scratch: Scratch,
    count: int,
    tau: float,
) -> int:
    """Add the half-planes of the nearest other vehicles; return how many rows there are then.

    Args:
        settings: The filter's numbers.
        own: The own vehicle when the command takes effect.
        others: The other bodies.
        near: How many of them are near; their indices are in the rows (``nearest_bodies``).
        scratch: The rows.
        count: How many there are.
        tau: Lag [s].
    """
    for k in range(near):
        count = pair_rows(settings, own, others, int(scratch[k][INDEX]), scratch, count, tau)
    return count


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
    error = uncertainty(settings, others, i, speed, a, tau)
    share, lasting = 0.5 if kind == MUTUAL else 1.0, kind == GHOST
    distance = settings.distance
    near = closest_approach(own, other, a, tau)
    if not near.at_end:
        nx, ny, gap = direction(near.x, near.y, own, other)
        count = _cone_rows(
            settings, own, nx, ny, direction_cone(gap, distance, error, lasting), near.slope,
            near.across, share, scratch, count, tau, who,
        )  # fmt: skip
    nx, ny, gap = direction(own.px - other.px, own.py - other.py, own, other)
    return _cone_rows(
        settings, own, nx, ny, direction_cone(gap, distance, error, lasting), own.slope,
        own.across, share, scratch, count, tau, who,
    )  # fmt: skip


def _cone_rows(
    settings: FilterSettings,
    own: BrakingPath,
    nx: float,
    ny: float,
    cone: DirectionCone,
    slope: float,
    across: float,
    share: float,
    scratch: Scratch,
    count: int,
    tau: float,
    who: float,
) -> int:
    """Add the half-planes of a direction and of those beside it that may become active."""
    ax, ay = braking_acceleration(own, settings.limits[2], tau)
    rate, fastest = share * settings.gamma, 2.0 * settings.limits[2] * slope
    for k in range(3):
        gap, x, y = cone.gap, nx, ny
        if k > 0:
            if cone.sine == 0.0:
                break
            turn = cone.sine if k == 1 else -cone.sine
            gap, x, y = cone.side_gap, cone.cosine * nx - turn * ny, cone.cosine * ny + turn * nx
        if rate * gap < fastest:
            mx, my = sensitivity(own, slope, across, x, y)
            need = -rate * gap
            count = add_half_plane(
                scratch, count, own, tau, mx, my, ax, ay, need, SEPARATION, who
            )  # fmt: skip
    return count


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
