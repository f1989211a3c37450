"""Barrier of bodies that do not brake for anybody: target and adversaries.

    h = |q - p_b| - R - e

for the stopping point and for the nearest point q of the braking path, both seen from the body:
the vehicle has to be able to match its velocity before it is too near, and "command v_b" is what
keeps the distance. The whole duty is ours. A body that accelerates, or that is faster than the
vehicle, breaks it: then there is no such command.
"""

import math

from soliton_encirclement_ros.safety.braking import BrakingPath, braking_path
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
    if settings.target_radius <= 0.0 and settings.adversary_radius <= 0.0:
        return count
    for i in range(len(others)):
        if others[i][KIND] < TARGET:
            continue
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
    x, y = own.x - row[X] - age * vx, own.y - row[Y] - age * vy
    path = braking_path(x, y, own.vx - vx, own.vy - vy, a, tau)
    doubt = max(0.0, age + settings.clock_error)
    clear = radius + 0.5 * a * doubt * doubt + settings.noise
    way = nearest_way(path, 0.0, 0.0)
    for k in range(2):
        if k == 1 and way == path.length:
            return count
        at = path.length if k == 0 else way
        x, y = path.x + at * path.ux, path.y + at * path.uy
        gap = math.sqrt(x * x + y * y)
        if not gamma * (gap - clear) <= 2.0 * a * path.slope:
            continue
        nx, ny = (x / gap, y / gap) if gap > NO_DISTANCE else (-path.ux, -path.uy)
        rate = -gamma * (gap - clear)
        count = add_point(
            scratch, count, own, path, at, nx, ny, rate, a, tau, KEEP_OUT, row[ID]
        )  # fmt: skip
    return count
