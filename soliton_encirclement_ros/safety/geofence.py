"""Barrier of a horizontal fence: a polygon with holes, as edges (x0, y0, x1, y1).

    h = distance of the stopping point to an edge - margin,      n . P' >= -gamma h
    h = distance of a corner to the braking path - margin,       the same for its nearest point

Command 0 fulfils both inside. If the braking path leaves the fence, it must be shortened, or, for
a vehicle outside, lead to the nearest edge.
"""

import math

from soliton_encirclement_ros.core.fences.polygon import is_inside, nearest_on_edge
from soliton_encirclement_ros.safety.braking import BrakingPath
from soliton_encirclement_ros.safety.codes import FENCE, FENCE_ROWS, KEY, NOBODY
from soliton_encirclement_ros.safety.half_planes import NO_DISTANCE
from soliton_encirclement_ros.safety.records import FilterSettings, Rows, Scratch
from soliton_encirclement_ros.safety.static_points import add_point, nearest_way


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
