"""The brain of the adversary: roams a box and keeps away from the target."""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from velocity_mobility_ros.core.limits import limit_abs
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.liveness import SingleCache
from soliton_encirclement_ros.core.parameters import AdversaryParameters, SwarmParameters
from soliton_encirclement_ros.core.plane import direction, length
from soliton_encirclement_ros.core.states import AdversaryState, Pose, State, TargetState

ARRIVED = 1.0
"""Distance [m] at which a goal counts as reached."""

GOAL_TRIES = 50


class AdversaryDecision(NamedTuple):
    """One tick's outcome."""

    command: Vector
    state: AdversaryState


class Adversary:
    """The adversary with its goal and its memory of the target."""

    def __init__(
        self,
        parameters: AdversaryParameters,
        swarm: SwarmParameters,
        stream: np.random.Generator,
    ) -> None:
        """Start without a goal; goals come from ``stream`` alone."""
        self._parameters = parameters
        self._stream = stream
        self._target = SingleCache(swarm.target_state_timeout)
        self._goal: tuple[float, float] | None = None
        self._seq = 1

    def hear(self, now: float, states: Iterable[State]) -> None:
        """Take in what the target said, at time ``now`` [s]."""
        for state in states:
            if isinstance(state, TargetState):
                self._target.accept(state, now)

    def decide(self, now: float, pose: Pose) -> AdversaryDecision:
        """Say where it is; flee from the target or go on towards the goal."""
        del now  # the target's last known place counts however old it is
        state = AdversaryState(self._seq, pose.position, pose.velocity)
        self._seq += 1
        ux, uy = self._heading(pose.position)
        speed = self._parameters.adversary_roam_speed_xy
        return AdversaryDecision((speed * ux, speed * uy, 0.0), state)

    def _heading(self, position: Vector) -> tuple[float, float]:
        target = self._target_position()
        ux, uy, distance = direction(position[0] - target[0], position[1] - target[1])
        if distance < self._parameters.adversary_min_target_distance:
            return ux, uy
        if self._goal is None:
            self._goal = self._pick_goal(target)
        ux, uy, distance = direction(self._goal[0] - position[0], self._goal[1] - position[1])
        if distance <= ARRIVED:
            self._goal = self._pick_goal(target)
            ux, uy, _ = direction(self._goal[0] - position[0], self._goal[1] - position[1])
        return ux, uy

    def _target_position(self) -> Vector:
        return self._target.state.position if self._target.state else (0.0, 0.0, 0.0)

    def _pick_goal(self, target: Vector) -> tuple[float, float]:
        bound = self._parameters.adversary_roam_bound_xy
        keep = self._parameters.adversary_min_target_distance
        for _ in range(GOAL_TRIES):
            x = self._stream.uniform(-bound, bound)
            y = self._stream.uniform(-bound, bound)
            if length(x - target[0], y - target[1]) >= keep:
                return x, y
        angle = self._stream.uniform(0.0, 2.0 * math.pi)
        return (
            limit_abs(target[0] + keep * math.cos(angle), bound),
            limit_abs(target[1] + keep * math.sin(angle), bound),
        )
