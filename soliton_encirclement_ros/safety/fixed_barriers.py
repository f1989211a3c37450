"""Barriers that nobody brakes for but we: bodies to keep out of, and the fence.

Bodies that do not brake for anybody, target and adversaries (``keep_out_rows``):

    h = |q - p_b| - R - e

for the stopping point and for the nearest point q of the braking path, both seen from the body:
the vehicle has to be able to match its velocity before it is too near, and "command v_b" is what
keeps the distance. The whole duty is ours. A body that accelerates, or that is faster than the
vehicle, breaks it: then there is no such command.

A horizontal fence, a polygon with holes, as edges (x0, y0, x1, y1) (``fence_rows``):

    h = distance of the stopping point to an edge - margin,      n . P' >= -gamma h
    h = distance of a corner to the braking path - margin,       the same for its nearest point

Command 0 fulfils both inside. If the braking path leaves the fence, it must be shortened, or, for
a vehicle outside, lead to the nearest edge.
"""

import math

from soliton_encirclement_ros.core.fences import is_inside, nearest_on_edge
from soliton_encirclement_ros.core.laws.filter_codes import FENCE, KEEP_OUT, NOBODY
from soliton_encirclement_ros.safety.braking import (
    BrakingPath, braking_acceleration, braking_path, sensitivity
)
from soliton_encirclement_ros.safety.filter_records import (
    ADVERSARY, AGE, FENCE_ROWS, ID, KEEP_OUT_ROWS, KEY, KIND, TARGET, VX, VY, FilterSettings, Rows,
    Scratch, X, Y
)
from soliton_encirclement_ros.safety.nearest_command import NO_DISTANCE, add_half_plane


def nearest_way(path: BrakingPath, x: float, y: float) -> float:
    """Return how far along its braking path [m] a vehicle comes nearest to a point [m]."""
    return min(path.length, max(0.0, (x - path.x) * path.ux + (y - path.y) * path.uy))


def slope_after(path: BrakingPath, distance: float, a: float, tau: float) -> float:
    """Return the derivative [s] by the speed of the place at a way [m] on the braking path."""
    remaining = path.length - distance
    slowest = min(path.speed, tau * a)
    if remaining <= tau * slowest:
        return path.slope - (remaining / slowest if slowest > 0.0 else 0.0)
    return (path.speed - math.sqrt(max(0.0, path.speed * path.speed - 2.0 * a * distance))) / a


def add_point(
    scratch: Scratch,
    count: int,
    own: BrakingPath,
    path: BrakingPath,
    distance: float,
    nx: float,
    ny: float,
    rate: float,
    a: float,
    tau: float,
    source: int,
    body_id: float,
) -> int:
    """Add ``n . (velocity of the place at a way) >= rate``; return how many rows there are then.

    Args:
        scratch: The rows.
        count: How many there are.
        own: The own vehicle.
        path: Its path, or its path relative to a moving body.
        distance: Way on that path [m].
        nx: East part of the direction.
        ny: North part of the direction.
        rate: Least rate [m/s] in this direction.
        a: Largest acceleration [m/s^2].
        tau: Lag [s].
        source: Reason that the row stands for.
        body_id: Id of the other body.
    """
    slope, across = path.slope, path.across
    if distance < path.length:
        slope = slope_after(path, distance, a, tau)
        across = distance / path.speed
    mx, my = sensitivity(path, slope, across, nx, ny)
    ax, ay = braking_acceleration(path, a, tau)
    return add_half_plane(scratch, count, own, tau, mx, my, ax, ay, rate, source, body_id)


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


def fence_rows(
    settings: FilterSettings,
    own: BrakingPath,
    fence: Rows,
    scratch: Scratch,
    count: int,
    tau: float,
) -> int:
    """Add the half-planes of the nearest edges; return how many rows there are then.

    Args:
        settings: The filter's numbers.
        own: The own vehicle.
        fence: The edges; none: no fence.
        scratch: The rows.
        count: How many there are.
        tau: Lag [s].
    """
    if len(fence) == 0:
        return count
    if not is_inside(fence, own.px, own.py) and not is_inside(fence, own.x, own.y):
        return _return_row(settings, own, fence, scratch, count, tau)
    crossing = first_crossing(fence, own)
    if crossing < own.length and is_inside(fence, own.x, own.y):
        a = settings.limits[2]
        rate = settings.gamma * (own.length - crossing + settings.fence_margin)
        return add_point(
            scratch, count, own, own, own.length, -own.ux, -own.uy, rate, a, tau, FENCE, NOBODY
        )  # fmt: skip
    return _edge_rows(settings, own, fence, scratch, count, tau)


def first_crossing(fence: Rows, own: BrakingPath) -> float:
    """Return the way [m] on the braking path to the first edge; its length if there is none."""
    first = own.length
    for i in range(len(fence)):
        x0, y0 = fence[i][0] - own.x, fence[i][1] - own.y
        x1, y1 = fence[i][2] - own.x, fence[i][3] - own.y
        left0, left1 = own.ux * y0 - own.uy * x0, own.ux * y1 - own.uy * x1
        if (left0 > 0.0) != (left1 > 0.0):
            share = left0 / (left0 - left1)
            way = own.ux * (x0 + share * (x1 - x0)) + own.uy * (y0 + share * (y1 - y0))
            if 0.0 <= way < first:
                first = way
    return first


def _return_row(
    settings: FilterSettings,
    own: BrakingPath,
    fence: Rows,
    scratch: Scratch,
    count: int,
    tau: float,
) -> int:
    """Add the half-plane that leads a vehicle outside to the nearest edge."""
    best, bx, by = math.inf, 0.0, 0.0
    for i in range(len(fence)):
        x, y = nearest_on_edge(fence, i, own.px, own.py)
        gap = math.sqrt((x - own.px) * (x - own.px) + (y - own.py) * (y - own.py))
        if gap < best:
            best, bx, by = gap, x - own.px, y - own.py
    if best < NO_DISTANCE:
        return count
    rate, a = settings.gamma * (best + settings.fence_margin), settings.limits[2]
    return add_point(
        scratch, count, own, own, own.length, bx / best, by / best, rate, a, tau, FENCE, NOBODY
    )  # fmt: skip


def _edge_rows(
    settings: FilterSettings,
    own: BrakingPath,
    fence: Rows,
    scratch: Scratch,
    count: int,
    tau: float,
) -> int:
    """Add the half-planes of the nearest edges and corners of a vehicle inside."""
    first, a = count, settings.limits[2]
    reach = 2.0 * a * own.slope / settings.gamma + settings.fence_margin
    for k in range(2 * len(fence)):
        i = k // 2
        at, (x, y) = own.length, nearest_on_edge(fence, i, own.px, own.py)
        if k % 2 == 1:
            x, y = fence[i][0], fence[i][1]
            at = nearest_way(own, x, y)
            if at == own.length:
                continue
        dx, dy = own.x + at * own.ux - x, own.y + at * own.uy - y
        gap = math.sqrt(dx * dx + dy * dy)
        if gap > reach or gap < NO_DISTANCE:
            continue
        place = _place(scratch, first, count, gap)
        if place < 0:
            continue
        rate = -settings.gamma * (gap - settings.fence_margin)
        nx, ny = dx / gap, dy / gap
        if add_point(scratch, place, own, own, at, nx, ny, rate, a, tau, FENCE, NOBODY) > place:
            scratch[place][KEY] = gap
            count = max(count, place + 1)
    return count


def _place(scratch: Scratch, first: int, count: int, gap: float) -> int:
    """Return the row for an edge at a distance [m]: a free one, that of a further edge, or -1."""
    if count < first + FENCE_ROWS:
        return count
    worst = first
    for k in range(first + 1, count):
        if scratch[k][KEY] > scratch[worst][KEY]:
            worst = k
    return worst if scratch[worst][KEY] > gap else -1
