"""A polygon with holes as edges (x0, y0, x1, y1) [m]."""

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
