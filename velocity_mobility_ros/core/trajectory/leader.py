"""A virtual leader: the point that a vehicle follows along a polyline.

It has a clock of its own that may be held, it comes to rest where there is no path, and a new path
replaces the old one between two steps, without a jump of place, speed or acceleration.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.polyline.brake import brake_step
from velocity_mobility_ros.core.polyline.codes import FINISHED
from velocity_mobility_ros.core.polyline.errors import PolylineError
from velocity_mobility_ros.core.polyline.follower import check_settings, followed
from velocity_mobility_ros.core.polyline.orientation import heading, scaled
from velocity_mobility_ros.core.polyline.path import Polyline
from velocity_mobility_ros.core.polyline.queries import (
    distance_along,
    remaining_time,
    timed_index,
)
from velocity_mobility_ros.core.polyline.records import (
    FollowSettings,
    PathState,
    start_progress,
    start_state,
)


class LeaderStatus(NamedTuple):
    """What remains of a path.

    Attributes:
        vertices_left: Number of vertices ahead; 0 without a path.
        distance: Way to the last one [m]; once round, if the path is closed.
        time_to_go: Time [s] until the nearest timed vertex is due; NaN without one.
        lateness: How late [s] the last timed vertex was reached, or is, the time held included.
    """

    vertices_left: int
    distance: float
    time_to_go: float
    lateness: float


class Leader:
    """A point on a polyline. Times are those of its own clock, which counts whole steps.

    Attributes:
        state: Where it is, None before the first path.
        held: Time [s] for which its clock was held on the present path.
        settings: How it follows; replaceable between steps, except for the step.
    """

    def __init__(self, settings: FollowSettings) -> None:
        """Begin without a path.

        Raises:
            PolylineError: The settings are invalid.
        """
        check_settings(settings)
        self.settings = settings
        self.state: PathState | None = None
        self.held = 0.0
        self._path: Polyline | None = None
        self._begin, self._steps = 0.0, 0

    @property
    def is_following(self) -> bool:
        """Whether it has a path that is not finished."""
        return self._path is not None

    @property
    def velocity(self) -> Vector:
        """Its velocity [m/s]."""
        if self.state is None:
            return 0.0, 0.0, 0.0
        return scaled(heading(self.state.attitude), self.state.speed)

    def place(self, position: Vector, speed: float = 0.0) -> None:
        """Put it at a position [m] with a speed [m/s], without a path."""
        self._path = None
        self.state = start_state(0.0, position, NOWHERE, speed)

    def follow(self, path: Polyline | None) -> None:
        """Follow another path from now on; None: come to rest. It must have been placed.

        Its clock begins at 0 again.
        """
        self._path, self.held = path, 0.0
        progress = NOWHERE if path is None else path.start
        self.state = self.state._replace(progress=progress)
        self.set_clock(0.0)

    def hold(self) -> None:
        """Let a step pass without a move."""
        self.held += self.settings.dt

    def set_clock(self, time: float) -> None:
        """Set its clock [s] since the path began, the time held not counted."""
        self._begin, self._steps = time, 0
        self.state = self.state._replace(time=time)

    def step(self) -> None:
        """Move by one step; at the end of the path it stays there.

        Raises:
            PolylineError: The path cannot be followed; it comes to rest from then on.
        """
        if self._path is None:
            self.state = brake_step(self.state, self.settings).state
            return
        try:
            found = followed(self._path, self.state, self.settings)
        except PolylineError:
            self._path = None
            raise
        if found.code == FINISHED:
            self.state, self._path = found.state, None
            return
        self._steps += 1
        self.state = found.state._replace(time=self._begin + self._steps * self.settings.dt)

    def status(self) -> LeaderStatus:
        """Return what remains."""
        if self.state is None:
            return LeaderStatus(0, 0.0, math.nan, 0.0)
        (time, position, *_), progress = self.state, self.state.progress
        late = 0.0 if math.isnan(progress.due) else progress.lateness + self.held
        if self._path is None:
            return LeaderStatus(0, 0.0, math.nan, late)
        vertices, last = self._path.vertices, progress.left - 1
        return LeaderStatus(
            last,
            distance_along(vertices, progress, position, last),
            remaining_time(vertices, progress, timed_index(vertices, progress), time),
            late,
        )


NOWHERE = start_progress(0)
"""The progress of a leader without a path."""
