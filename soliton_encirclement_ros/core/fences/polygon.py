"""A polygon with holes as edges (x0, y0, x1, y1) [m]."""

import math
from collections.abc import Sequence

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
