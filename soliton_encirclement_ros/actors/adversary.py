"""The adversary: roams a box and keeps away from the target."""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    AdversaryParameters,
    SwarmParameters,
)
from soliton_encirclement_ros.core.ring.roaming import heading
from soliton_encirclement_ros.core.states.liveness import SingleCache
from soliton_encirclement_ros.core.states.states import AdversaryState, Pose, State, TargetState

NO_GOAL = (math.nan, math.nan)


class AdversaryDecision(NamedTuple):
    """Output of one tick."""

    command: Vector
    state: AdversaryState


class Adversary:
    """The adversary with its goal and the last state of the target."""

    def __init__(
        self,
        parameters: AdversaryParameters,
        swarm: SwarmParameters,
        stream: np.random.Generator,
    ) -> None:
        """Start without a goal; goals come from ``stream`` alone."""
        self.retune(parameters)
        self._stream = stream
        self._target = SingleCache(swarm.target_state_timeout)
        self._goal = NO_GOAL
        self._seq = 1

    def retune(self, parameters: AdversaryParameters) -> None:
        """Use other values from now on; the goal stays until it is reached."""
        self._parameters = parameters

    def hear(self, now: float, states: Iterable[State]) -> None:
        """Store a received state of the target, at time ``now`` [s]."""
        for state in states:
            if isinstance(state, TargetState):
                self._target.accept(state, now)

    def decide(self, now: float, pose: Pose) -> AdversaryDecision:
        """Publish the position; flee from the target or continue towards the goal."""
        del now  # the target's last known place counts however old it is
        state = AdversaryState(self._seq, pose.position, pose.velocity)
        self._seq += 1
        ux, uy = self._heading(pose.position)
        speed = self._parameters.adversary_roam_speed_xy
        return AdversaryDecision((speed * ux, speed * uy, 0.0), state)

    def _heading(self, position: Vector) -> tuple[float, float]:
        target = self._target_position()
        ux, uy, *goal = heading(
            position[0],
            position[1],
            target[0],
            target[1],
            *self._goal,
            self._parameters.adversary_roam_bound_xy,
            self._parameters.adversary_min_target_distance,
            self._stream,
        )
        self._goal = (goal[0], goal[1])
        return ux, uy

    def _target_position(self) -> Vector:
        return self._target.state.position if self._target.state else (0.0, 0.0, 0.0)
