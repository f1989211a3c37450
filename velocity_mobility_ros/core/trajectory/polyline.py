"""A checked polyline, what its arrival times count from, and whether there is time enough.

The check of arrival times before a flight asks: is there time to go from rest to rest on every
leg?

A leg is the way from one timed vertex to the next. With A, J the smaller ones of both limits of
acceleration and jerk, V the largest speed and d the length of the leg, the shortest time is

    d >= V T_acc(V):   2 T_acc + (d - V T_acc) / V,  T_acc = V / A + A / J or 2 sqrt(V / J)
    d >= 2 A^3 / J^2:  2 (v / A + A / J),  v = (-A^2 / J + sqrt(A^4 / J^2 + 4 A d)) / 2
    else:              4 (d / (2 J))^(1/3)

Source: double S profile, Biagiotti and Melchiorri, Trajectory Planning for Automatic Machines and
Robots, 2008, section 3.4. The search over a grid of accelerations needs a little more than that.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from velocity_mobility_ros.core.parameter_declaration import LARGEST_COORDINATE
from velocity_mobility_ros.core.trajectory.polyline_geometry import distance
from velocity_mobility_ros.core.trajectory.polyline_records import (
    CLOSED_TOO_SHORT,
    CLOSED_WITHOUT_BASE,
    ENDLESS_ADVANCE,
    NOT_A_POLYLINE,
    TIMES_NOT_INCREASING,
    TOO_FEW_VERTICES,
    VERTEX_ANY,
    VERTEX_TIME,
    FollowSettings,
    PathProgress,
    PolylineError,
    SpeedLimits,
    start_progress,
)


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


RESERVE = 0.05
"""Share of the shortest time that is kept in reserve."""

RESERVE_STEPS = 3.0
"""Steps that are kept in reserve."""


class Shortfall(NamedTuple):
    """A timed vertex that cannot be reached in time.

    Attributes:
        vertex: Its index, counted from 0.
        time: Its arrival time [s], as written.
        length: Length [m] of the leg that ends there.
        needed: Time [s] that the leg needs.
        available: Time [s] that there is.
    """

    vertex: int
    time: float
    length: float
    needed: float
    available: float

    def __str__(self) -> str:
        """Return one line that names the vertex, its time and what is missing."""
        return (
            f'vertex {self.vertex} at {self.time:g} s: {self.length:.3g} m from the one before '
            f'need {self.needed:.3g} s, there are {self.available:.3g} s, '
            f'{self.needed - self.available:.3g} s too few; give it more time or raise the limits'
        )


def acceleration_time(speed: float, acceleration: float, jerk: float) -> float:
    """Return the shortest time [s] from rest to a constant speed [m/s]."""
    if speed >= acceleration * acceleration / jerk:
        return speed / acceleration + acceleration / jerk
    return 2.0 * math.sqrt(speed / jerk)


def shortest_time(length: float, limits: SpeedLimits) -> float:
    """Return the shortest time [s] from rest to rest over a length [m]."""
    speed = limits.max_speed
    a = min(limits.max_acceleration, limits.max_deceleration)
    j = min(limits.acceleration_rate, limits.deceleration_rate)
    ramp = acceleration_time(speed, a, j)
    if length >= speed * ramp:
        return 2.0 * ramp + (length - speed * ramp) / speed
    if length >= 2.0 * a * a * a / (j * j):
        k = a * a / j
        peak = (-k + math.sqrt(k * k + 4.0 * a * length)) / 2.0
        return 2.0 * (peak / a + a / j)
    return 4.0 * math.exp(math.log(length / (2.0 * j)) / 3.0) if length > 0.0 else 0.0


def needed_time(length: float, settings: FollowSettings) -> float:
    """Return the time [s] for a leg of a length [m], with a reserve."""
    reserve = RESERVE_STEPS * settings.dt
    return shortest_time(length, settings.limits) * (1.0 + RESERVE) + reserve


def first_shortfall(path: Polyline, settings: FollowSettings, start: float) -> Shortfall | None:
    """Return the first timed vertex for which there is too little time, None if there is none.

    A leg after a timed vertex begins with the speed at which that is passed. So the last leg may
    be too short to stop in.

    Args:
        path: The polyline.
        settings: How it is followed.
        start: Time [s] of the start, at rest at the first vertex.
    """
    rows = path.vertices.tolist()
    is_relative = not math.isnan(path.base_time)
    length, before = 0.0, start
    for i in range(1, len(rows)):
        length += distance(tuple(rows[i - 1][:3]), tuple(rows[i][:3]))
        time = rows[i][3]
        if math.isnan(time):
            continue
        due = before + time if is_relative else time
        needed = needed_time(length, settings)
        if needed > due - before:
            return Shortfall(i, time, length, needed, due - before)
        length, before = 0.0, due
    return None
