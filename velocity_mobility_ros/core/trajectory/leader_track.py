"""A virtual leader whose way is computed in advance, as far as it is asked for.

A vehicle that is too far behind makes its leader wait; the way itself does not depend on the
vehicle. So one table of positions and velocities serves a node, a loop and compiled code.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.polyline.codes import FINISHED, MOVED
from velocity_mobility_ros.core.polyline.errors import PolylineError
from velocity_mobility_ros.core.polyline.follower import check_settings
from velocity_mobility_ros.core.polyline.path import Polyline
from velocity_mobility_ros.core.polyline.records import FollowSettings, start_state
from velocity_mobility_ros.core.polyline.replay import Track, replay_step, start_of
from velocity_mobility_ros.core.trajectory.leader_rows import COLUMNS, LeaderFlight, fly_rows
from velocity_mobility_ros.core.trajectory.stages import stages

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
