"""Horizontal fences: a polygon with holes as edges (x0, y0, x1, y1) [m], and its text.

The text of a parameter has the corners of the polygon and of its holes.
"""

import math
from collections.abc import Sequence

from velocity_mobility_ros.core.user_errors import ParameterError, shown

Ring = Sequence[tuple[float, float]]
"""Corners [m]; the last one is joined to the first."""

Edges = Sequence[Sequence[float]]
"""One edge a row: x0, y0, x1, y1 [m]."""


def ring_edges(*rings: Ring) -> list[list[float]]:
    """Return the edges of a polygon and of its holes.

    Args:
        rings: Corners [m] of the polygon, then of every hole, in any direction.
    """
    edges = []
    for ring in rings:
        ends = [*ring[1:], ring[0]]
        edges += [
            [*map(float, start), *map(float, end)] for start, end in zip(ring, ends, strict=True)
        ]
    return edges


def is_inside(edges: Edges, x: float, y: float) -> bool:
    """Return whether a point [m] is inside a polygon and in none of its holes."""
    inside = False
    for i in range(len(edges)):
        x0, y0, x1, y1 = edges[i][0], edges[i][1], edges[i][2], edges[i][3]
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
    return inside


def nearest_on_edge(edges: Edges, i: int, x: float, y: float) -> tuple[float, float]:
    """Return the point of an edge nearest to a point [m]."""
    x0, y0 = edges[i][0], edges[i][1]
    ex, ey = edges[i][2] - x0, edges[i][3] - y0
    square = ex * ex + ey * ey
    share = ((x - x0) * ex + (y - y0) * ey) / square if square > 0.0 else 0.0
    share = min(1.0, max(0.0, share))
    return x0 + share * ex, y0 + share * ey


def distance_inside(edges: Edges, x: float, y: float) -> float:
    """Return the distance [m] of a point to the nearest edge; negative: it is outside."""
    places = (nearest_on_edge(edges, i, x, y) for i in range(len(edges)))
    distance = min(math.dist((x, y), place) for place in places)
    return distance if is_inside(edges, x, y) else -distance


NAME = 'fence'
FORM = "corners 'x y' between commas, rings between semicolons, such as -50 -50, 50 -50, 0 40"


def fence_rings(text: str) -> list[Ring]:
    """Return the corners of a polygon, then those of its holes; nothing for an empty text.

    Raises:
        ParameterError: A corner is not two finite numbers, a ring has fewer than 3 corners or no
            area, or two of its edges cross.
    """
    if not text.strip():
        return []
    return [_ring(part, number) for number, part in enumerate(text.split(';'), 1)]


def outside_of(fence: str, name: str, subject: str, x: float, y: float, cure: str) -> str:
    """Return that a place is outside of a fence, in one line; empty if it is inside.

    Args:
        fence: The fence as text; an empty one has no outside.
        name: Name of its parameter.
        subject: The body and the verb: ``uav_1 starts``.
        x: The place [m].
        y: The place [m].
        cure: The remedy besides another fence.
    """
    edges = ring_edges(*fence_rings(fence))
    if not edges or is_inside(edges, x, y):
        return ''
    return f'{subject} at ({x:.1f}, {y:.1f}) m, outside of {name}; move the fence, or {cure}'


def _ring(text: str, number: int) -> Ring:
    ring = [_corner(corner, number) for corner in text.split(',')]
    name = f'{NAME}: ring {number}'
    if len(ring) < 3:
        raise ParameterError(f'{name} has {len(ring)} corners, at least 3 are needed; {FORM}')
    crossed = _crossing(ring)
    if crossed is not None:
        i, j = crossed
        raise ParameterError(
            f'{name}: the edges from corner {i + 1} and from corner {j + 1} cross; give the '
            'corners in the order in which they are joined'
        )
    if not _area(ring) > 0.0:
        raise ParameterError(f'{name} has no area: all its corners lie on one line')
    return ring


def _corner(text: str, number: int) -> tuple[float, float]:
    try:
        x, y = map(float, text.split())
    except ValueError:
        x = y = math.nan
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ParameterError(
            f'{NAME}: ring {number}: {shown(text.strip())} is no corner; expected {FORM}'
        )
    return x, y


def _area(ring: Ring) -> float:
    """Return the area [m^2], by the shoelace formula."""
    ends = [*ring[1:], ring[0]]
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ends, strict=True))) / 2.0


def _crossing(ring: Ring) -> tuple[int, int] | None:
    """Return the numbers of two edges that cross each other, None if none do."""
    edges = list(zip(ring, [*ring[1:], ring[0]], strict=True))
    for j in range(len(edges)):
        for i in range(j):
            if _cross(*edges[i], *edges[j]):
                return i, j
    return None


def _cross(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], d: tuple[float, float]
) -> bool:
    """Return whether the inner parts of a-b and c-d cross."""
    return (_side(a, b, c) * _side(a, b, d) < 0.0) and (_side(c, d, a) * _side(c, d, b) < 0.0)


def _side(a: tuple[float, float], b: tuple[float, float], p: tuple[float, float]) -> float:
    """Return a number that is positive left of the line from a to b."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
