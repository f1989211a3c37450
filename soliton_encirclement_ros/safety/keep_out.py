"""Barrier of bodies that do not brake for anybody: target and adversaries.

    h = |q - p_b| - R - e,   n . (q' - v_b) >= -gamma h

for the stopping point and for the nearest point q of the braking path. The whole duty is ours. A
body that comes nearer than the vehicle can leave breaks it: then there is no such command.
"""

import math

from soliton_encirclement_ros.safety.braking import BrakingPath
from soliton_encirclement_ros.safety.codes import (
    ADVERSARY,
    AGE,
    ID,
    KEEP_OUT,
    KEEP_OUT_ROWS,
    KIND,
    TARGET,
    VX,
    VY,
    X,
    Y,
)
from soliton_encirclement_ros.safety.half_planes import NO_DISTANCE
from soliton_encirclement_ros.safety.records import FilterSettings, Rows, Scratch
from soliton_encirclement_ros.safety.static_points import add_point, nearest_way


def keep_out_rows(
    settings: FilterSettings,
    own: BrakingPath,
    others: Rows,
    scratch: Scratch,
    count: int,
    tau: float,
) -> int:
    """Add the half-planes of target and adversaries; return how many rows there are then.

    Beyond KEEP_OUT_ROWS rows, bodies are left out.
    """
    most = count + KEEP_OUT_ROWS
    for i in range(len(others)):
        radius = radius_of(settings, others[i][KIND])
        if radius > 0.0 and count + 2 <= most:
            count = _body_rows(settings, own, others, i, radius, scratch, count, tau)
    return count


def radius_of(settings: FilterSettings, kind: float) -> float:
    """Return the distance to keep [m] from a body of some kind; 0: none."""
    if kind == TARGET:
        return settings.target_radius
    if kind == ADVERSARY:
        return settings.adversary_radius
    return 0.0


def _body_rows(
    settings: FilterSettings,
    own: BrakingPath,
    others: Rows,
    i: int,
    radius: float,
    scratch: Scratch,
    count: int,
    tau: float,
) -> int:
    """Add the half-planes of one body, unless it is too far away to matter."""
    a, gamma, row = settings.limits[2], settings.gamma, others[i]
    vx, vy, age = row[VX], row[VY], row[AGE] + settings.delay
    x, y = row[X] + age * vx, row[Y] + age * vy
    doubt = age + settings.clock_error
    clear = radius + 0.5 * a * doubt * doubt + settings.noise
    way = nearest_way(own, x, y)
    fastest = 2.0 * a * own.slope + math.sqrt(vx * vx + vy * vy)
    for k in range(2):
        if k == 1 and way == own.length:
            return count
        at = own.length if k == 0 else way
        dx, dy = own.x + at * own.ux - x, own.y + at * own.uy - y
        gap = math.sqrt(dx * dx + dy * dy)
        if not gamma * (gap - clear) <= fastest:
            continue
        nx, ny = (dx / gap, dy / gap) if gap > NO_DISTANCE else (-own.ux, -own.uy)
        rate = nx * vx + ny * vy - gamma * (gap - clear)
        count = add_point(
            scratch, count, own, at, nx, ny, rate, a, tau, KEEP_OUT, row[ID]
        )  # fmt: skip
    return count
