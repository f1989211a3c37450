"""A checked polyline, and what its arrival times count from."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from velocity_mobility_ros.core.magnitudes import LARGEST_COORDINATE
from velocity_mobility_ros.core.polyline.codes import (
    CLOSED_TOO_SHORT,
    CLOSED_WITHOUT_BASE,
    ENDLESS_ADVANCE,
    NOT_A_POLYLINE,
    TIMES_NOT_INCREASING,
    TOO_FEW_VERTICES,
    VERTEX_ANY,
    VERTEX_TIME,
)
from velocity_mobility_ros.core.polyline.errors import PolylineError
from velocity_mobility_ros.core.polyline.records import PathProgress, start_progress


class Polyline(NamedTuple):
    """A polyline that was checked by ``polyline``.

    Attributes:
        vertices: Float64 array, (n, 4): x, y, z [m] and arrival time [s], NaN for none. The first
            vertex is the one before the start, which is never flown to.
        base_time: Time [s] from which arrival times count, then from that of the last timed
            vertex; NaN: they are absolute.
        closed: Whether the first vertex follows the last one.
    """

    vertices: NDArray[np.float64]
    base_time: float
    closed: bool

    @property
    def start(self) -> PathProgress:
        """The progress at its start."""
        return start_progress(len(self.vertices), self.base_time, self.closed)


def polyline(
    rows: Sequence[Sequence[float]] | NDArray[np.float64],
    base_time: float = math.nan,
    closed: bool = False,
    entity: str = '',
) -> Polyline:
    """Return a checked polyline.

    Args:
        rows: One vertex a row: x, y, z [m] and arrival time [s], NaN for none.
        base_time: Time [s] from which the times count; NaN: they are absolute.
        closed: Whether the first vertex follows the last one.
        entity: What follows it, for the error.

    Raises:
        PolylineError: The rows have another shape, are fewer than 2, or 3 if closed; a position or
            time is not finite; times do not increase; all vertices of a closed one are equal.
    """
    vertices = _array(rows, entity)
    if len(vertices) < 2:
        raise PolylineError(TOO_FEW_VERTICES, entity, None, f'{len(vertices)} given')
    _check_vertices(vertices, entity)
    _check_times(vertices, base_time, closed, entity)
    if closed:
        _check_closed(vertices, entity)
    vertices.setflags(write=False)
    return Polyline(vertices, base_time, closed)


def _array(rows: Sequence[Sequence[float]], entity: str) -> NDArray[np.float64]:
    try:
        vertices = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise PolylineError(NOT_A_POLYLINE, entity, None, str(error)) from None
    if vertices.size == 0:
        return np.empty((0, 4))
    if vertices.ndim != 2 or vertices.shape[1] != 4:
        raise PolylineError(NOT_A_POLYLINE, entity, None, f'shape {vertices.shape}')
    return vertices


def _check_vertices(vertices: NDArray[np.float64], entity: str) -> None:
    for i, (x, y, z, time) in enumerate(vertices.tolist()):
        if not all(abs(part) <= LARGEST_COORDINATE for part in (x, y, z)):
            raise PolylineError(VERTEX_ANY, entity, i, f'{x:g}, {y:g}, {z:g}')
        if math.isinf(time):
            raise PolylineError(VERTEX_TIME, entity, i, f'{time:g} s')


def _check_times(
    vertices: NDArray[np.float64], base_time: float, closed: bool, entity: str
) -> None:
    """Check the times; relative ones count from the timed vertex before, so all are above 0."""
    is_relative = not math.isnan(base_time)
    first = 0 if closed else 1
    timed = [(i, float(vertices[i, 3])) for i in range(first, len(vertices))]
    timed = [(i, time) for i, time in timed if not math.isnan(time)]
    if closed and timed and not is_relative:
        raise PolylineError(CLOSED_WITHOUT_BASE, entity, timed[0][0])
    before = -math.inf
    for i, time in timed:
        if is_relative and time <= 0.0 and (closed or len(timed) > 1):
            raise PolylineError(TIMES_NOT_INCREASING, entity, i, f'{time:g} s after it')
        if not is_relative and time <= before:
            raise PolylineError(
                TIMES_NOT_INCREASING, entity, i, f'{time:g} s, {before:g} s before'
            )
        before = time


def _check_closed(vertices: NDArray[np.float64], entity: str) -> None:
    if len(vertices) < 3:
        raise PolylineError(CLOSED_TOO_SHORT, entity, None, f'{len(vertices)} given')
    if (vertices[:, :3] == vertices[0, :3]).all():
        raise PolylineError(ENDLESS_ADVANCE, entity, 0)
