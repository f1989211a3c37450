"""A checked polyline, its geometry, and whether there is time enough.

Rows of vertices are x, y, z, time. An attitude along a polyline points forward along a segment,
without roll.

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
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from velocity_mobility_ros.core.coordinate_frames import inverse, multiply, rotate
from velocity_mobility_ros.core.parameter_declaration import LARGEST_COORDINATE
from velocity_mobility_ros.core.trajectory.polyline_records import (
    MACHINE_EPSILON, NON_FINITE_ACCELERATION_LIMIT, NON_FINITE_STATE, NON_FINITE_VERTEX,
    TOO_FEW_VERTICES, Attitude, FollowSettings, PathProgress, PathState, PolylineError,
    SpeedLimits, start_progress
)
from velocity_mobility_ros.core.velocity_model import Vector

ROWS = 'vertices must be rows of x, y, z, time'


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

    Example:
        >>> polyline([(0.0, 0.0, 0.0, 0.0), (10.0, 0.0, 0.0, 4.0)]).vertices.tolist()
        [[0.0, 0.0, 0.0, 0.0], [10.0, 0.0, 0.0, 4.0]]
    """
    vertices = _array(rows, entity)
    if len(vertices) < 2:
        text = f'a polyline needs 2 vertices, before and after the start ({len(vertices)} given)'
        raise PolylineError('TOO_FEW_VERTICES', text, entity)
    _check_vertices(vertices, entity)
    _check_times(vertices, base_time, closed, entity)
    if closed:
        _check_closed(vertices, entity)
    vertices.setflags(write=False)
    return Polyline(vertices, base_time, closed)


def _array(rows: Any, entity: str) -> NDArray[np.float64]:
    try:
        vertices = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise PolylineError('NOT_A_POLYLINE', f'{ROWS} ({error})', entity) from None
    if vertices.size == 0:
        return np.empty((0, 4))
    if vertices.ndim != 2 or vertices.shape[1] != 4:
        raise PolylineError('NOT_A_POLYLINE', f'{ROWS} (shape {vertices.shape})', entity)
    return vertices


def _check_vertices(vertices: NDArray[np.float64], entity: str) -> None:
    for i, (x, y, z, time) in enumerate(vertices.tolist()):
        if not all(abs(part) <= LARGEST_COORDINATE for part in (x, y, z)):
            text = 'its position must be finite and at most 1e+09 m'
            text = f'{text} ({x:g}, {y:g}, {z:g})'
            raise PolylineError('NON_FINITE_VERTEX', text, entity, i)
        if math.isinf(time):
            text = f'its time must be finite, or missing ({time:g} s)'
            raise PolylineError('NON_FINITE_VERTEX', text, entity, i)


def _check_times(
    vertices: NDArray[np.float64], base_time: float, closed: bool, entity: str
) -> None:
    """Check the times; relative ones count from the timed vertex before, so all are above 0."""
    is_relative = not math.isnan(base_time)
    first = 0 if closed else 1
    timed = [(i, float(vertices[i, 3])) for i in range(first, len(vertices))]
    timed = [(i, time) for i, time in timed if not math.isnan(time)]
    if closed and timed and not is_relative:
        text = 'times of a closed polyline must count from a base time'
        raise PolylineError('CLOSED_WITHOUT_BASE', text, entity, timed[0][0])
    previous = -math.inf
    for i, time in timed:
        text = ''
        if is_relative and time <= 0.0 and (closed or len(timed) > 1):
            text = f'{time:g} s after it'
        if not is_relative and time <= previous:
            text = f'{time:g} s, {previous:g} s before'
        if text:
            text = f'its time must be after that of the timed vertex before ({text})'
            raise PolylineError('TIMES_NOT_INCREASING', text, entity, i)
        previous = time


def _check_closed(vertices: NDArray[np.float64], entity: str) -> None:
    if len(vertices) < 3:
        text = f'a closed polyline needs 3 vertices ({len(vertices)} given)'
        raise PolylineError('CLOSED_TOO_SHORT', text, entity)
    if (vertices[:, :3] == vertices[0, :3]).all():
        text = 'all vertices are at one place, passed in one step'
        raise PolylineError('ENDLESS_ADVANCE', text, entity, 0)


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
    """Return the smallest ``i >= 1`` of a timed vertex, 0 if there is none.

    Example:
        >>> path = polyline([(0.0, 0.0, 0.0, 0.0), (10.0, 0.0, 0.0, 4.0)])
        >>> timed_index(path.vertices, path.start)
        1
    """
    for i in range(1, progress.left):
        if is_timed(vertices, progress, i):
            return i
    return 0


def arrival_time(vertices: Vertices, progress: PathProgress, i: int) -> float:
    """Return the arrival time [s] of vertex ``i`` as written, NaN for none.

    Example:
        >>> path = polyline([(0.0, 0.0, 0.0, 0.0), (10.0, 0.0, 0.0, 4.0)])
        >>> arrival_time(path.vertices, path.start, 1)
        4.0
    """
    base = 0.0 if math.isnan(progress.base_time) else progress.base_time
    return base + float(vertices[row_of(vertices, progress, i), 3])


def remaining_time(vertices: Vertices, progress: PathProgress, i: int, time: float) -> float:
    """Return the time [s] until vertex ``i`` is due, NaN if it is untimed; never exactly 0.

    Example:
        >>> path = polyline([(0.0, 0.0, 0.0, 0.0), (10.0, 0.0, 0.0, 4.0)])
        >>> remaining_time(path.vertices, path.start, 1, 3.0)
        1.0
    """
    if i == 0 or not is_timed(vertices, progress, i):
        return math.nan
    remaining = arrival_time(vertices, progress, i) - time
    return MACHINE_EPSILON if remaining == 0.0 else remaining


def distance_along(vertices: Vertices, progress: PathProgress, position: Vector, i: int) -> float:
    """Return the distance [m] to vertex ``i >= 1``: to the next one, and on along the polyline.

    Example:
        >>> path = polyline([(0.0, 0.0, 0.0, 0.0), (10.0, 0.0, 0.0, 4.0)])
        >>> distance_along(path.vertices, path.start, (4.0, 0.0, 0.0), 1)
        6.0
    """
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


FORWARD: Vector = (1.0, 0.0, 0.0)


def norm(vector: Vector) -> float:
    """Return the length of a vector, in its own unit."""
    x, y, z = vector
    return math.sqrt(x * x + y * y + z * z)


def distance(a: Vector, b: Vector) -> float:
    """Return the distance [m] between two points."""
    return norm(difference(a, b))


def difference(a: Vector, b: Vector) -> Vector:
    """Return ``a - b``."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scaled(vector: Vector, factor: float) -> Vector:
    """Return a vector times a factor."""
    return vector[0] * factor, vector[1] * factor, vector[2] * factor


def unit_vector(vector: Vector) -> Vector:
    """Return the direction of a vector that is not zero."""
    length = norm(vector)
    return vector[0] / length, vector[1] / length, vector[2] / length


def inner(a: Vector, b: Vector) -> float:
    """Return the scalar product of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def attitude_along(vector: Vector) -> Attitude:
    """Return the attitude of a body that looks along a vector: yaw, then pitch, no roll."""
    yaw = math.atan2(vector[1], vector[0])
    level = math.sqrt(vector[0] * vector[0] + vector[1] * vector[1])
    pitch = math.atan2(-vector[2], level)
    sy, cy = math.sin(yaw / 2.0), math.cos(yaw / 2.0)
    sp, cp = math.sin(pitch / 2.0), math.cos(pitch / 2.0)
    return -sy * sp, cy * sp, sy * cp, cy * cp


def heading(attitude: Attitude) -> Vector:
    """Return the direction in which a body looks, a unit vector."""
    return rotate(attitude, FORWARD)


def roll_pitch_yaw(attitude: Attitude) -> Vector:
    """Return the angles [rad] of a unit quaternion; yaw is applied first."""
    x, y, z, w = attitude
    roll = math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    pitch = math.asin(min(max(2.0 * (w * y - z * x), -1.0), 1.0))
    yaw = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    return roll, pitch, yaw


def turn_between(before: Attitude, after: Attitude) -> Vector:
    """Return roll, pitch and yaw [rad] of the turn from one attitude to the next."""
    return roll_pitch_yaw(multiply(inverse(before), after))


def is_finite(vector: Vector) -> bool:
    """Return whether all components are finite."""
    return math.isfinite(vector[0]) and math.isfinite(vector[1]) and math.isfinite(vector[2])


def fault(vertices: Vertices, state: PathState, settings: FollowSettings) -> int:
    """Return the code of the first fault of body, vertices and limits, else 0."""
    numbers = state.speed + state.acceleration
    is_sound = is_finite(state.position) and math.isfinite(numbers)
    if not (is_sound and is_finite(state.angular_velocity)):
        return NON_FINITE_STATE
    if not is_finite(state.angular_acceleration):
        return NON_FINITE_STATE
    progress, limits, dt = state.progress, settings.limits, settings.dt
    if progress.left < 2:
        return TOO_FEW_VERTICES
    if not (is_finite(vertex(vertices, progress, 0)) and is_finite(vertex(vertices, progress, 1))):
        return NON_FINITE_VERTEX
    most = min(state.acceleration + limits.acceleration_rate * dt, limits.max_acceleration)
    least = max(state.acceleration - limits.deceleration_rate * dt, -limits.max_deceleration)
    if not (math.isfinite(most) and math.isfinite(least)):
        return NON_FINITE_ACCELERATION_LIMIT
    return 0


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
    length, previous = 0.0, start
    for i in range(1, len(rows)):
        length += distance(tuple(rows[i - 1][:3]), tuple(rows[i][:3]))
        time = rows[i][3]
        if math.isnan(time):
            continue
        due = previous + time if is_relative else time
        needed = needed_time(length, settings)
        if needed > due - previous:
            return Shortfall(i, time, length, needed, due - previous)
        length, previous = 0.0, due
    return None
