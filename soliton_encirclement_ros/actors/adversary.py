"""The adversary: roams a box and keeps away from the target."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.actors.path_flight import PathFlight
from soliton_encirclement_ros.core.parameters.adversary_parameters import AdversaryParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.ring.roaming import NO_GOAL, RoamRules, roam
from soliton_encirclement_ros.core.states.message_acceptance import (
    NEVER,
    NOT_YET,
    Sighting,
    sighted,
    stretched,
)
from soliton_encirclement_ros.core.states.states import AdversaryState, Pose, State, TargetState

STILL: Vector = (0.0, 0.0, 0.0)

TARGET_UNHEARD = Sighting(0.0, 0.0, NOT_YET, NEVER)
"""Before the adversary has received the target, it takes it to be at the origin."""


class AdversaryDecision(NamedTuple):
    """Output of one tick."""

    command: Vector
    state: AdversaryState


class Adversary:
    """The adversary with its goal and the last state of the target.

    Attributes:
        pose_age: Age [s] of the pose at the next tick.
    """

    def __init__(
        self,
        parameters: AdversaryParameters,
        swarm: SwarmParameters,
        stream: np.random.Generator,
        path: PathFlight | None = None,
    ) -> None:
        """Start without a goal; goals come from ``stream`` alone. On a path it has none."""
        self._path = path
        self.retune(parameters)
        self._stream = stream
        self._swarm = swarm
        self._timeout = swarm.target_state_timeout
        self._target = TARGET_UNHEARD
        self._goal = NO_GOAL
        self._seq = 1
        self.pose_age = 0.0

    def retune(self, parameters: AdversaryParameters) -> None:
        """Roam by other values from now on; the goal stays until it is reached."""
        self._rules = roam_rules(parameters)

    def keep_up_with(self, longest_period: float) -> None:
        """Let the timeout of the target suit the longest of the last control periods [s]."""
        self._timeout = stretched(self._swarm.target_state_timeout, longest_period)

    def receive(self, now: float, states: Iterable[State]) -> None:
        """Store a received state of the target, at time ``now`` [s]."""
        for state in states:
            if isinstance(state, TargetState):
                x, y, _ = state.position
                self._target = sighted(self._target, x, y, state.seq, now, self._timeout)

    def decide(self, now: float, pose: Pose) -> AdversaryDecision:
        """Publish the position; flee from the target or continue towards the goal."""
        del now  # the target's last known place counts however old it is
        state = self._speak(pose)
        if self._path is not None:
            return AdversaryDecision(self._path.command(pose.position), state)
        (x, y, _), target = pose.position, self._target
        self._goal, velocity = roam(
            self._rules, self._goal, x, y, target.x, target.y, self._stream
        )
        return AdversaryDecision(velocity, state)

    def hold(self, now: float, pose: Pose) -> AdversaryDecision:
        """Stand still by an operator's order."""
        del now
        return AdversaryDecision(STILL, self._speak(pose))

    def _speak(self, pose: Pose) -> AdversaryState:
        state = AdversaryState(self._seq, pose.position, pose.velocity, self.pose_age)
        self._seq += 1
        return state


def roam_rules(parameters: AdversaryParameters) -> RoamRules:
    """Return how an adversary roams."""
    return RoamRules(
        parameters.adversary_roam_bound_xy,
        parameters.adversary_min_target_distance,
        parameters.adversary_roam_speed_xy,
    )
