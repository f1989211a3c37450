"""What happens to the list of vertices: one is passed, or loses its arrival time."""

import math

from velocity_mobility_ros.core.polyline.queries import (
    Vertices,
    arrival_time,
    row_of,
    timed_index,
)
from velocity_mobility_ros.core.polyline.records import PathProgress


def advanced(vertices: Vertices, progress: PathProgress, time: float) -> PathProgress:
    """Return the progress after the next vertex is passed at a time [s].

    Times that count from a base time count from now on, if the vertex has one.
    """
    base, due, lateness = progress.base_time, progress.due, progress.lateness
    if not math.isnan(vertices[row_of(vertices, progress, 1), 3]):
        due = _due(vertices, progress)
        lateness = time - due
        base = base if math.isnan(base) else time
    return PathProgress(
        (progress.first + 1) % len(vertices),
        progress.left if progress.closed else progress.left - 1,
        progress.closed,
        progress.passed + 1,
        progress.waived,
        base,
        due,
        lateness,
    )


def late(progress: PathProgress, due: float, time: float) -> PathProgress:
    """Return the progress with the lateness at a time [s] of what was due [s]."""
    return PathProgress(
        progress.first,
        progress.left,
        progress.closed,
        progress.passed,
        progress.waived,
        progress.base_time,
        due,
        time - due,
    )


def arrived(vertices: Vertices, progress: PathProgress, time: float) -> PathProgress:
    """Return the progress with the lateness [s] of the last vertex, reached at a time [s]."""
    if math.isnan(vertices[row_of(vertices, progress, 1), 3]):
        return progress
    return late(progress, _due(vertices, progress), time)


def waived(vertices: Vertices, progress: PathProgress, time: float) -> PathProgress:
    """Return the progress with the nearest timed vertex untimed, as it is overdue at a time [s].

    Times that count from a base time count from when it was due.
    """
    i = timed_index(vertices, progress)
    due = arrival_time(vertices, progress, i)
    return PathProgress(
        progress.first,
        progress.left,
        progress.closed,
        progress.passed,
        progress.passed + i,
        progress.base_time if math.isnan(progress.base_time) else due,
        due,
        time - due,
    )


def is_waived(progress: PathProgress) -> bool:
    """Return whether a vertex ahead was missed."""
    return progress.waived > progress.passed


def _due(vertices: Vertices, progress: PathProgress) -> float:
    """Return when the next vertex was due [s]."""
    return progress.due if is_waived(progress) else arrival_time(vertices, progress, 1)
