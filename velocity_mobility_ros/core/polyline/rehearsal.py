"""A flight along a polyline in advance: by how much is every timed vertex missed?"""

import math
from collections.abc import Callable
from typing import NamedTuple

from velocity_mobility_ros.core.polyline.codes import FINISHED, MOVED
from velocity_mobility_ros.core.polyline.errors import PolylineError
from velocity_mobility_ros.core.polyline.follow_step import follow_step
from velocity_mobility_ros.core.polyline.follower import check_settings
from velocity_mobility_ros.core.polyline.move import Followed
from velocity_mobility_ros.core.polyline.path import Polyline
from velocity_mobility_ros.core.polyline.records import FollowSettings, PathState


class Arrival(NamedTuple):
    """How a timed vertex was reached.

    Attributes:
        number: Number of the vertex since the start; its index, if the polyline is not closed.
        time: When it was due [s].
        lateness: By how much it was missed [s].
    """

    number: int
    time: float
    lateness: float

    def __str__(self) -> str:
        """Return one line."""
        return (
            f'vertex {self.number} at {self.time:g} s is reached {self.lateness:.3g} s late; '
            'give it more time or raise the limits'
        )


class Rehearsal(NamedTuple):
    """Result of a rehearsal.

    Attributes:
        arrivals: All timed vertices that were reached.
        end: The body at the end.
        finished: Whether it reached the end of the polyline.
    """

    arrivals: list[Arrival]
    end: PathState
    finished: bool

    def first_late(self, dt: float) -> Arrival | None:
        """Return the first vertex that is reached more than half a step late."""
        return next((one for one in self.arrivals if one.lateness > dt / 2.0 + 1e-9), None)


def rehearsal(
    path: Polyline,
    state: PathState,
    settings: FollowSettings,
    longest: float,
    step: Callable[..., Followed] = follow_step,
) -> Rehearsal:
    """Fly along a polyline.

    Args:
        path: The polyline.
        state: The body at its start.
        settings: How to follow.
        longest: Time [s] after which the flight ends.
        step: ``follow_step``, or the same function compiled.

    Raises:
        PolylineError: The polyline cannot be followed.
    """
    check_settings(settings)
    arrivals: list[Arrival] = []
    start, steps = state.time, math.ceil(longest / settings.dt)
    for k in range(steps):
        state = state._replace(time=start + k * settings.dt)
        before = state.progress
        found = step(path.vertices, state, settings)
        if found.code not in (MOVED, FINISHED):
            raise PolylineError(found.code, '', found.vertex, f'at {state.time:.3f} s')
        state = found.state
        arrivals += _arrivals(path, before.passed, state, found.code == FINISHED)
        if found.code == FINISHED:
            return Rehearsal(arrivals, state, True)
    return Rehearsal(arrivals, state, False)


def _arrivals(path: Polyline, passed: int, state: PathState, finished: bool) -> list[Arrival]:
    """Return the timed vertex that a step has passed; of several the last one."""
    progress = state.progress
    for number in range(progress.passed + finished, passed, -1):
        if not math.isnan(path.vertices[number % len(path.vertices), 3]):
            return [Arrival(number, progress.due, progress.lateness)]
    return []
