"""The way of a virtual leader in advance: its position and velocity at every step.

A vehicle that is too far behind makes its leader wait; the way itself does not depend on the
vehicle. So one table of positions and velocities serves a node, a loop and compiled code.

A recorded track is replayed linearly between its poses, exactly at their times.

    position = p0 + (p1 - p0) s,  s = (t - t0) / (t1 - t0)

Before the first pose and after the last one the body holds. Source: do-nothing behaviour of
scenario_simulator_v2 (Tier IV), for entities that only follow a recording.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from velocity_mobility_ros.core.trajectory.polyline import Polyline, heading, polyline
from velocity_mobility_ros.core.trajectory.polyline_follower import check_settings, follow_step
from velocity_mobility_ros.core.trajectory.polyline_records import (
    FINISHED, MOVED, FollowSettings, PathState, PolylineError, error_of, start_state
)
from velocity_mobility_ros.core.trajectory.polyline_step import placed
from velocity_mobility_ros.core.trajectory.virtual_leader import stages
from velocity_mobility_ros.core.velocity_model import Vector


class TimedTrack(NamedTuple):
    """A recorded track that was checked by ``track``.

    Attributes:
        vertices: Float64 array, (n, 4): x, y, z [m] and time [s].
    """

    vertices: NDArray[np.float64]


def track(rows: Sequence[Sequence[float]] | NDArray[np.float64], entity: str = '') -> TimedTrack:
    """Return a checked track.

    Args:
        rows: One pose a row: x, y, z [m] and time [s].
        entity: What follows it, for the error.

    Raises:
        PolylineError: There are fewer than 2 poses, one is untimed or not finite, or times do not
            increase.
    """
    vertices = polyline(rows, entity=entity).vertices
    times = vertices[:, 3]
    if np.isnan(times).any():
        text = 'a replay needs 2 vertices, all of them timed'
        raise PolylineError('NOT_A_REPLAY', text, entity, int(np.isnan(times).argmax()))
    if not times[1] > times[0]:
        text = f'its time must be after that of the first one, {times[0]:g} s ({times[1]:g} s)'
        raise PolylineError('NOT_A_REPLAY', text, entity, 1)
    return TimedTrack(vertices)


def places_at(vertices: NDArray[np.float64], times: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the positions (k, 3) [m] of a recording (n, 4) at some times (k,) [s]."""
    previous = np.searchsorted(vertices[:, 3], times, 'right') - 1
    i = np.clip(previous, 0, len(vertices) - 2)
    a, b = vertices[i], vertices[i + 1]
    share = (times - a[:, 3]) / (b[:, 3] - a[:, 3])
    between = a[:, :3] + (b[:, :3] - a[:, :3]) * share[:, None]
    ends = vertices[np.where(previous < 0, 0, -1), :3]
    return np.where((previous == i)[:, None], between, ends)


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
        time = (first + k) * settings.dt
        state = placed(state, time, state.position, state.progress)
        write_row(state, rows[k])
        followed = follow_step(vertices, state, settings)
        if followed.code != MOVED:
            return LeaderFlight(state, followed.code, k + 1)
        state = followed.state
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
        self._begin(next(self._stages).path, (x, y, z))
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
        flight = self._fly(self._vertices, self._state, self._settings, first, rows)
        if flight.code not in (MOVED, FINISHED):
            raise error_of(flight.code, flight.state.time)
        self._state, written = flight.state, flight.rows
        if flight.code == FINISHED:
            following = next(self._stages, None)
            self.ended = following is None
            if following is not None:
                written -= 1  # the next stage begins with this row
                self._begin(following.path, flight.state.position)
        self.rows = np.concatenate((self.rows, rows[:written]))


class RecordedTrack:
    """The rows of a leader that repeats a recording; otherwise as ``LeaderTrack``.

    A velocity is that of the way to the next row; in the last row it is 0.
    """

    ended = True

    def __init__(self, track: TimedTrack, dt: float) -> None:
        """Compute all rows.

        Args:
            track: The recording; its times count from the start.
            dt: Step [s].
        """
        steps = math.ceil(float(track.vertices[-1, 3]) / dt) + 1
        self.rows: NDArray[np.float64] = np.zeros((steps + 1, COLUMNS))
        self.rows[:, :3] = places_at(track.vertices, dt * np.arange(steps + 1, dtype=np.float64))
        self.rows[:-1, 3:] = np.diff(self.rows[:, :3], axis=0) / dt

    def reach(self, count: int) -> None:
        """Do nothing: all rows are there."""
