"""Where the target is now, from what it said a while ago."""

import math

from soliton_encirclement_ros.core.motion import Motion, moved
from soliton_encirclement_ros.core.states import TargetState

LONGEST_STEP = 0.5
"""Two states farther apart than this [s] say nothing about the acceleration."""

SHORTEST_STEP = 1e-6


class TargetTrack:
    """The target's motion by dead reckoning: ``p + v t + a t^2 / 2`` from its last words.

    The acceleration is the change of its reported velocity through a first-order filter.
    """

    def __init__(self, acceleration_filter: float) -> None:
        """Know nothing yet; filter the acceleration with a time constant [s]."""
        self._filter = acceleration_filter
        self._state: TargetState | None = None
        self._valid = 0.0
        self._ax = self._ay = 0.0

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
            self._learn(state, valid)
            self._state, self._valid = state, valid
        if not alive:
            self._ax = self._ay = 0.0
        return moved(Motion(state.position, state.velocity, (self._ax, self._ay)), age)

    def _learn(self, state: TargetState, valid: float) -> None:
        dt = valid - self._valid
        if self._state is None or not SHORTEST_STEP < dt < LONGEST_STEP:
            return
        gain = dt / (self._filter + dt)
        old = self._state.velocity
        ax = self._ax + gain * ((state.velocity[0] - old[0]) / dt - self._ax)
        ay = self._ay + gain * ((state.velocity[1] - old[1]) / dt - self._ay)
        if math.isfinite(ax) and math.isfinite(ay):
            self._ax, self._ay = ax, ay
