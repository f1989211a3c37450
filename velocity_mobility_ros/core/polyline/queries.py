"""Questions to a polyline: distances and remaining times. Rows of vertices are x, y, z, time."""

import math
from typing import Any

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.polyline.constants import MACHINE_EPSILON
from velocity_mobility_ros.core.polyline.records import PathProgress

Vertices = Any
"""Float64 array, (n, 4): x, y, z [m] and arrival time [s], NaN for none."""


def row_of(vertices: Vertices, progress: PathProgress, i: int) -> int:
    """Return the row of vertex ``i``; 0 is the previous vertex, 1 the next one."""
    return (progress.first + i) % len(vertices)


def vertex(vertices: Vertices, progress: PathProgress, i: int) -> Vector:
    """Return the position [m] of vertex ``i``."""
    row = row_of(vertices, progress, i)
    return float(vertices[row, 0]), float(vertices[row, 1]), float(vertices[row, 2])


def is_timed(vertices: Vertices, progress: PathProgress, i: int) -> bool:
    """Return whether vertex ``i`` has an arrival time that still counts."""
    if progress.passed + i <= progress.waived:
        return False
    return not math.isnan(vertices[row_of(vertices, progress, i), 3])


def timed_index(vertices: Vertices, progress: PathProgress) -> int:
    """Return the smallest ``i >= 1`` of a timed vertex, 0 if there is none."""
    for i in range(1, progress.left):
        if is_timed(vertices, progress, i):
            return i
    return 0


def arrival_time(vertices: Vertices, progress: PathProgress, i: int) -> float:
    """Return the arrival time [s] of vertex ``i`` as written, NaN for none."""
    base = 0.0 if math.isnan(progress.base_time) else progress.base_time
    return base + float(vertices[row_of(vertices, progress, i), 3])


def remaining_time(vertices: Vertices, progress: PathProgress, i: int, time: float) -> float:
    """Return the time [s] until vertex ``i`` is due, NaN if it is untimed; never exactly 0."""
    if i == 0 or not is_timed(vertices, progress, i):
        return math.nan
    remaining = arrival_time(vertices, progress, i) - time
    return MACHINE_EPSILON if remaining == 0.0 else remaining


def distance(a: Vector, b: Vector) -> float:
    """Return the distance [m] between two points."""
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return math.sqrt(x * x + y * y + z * z)


def distance_along(vertices: Vertices, progress: PathProgress, position: Vector, i: int) -> float:
    """Return the distance [m] to vertex ``i >= 1``: to the next one, and on along the polyline."""
    total = distance(position, vertex(vertices, progress, 1))
    for k in range(1, i):
        total += distance(vertex(vertices, progress, k + 1), vertex(vertices, progress, k))
    return total


def planning_index(progress: PathProgress, timed: int) -> int:
    """Return the vertex to plan for: the nearest timed one, else the last."""
    return timed if timed > 0 else progress.left - 1


def is_braking(progress: PathProgress, timed: int) -> bool:
    """Return whether to come to rest at the vertex that is planned for."""
    return timed in (0, progress.left - 1)


def is_less(a: float, b: float) -> bool:
    """Return whether ``a`` is less than ``b`` by more than rounding; False for NaN."""
    return b - a > MACHINE_EPSILON * max(abs(a), abs(b))
