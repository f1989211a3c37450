"""Where the target is now, from what it said a while ago."""

import math

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.motion import Motion, moved
from soliton_encirclement_ros.core.states import TargetState

LONGEST_STEP = 0.5
"""Two states farther apart than this [s] say nothing about the acceleration."""

SHORTEST_STEP = 1e-6


def filtered_acceleration(
    ax: float,
    ay: float,
    velocity: Vector,
    before: Vector,
    dt: float,
    time_constant: float,
) -> tuple[float, float]:
    """Return the filtered acceleration [m/s^2] after another velocity was reported.

    Args:
        ax: East acceleration so far [m/s^2].
        ay: North acceleration so far [m/s^2].
        velocity: What is reported [m/s].
        before: What was reported before [m/s].
        dt: Time between the two [s].
        time_constant: Of the filter [s].
    """
    if not SHORTEST_STEP < dt < LONGEST_STEP:
        return ax, ay
    gain = dt / (time_constant + dt)
    next_x = ax + gain * ((velocity[0] - before[0]) / dt - ax)
    next_y = ay + gain * ((velocity[1] - before[1]) / dt - ay)
    if math.isfinite(next_x) and math.isfinite(next_y):
        return next_x, next_y
    return ax, ay


class TargetTrack:
    """The target's motion by dead reckoning: ``p + v t + a t^2 / 2`` from its last words.

    The acceleration is the change of its reported velocity through a first-order filter.
    """

    def __init__(self, acceleration_filter: float) -> None:
        """Know nothing yet; filter the acceleration with a time constant [s]."""
        self.retune(acceleration_filter)
        self._state: TargetState | None = None
        self._valid = 0.0
        self._ax = self._ay = 0.0

    def retune(self, acceleration_filter: float) -> None:
        """Filter with another time constant [s] from now on."""
        self._filter = acceleration_filter

    def update(self, now: float, state: TargetState, age: float, alive: bool) -> Motion:
        """Take in the latest state and return the motion at a time.

        Args:
            now: Time [s].
            state: The last state heard.
            age: How old it is [s].
            alive: Whether it is fresh; a stale target is taken to keep its velocity.
        """
        valid = now - age
        if self._state is None or state.seq != self._state.seq:
            if self._state is not None:
                self._ax, self._ay = filtered_acceleration(
                    self._ax, self._ay, state.velocity, self._state.velocity,
                    valid - self._valid, self._filter,
                )  # fmt: skip
            self._state, self._valid = state, valid
        if not alive:
            self._ax = self._ay = 0.0
        return moved(Motion(state.position, state.velocity, (self._ax, self._ay)), age)
