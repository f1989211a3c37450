"""A virtual leader: the point that a vehicle follows along a polyline.

It has a clock of its own that may be held, it comes to rest where there is no path, and a new path
replaces the old one between two steps, without a jump of place, speed or acceleration. That is why
it moves step by step: the rows of ``LeaderTrack`` are for a path that is known before the start.
Both take the same steps along the same stages, and both wait where a place is given twice.

The rules of polylines stop only at the last vertex. So a polyline with waits, two vertices in a
row at one place, is followed stage by stage: to the place, at the place, and on from it.

A vehicle can follow a leader whose limits come from its own:

    a = min(0.9 max_acc, max_speed / (4 lag))       acceleration
    v = max_speed - lag a                            speed
    j = 2 a / s                                      change of the acceleration

At full speed and acceleration the command ``v + lag a`` is still within ``max_speed``. Along a
polyline both the horizontal and the vertical limits hold on its steepest and its flattest segment.
"""

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from velocity_mobility_ros.core.trajectory.polyline import (
    Polyline, difference, distance_along, heading, norm, polyline, remaining_time, scaled,
    timed_index, vertex
)
from velocity_mobility_ros.core.trajectory.polyline_follower import check_settings, followed
from velocity_mobility_ros.core.trajectory.polyline_records import (
    FINISHED, FollowSettings, PathState, PolylineError, SpeedLimits, start_progress, start_state
)
from velocity_mobility_ros.core.trajectory.polyline_step import braked
from velocity_mobility_ros.core.velocity_model import Vector


class Stage(NamedTuple):
    """A stage of a path, and the number of its first vertex."""

    first: int
    path: Polyline


def stages(path: Polyline) -> tuple[Stage, ...]:
    """Return the stages of a polyline; one that is closed or has relative times has only one."""
    vertices = path.vertices
    if path.closed or not math.isnan(path.base_time):
        return (Stage(0, path),)
    waits = np.flatnonzero((vertices[1:, :3] == vertices[:-1, :3]).all(axis=1)) + 1
    cuts = sorted({0, len(vertices) - 1, *waits.tolist(), *(waits - 1).tolist()})
    return tuple(Stage(a, polyline(vertices[a : b + 1])) for a, b in pairwise(cuts))


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
        self._stages: tuple[Stage, ...] = ()
        self._before: tuple[Any, Any, Any] = (None, None, None)
        self._ahead: tuple[PathState, tuple[Stage, ...]]
        self._begin, self._steps = 0.0, 0

    @property
    def placed(self) -> PathState:
        """Its state, of which there is one as soon as it is placed."""
        assert self.state is not None
        return self.state

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
            return velocity_of(self._look_ahead()[0])
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
        self._stages, self.held = () if path is None else stages(path), 0.0
        progress = NOWHERE if path is None else self._stages[0].path.start
        self.state = self.placed._replace(progress=progress)
        self.set_clock(0.0)

    def hold(self) -> None:
        """Let a step pass without a move."""
        self.held += self.settings.dt

    def set_clock(self, time: float) -> None:
        """Set its clock [s] since the path began, the time held not counted."""
        self._begin, self._steps = time, 0
        self.state = self.placed._replace(time=time)

    def step(self) -> None:
        """Move by one step; at the end of the path it stays there.

        Raises:
            PolylineError: The path cannot be followed; it comes to rest from then on.
        """
        try:
            self.state, self._stages = self._look_ahead()
        except PolylineError:
            self._stages = ()
            raise
        self._steps += bool(self._stages)

    def _look_ahead(self) -> tuple[PathState, tuple[Stage, ...]]:
        """Return it one step later, and its stages; a step is computed once."""
        now = self.state, self._stages, self.settings
        if any(a is not b for a, b in zip(self._before, now, strict=True)):
            self._before, self._ahead = now, self._after()
        return self._ahead

    def _after(self) -> tuple[PathState, tuple[Stage, ...]]:
        """Return it one step later, and the stages that it has not finished."""
        state, stages = self.placed, self._stages
        if not stages:
            aim, turn = heading(state.attitude), state.attitude
            return braked(state, aim, turn, 0, self.settings).state, ()
        while stages:
            moved = followed(stages[0].path, state, self.settings, first=stages[0].first)
            if moved.code != FINISHED:
                time = self._begin + (self._steps + 1) * self.settings.dt
                return moved.state._replace(time=time), stages
            state, stages = moved.state, stages[1:]
            if stages:
                done = state.progress
                progress = stages[0].path.start._replace(due=done.due, lateness=done.lateness)
                state = state._replace(progress=progress)
        return state, ()

    def status(self) -> LeaderStatus:
        """Return what remains."""
        state = self.state
        vertices_left, distance, to_go, late = 0, 0.0, math.nan, 0.0
        if state is not None and not math.isnan(state.progress.due):
            late = state.progress.lateness + self.held
        for k, (_, path) in enumerate(self._stages):
            vertices, progress = path.vertices, path.start if k else self.placed.progress
            place = vertex(vertices, progress, 0) if k else self.placed.position
            vertices_left += progress.left - 1
            distance += distance_along(vertices, progress, place, progress.left - 1)
            if math.isnan(to_go):
                timed = timed_index(vertices, progress)
                to_go = remaining_time(vertices, progress, timed, self.placed.time)
        return LeaderStatus(vertices_left, distance, to_go, late)


def velocity_of(state: PathState) -> Vector:
    """Return the velocity [m/s] of a leader."""
    return scaled(heading(state.attitude), state.speed)


NOWHERE = start_progress(0)
"""The progress of a leader without a path."""


ACCELERATION_SHARE = 0.9
"""Share of a vehicle's acceleration that a leader uses; the rest is for corrections."""

JERK_RATE = 2.0
"""Change of the acceleration [1/s] per largest acceleration."""


class AxisLimits(NamedTuple):
    """Largest speed [m/s] and acceleration [m/s^2] in a direction."""

    speed: float
    acceleration: float


def followable(max_speed: float, max_acceleration: float, lag: float) -> AxisLimits:
    """Return the limits of a leader for a vehicle.

    Args:
        max_speed: Largest speed of the vehicle [m/s].
        max_acceleration: Its largest acceleration [m/s^2].
        lag: Lag of its velocity [s].
    """
    acceleration = ACCELERATION_SHARE * max_acceleration
    if lag > 0.0:
        acceleration = min(acceleration, max_speed / (4.0 * lag))
    return AxisLimits(max_speed - lag * acceleration, acceleration)


def limits_along(path: Polyline, xy: AxisLimits, z: AxisLimits) -> SpeedLimits:
    """Return the limits along a polyline.

    Args:
        path: The polyline.
        xy: Horizontal limits.
        z: Vertical limits.
    """
    rows = [tuple(row) for row in path.vertices[:, :3].tolist()]
    after = [*rows[1:], rows[0]] if path.closed else rows[1:]
    speed = acceleration = math.inf
    for a, b in zip(rows, after, strict=False):
        segment = difference(b, a)
        length, level = norm(segment), norm((segment[0], segment[1], 0.0))
        for part, limits in ((level, xy), (abs(segment[2]), z)):
            if part > 0.0:
                speed = min(speed, limits.speed * length / part)
                acceleration = min(acceleration, limits.acceleration * length / part)
    jerk = JERK_RATE * acceleration
    return SpeedLimits(speed, acceleration, jerk, acceleration, jerk)
