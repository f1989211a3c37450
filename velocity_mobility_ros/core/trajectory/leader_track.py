"""The way of a virtual leader in advance: its position and velocity at every step.

A vehicle that is too far behind makes its leader wait; the way itself does not depend on the
vehicle. So one table of positions and velocities serves a node, a loop and compiled code.

A recorded track is replayed linearly between its poses, exactly at their times.

    position = p0 + (p1 - p0) s,  attitude = slerp(q0, q1, s),  s = (t - t0) / (t1 - t0)

Before the first pose and after the last one the body holds. Source: do-nothing behaviour of
scenario_simulator_v2 (Tier IV), for entities that only follow a recording; slerp by Shoemake,
Animating rotation with quaternion curves, 1985.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from velocity_mobility_ros.core.coordinate_frames import unit
from velocity_mobility_ros.core.trajectory.polyline import Polyline, polyline
from velocity_mobility_ros.core.trajectory.polyline_follower import check_settings, follow_step
from velocity_mobility_ros.core.trajectory.polyline_geometry import (
    attitude_along,
    difference,
    distance,
    heading,
    norm,
    scaled,
    turn_between,
)
from velocity_mobility_ros.core.trajectory.polyline_records import (
    FINISHED,
    LEVEL,
    MOVED,
    NOT_A_REPLAY,
    Attitude,
    FollowSettings,
    PathState,
    PolylineError,
    start_state,
)
from velocity_mobility_ros.core.trajectory.polyline_step import with_time
from velocity_mobility_ros.core.trajectory.virtual_leader import stages
from velocity_mobility_ros.core.velocity_model import Vector

NEARLY_PARALLEL = 0.9995
"""Cosine between two quaternions from which they are blended linearly."""


class ReplayState(NamedTuple):
    """A replayed body.

    Attributes:
        time: Time [s].
        position: Position [m].
        attitude: Rotation from the body to the world (x, y, z, w).
        speed: Speed [m/s] on the present segment.
        yaw_rate: Yaw rate [rad/s] on it.
        acceleration: Change of the speed since the step before [m/s^2].
        jerk: Change of the acceleration since then [m/s^3].
    """

    time: float
    position: Vector
    attitude: Attitude
    speed: float
    yaw_rate: float
    acceleration: float
    jerk: float


class Track(NamedTuple):
    """A recorded track that was checked by ``track``.

    Attributes:
        vertices: Float64 array, (n, 4): x, y, z [m] and time [s].
        attitudes: Float64 array, (n, 4): x, y, z, w.
    """

    vertices: NDArray[np.float64]
    attitudes: NDArray[np.float64]


def track(
    rows: Sequence[Sequence[float]] | NDArray[np.float64],
    attitudes: Sequence[Attitude] = (),
    entity: str = '',
) -> Track:
    """Return a checked track.

    Args:
        rows: One pose a row: x, y, z [m] and time [s].
        attitudes: Its attitude, x, y, z, w; none: along the segments.
        entity: What follows it, for the error.

    Raises:
        PolylineError: There are fewer than 2 poses, one is untimed or not finite, times do not
            increase, or there is another number of attitudes.
    """
    vertices = polyline(rows, entity=entity).vertices
    times = vertices[:, 3]
    if np.isnan(times).any():
        raise PolylineError(NOT_A_REPLAY, entity, int(np.isnan(times).argmax()), 'untimed')
    if not times[1] > times[0]:
        raise PolylineError(NOT_A_REPLAY, entity, 1, f'{times[1]:g} s after {times[0]:g} s')
    if attitudes and len(attitudes) != len(vertices):
        detail = f'{len(attitudes)} attitudes, {len(vertices)} positions'
        raise PolylineError(NOT_A_REPLAY, entity, None, detail)
    given = [unit(one) for one in attitudes] or _attitudes_along(vertices)
    return Track(vertices, np.array(given))


def _attitudes_along(vertices: NDArray[np.float64]) -> list[Attitude]:
    """Return the attitudes along the segments; the last one holds to the end."""
    found: list[Attitude] = []
    for a, b in zip(vertices[:-1, :3].tolist(), vertices[1:, :3].tolist(), strict=True):
        way = difference(tuple(b), tuple(a))
        found.append(attitude_along(way) if norm(way) > 0.0 else (found or [LEVEL])[-1])
    return [*found, found[-1]]


def replay_step(vertices: Any, attitudes: Any, before: ReplayState, time: float) -> ReplayState:
    """Return a replayed body at a time [s].

    Args:
        vertices: ``Track.vertices``.
        attitudes: ``Track.attitudes``.
        before: The body a step before.
        time: The time, later than that.
    """
    i = _segment(vertices, time)
    if i < 0 or i + 1 >= len(vertices):
        row = max(i, 0)
        return _replayed(before, time, _place(vertices, row), _turn(attitudes, row), 0.0, 0.0)
    a, b = _place(vertices, i), _place(vertices, i + 1)
    p, q = _turn(attitudes, i), _turn(attitudes, i + 1)
    lasts = float(vertices[i + 1, 3] - vertices[i, 3])
    share = (time - float(vertices[i, 3])) / lasts
    x, y, z = scaled(difference(b, a), share)
    position = a[0] + x, a[1] + y, a[2] + z
    yaw_rate = turn_between(p, q)[2] / lasts
    return _replayed(before, time, position, slerp(p, q, share), distance(a, b) / lasts, yaw_rate)


def start_of(vertices: Any, attitudes: Any, time: float) -> ReplayState:
    """Return the body at rest at the first pose, at a time [s]."""
    return ReplayState(time, _place(vertices, 0), _turn(attitudes, 0), 0.0, 0.0, 0.0, 0.0)


def slerp(p: Attitude, q: Attitude, share: float) -> Attitude:
    """Return the attitude at a share of the shortest turn from ``p`` to ``q``."""
    cosine = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]
    sign = -1.0 if cosine < 0.0 else 1.0
    cosine = min(abs(cosine), 1.0)
    first, second = 1.0 - share, share
    if cosine < NEARLY_PARALLEL:
        angle = math.acos(cosine)
        first = math.sin(first * angle) / math.sin(angle)
        second = math.sin(second * angle) / math.sin(angle)
    second *= sign
    x, y = first * p[0] + second * q[0], first * p[1] + second * q[1]
    z, w = first * p[2] + second * q[2], first * p[3] + second * q[3]
    length = math.sqrt(x * x + y * y + z * z + w * w)
    return x / length, y / length, z / length, w / length


def _segment(vertices: Any, time: float) -> int:
    """Return the last row whose time is not after a time [s], -1 if there is none."""
    low, high = -1, len(vertices)
    while high - low > 1:
        middle = (low + high) // 2
        if vertices[middle, 3] <= time:
            low = middle
        else:
            high = middle
    return low


def _place(vertices: Any, row: int) -> Vector:
    return float(vertices[row, 0]), float(vertices[row, 1]), float(vertices[row, 2])


def _turn(attitudes: Any, row: int) -> Attitude:
    x, y, z, w = attitudes[row, 0], attitudes[row, 1], attitudes[row, 2], attitudes[row, 3]
    return float(x), float(y), float(z), float(w)


def _replayed(
    before: ReplayState,
    time: float,
    position: Vector,
    attitude: Attitude,
    speed: float,
    yaw_rate: float,
) -> ReplayState:
    dt = time - before.time
    acceleration = (speed - before.speed) / dt
    jerk = (acceleration - before.acceleration) / dt
    return ReplayState(time, position, attitude, speed, yaw_rate, acceleration, jerk)


COLUMNS = 6
"""Columns of a row: position [m] and velocity [m/s], x, y and z each."""


class LeaderFlight(NamedTuple):
    """A leader after some steps.

    Attributes:
        state: The leader.
        code: MOVED, FINISHED at the end of the polyline, or why it cannot go on.
        rows: Number of rows that were written.
    """

    state: PathState
    code: int
    rows: int


def fly_rows(
    vertices: Any, state: PathState, settings: FollowSettings, first: int, rows: Any
) -> LeaderFlight:
    """Fly on along a polyline, and write the leader before every step into a row.

    Args:
        vertices: ``Polyline.vertices``.
        state: The leader.
        settings: How it follows.
        first: Number of steps that it has made; its time is that number times ``settings.dt``.
        rows: Gets the rows; float64 array, (n, 6).
    """
    for k in range(len(rows)):
        state = with_time(state, (first + k) * settings.dt)
        write_row(state, rows[k])
        found = follow_step(vertices, state, settings)
        if found.code != MOVED:
            return LeaderFlight(state, found.code, k + 1)
        state = found.state
    return LeaderFlight(state, MOVED, len(rows))


def write_row(state: PathState, row: Any) -> None:
    """Write position and velocity of a leader."""
    ahead = heading(state.attitude)
    for k in range(3):
        row[k] = state.position[k]
        row[3 + k] = state.speed * ahead[k]


BLOCK = 32
"""Rows that are computed at once: about 2 ms of compiled code."""


class LeaderTrack:
    """The rows of a leader: position [m] and velocity [m/s] at every step, at rest at the start.

    Attributes:
        rows: Those computed so far; float64 array, (n, 6).
        ended: Whether the last row is the end of the path.
    """

    def __init__(
        self,
        path: Polyline,
        settings: FollowSettings,
        fly: Callable[..., LeaderFlight] = fly_rows,
    ) -> None:
        """Begin at the first vertex.

        Args:
            path: The polyline.
            settings: How it is followed.
            fly: ``fly_rows``, or the same function compiled.

        Raises:
            PolylineError: The settings are invalid.
        """
        check_settings(settings)
        self._settings, self._fly = settings, fly
        self._stages = iter(stages(path))
        x, y, z = path.vertices[0, :3].tolist()
        self._begin(next(self._stages), (x, y, z))
        self.rows: NDArray[np.float64] = np.empty((0, COLUMNS))
        self.ended = False

    def reach(self, count: int) -> None:
        """Compute at least so many rows, or to the end of the path.

        Raises:
            PolylineError: The polyline cannot be followed.
        """
        while not self.ended and len(self.rows) < count:
            self._go_on(max(BLOCK, count - len(self.rows)))

    def _begin(self, stage: Polyline, position: Vector) -> None:
        self._vertices = stage.vertices
        self._state = start_state(0.0, position, stage.start)

    def _go_on(self, count: int) -> None:
        rows = np.empty((count, COLUMNS))
        first = len(self.rows)
        found = self._fly(self._vertices, self._state, self._settings, first, rows)
        if found.code not in (MOVED, FINISHED):
            raise PolylineError(found.code, '', None, f'at {found.state.time:.3f} s')
        self._state, written = found.state, found.rows
        if found.code == FINISHED:
            after = next(self._stages, None)
            self.ended = after is None
            if after is not None:
                written -= 1  # the next stage begins with this row
                self._begin(after, found.state.position)
        self.rows = np.concatenate((self.rows, rows[:written]))


class RecordedTrack:
    """The rows of a leader that repeats a recording; otherwise as ``LeaderTrack``.

    A velocity is that of the way to the next row; in the last row it is 0.
    """

    ended = True

    def __init__(self, track: Track, dt: float) -> None:
        """Compute all rows.

        Args:
            track: The recording; its times count from the start.
            dt: Step [s].
        """
        vertices, attitudes = track
        steps = math.ceil(float(vertices[-1, 3]) / dt) + 1
        state = start_of(vertices, attitudes, -dt)
        self.rows: NDArray[np.float64] = np.zeros((steps + 1, COLUMNS))
        for k in range(steps + 1):
            state = replay_step(vertices, attitudes, state, k * dt)
            self.rows[k, :3] = state.position
        self.rows[:-1, 3:] = np.diff(self.rows[:, :3], axis=0) / dt

    def reach(self, count: int) -> None:
        """Do nothing: all rows are there."""
