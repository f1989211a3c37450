"""A virtual leader: the point that a vehicle follows along a polyline.

It has a clock of its own that may be held, it comes to rest where there is no path, and a new path
replaces the old one between two steps, without a jump of place, speed or acceleration. That is why
it moves step by step: the rows of ``LeaderTrack`` are for a path that is known before the start.
Both take the same steps along the same stages, and both wait where a place is given twice.
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
from velocity_mobility_ros.core.polyline.records import (
    FollowSettings,
    PathState,
    start_progress,
    start_state,
)
from velocity_mobility_ros.core.trajectory.leader_status import LeaderStatus, what_remains
from velocity_mobility_ros.core.trajectory.stages import Stage, numbered


class Ahead(NamedTuple):
    """A leader one step later.

    Attributes:
        before: The leader before the step, the stages before it, and how it follows.
        state: The leader.
        stages: The stages that it has not finished, the present one first.
    """

    before: tuple[PathState, tuple[Stage, ...], FollowSettings]
    state: PathState
    stages: tuple[Stage, ...]


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
        self._stages: tuple[Stage, ...] = ()
        self._ahead: Ahead | None = None
        self._begin, self._steps = 0.0, 0

    @property
    def is_following(self) -> bool:
        """Whether it has a path that is not finished."""
        return bool(self._stages)

    @property
    def velocity(self) -> Vector:
        """Its velocity [m/s]."""
        if self.state is None:
            return 0.0, 0.0, 0.0
        return velocity_of(self.state)

    def next_velocity(self) -> Vector:
        """Return its velocity [m/s] one step later; the present one if the path ends in error."""
        if self.state is None:
            return self.velocity
        try:
            return velocity_of(self._look_ahead().state)
        except PolylineError:
            return self.velocity

    def place(self, position: Vector, speed: float = 0.0) -> None:
        """Put it at a position [m] with a speed [m/s], without a path."""
        self._stages = ()
        self.state = start_state(0.0, position, NOWHERE, speed)

    def follow(self, path: Polyline | None) -> None:
        """Follow another path from now on; None: come to rest. It must have been placed.

        Its clock begins at 0 again.
        """
        self._stages, self.held = numbered(path), 0.0
        progress = NOWHERE if path is None else self._stages[0].path.start
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
        try:
            ahead = self._look_ahead()
        except PolylineError:
            self._stages = ()
            raise
        self.state, self._stages = ahead.state, ahead.stages
        self._steps += bool(self._stages)

    def _look_ahead(self) -> Ahead:
        """Return it one step later; a step is computed once."""
        now = self.state, self._stages, self.settings
        if self._ahead is None or any(
            a is not b for a, b in zip(self._ahead.before, now, strict=True)
        ):
            self._ahead = Ahead(now, *self._after())
        return self._ahead

    def _after(self) -> tuple[PathState, tuple[Stage, ...]]:
        """Return it one step later, and the stages that it has not finished."""
        state, left = self.state, self._stages
        if not left:
            return brake_step(state, self.settings).state, ()
        while left:
            found = followed(left[0].path, state, self.settings, first=left[0].first)
            if found.code != FINISHED:
                time = self._begin + (self._steps + 1) * self.settings.dt
                return found.state._replace(time=time), left
            state, left = found.state, left[1:]
            if left:
                done = state.progress
                begun = left[0].path.start._replace(due=done.due, lateness=done.lateness)
                state = state._replace(progress=begun)
        return state, ()

    def status(self) -> LeaderStatus:
        """Return what remains."""
        if self.state is None:
            return LeaderStatus(0, 0.0, math.nan, 0.0)
        late = self.state.progress.lateness + self.held
        is_late = not math.isnan(self.state.progress.due)
        return LeaderStatus(*what_remains(self.state, self._stages), late if is_late else 0.0)


def velocity_of(state: PathState) -> Vector:
    """Return the velocity [m/s] of a leader."""
    return scaled(heading(state.attitude), state.speed)


NOWHERE = start_progress(0)
"""The progress of a leader without a path."""
