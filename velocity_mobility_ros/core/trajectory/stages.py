"""A polyline in stages: a body stops where it is to wait.

The rules of polylines stop only at the last vertex. So a polyline with waits, two vertices in a
row at one place, is followed stage by stage: to the place, at the place, and on from it.
"""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from velocity_mobility_ros.core.polyline.path import Polyline, polyline


class Stage(NamedTuple):
    """A stage of a path, and the number of its first vertex."""

    first: int
    path: Polyline


def stages(path: Polyline) -> list[Polyline]:
    """Return the stages of a polyline; one that is closed or has relative times has only one."""
    vertices = path.vertices
    if path.closed or not math.isnan(path.base_time):
        return [path]
    waits = np.flatnonzero((vertices[1:, :3] == vertices[:-1, :3]).all(axis=1)) + 1
    cuts = sorted({0, len(vertices) - 1, *waits.tolist(), *(waits - 1).tolist()})
    return [polyline(vertices[a : b + 1]) for a, b in pairwise(cuts)]


def numbered(path: Polyline | None) -> tuple[Stage, ...]:
    """Return the stages of a path; none without one."""
    first, found = 0, []
    for one in [] if path is None else stages(path):
        found.append(Stage(first, one))
        first += len(one.vertices) - 1
    return tuple(found)
