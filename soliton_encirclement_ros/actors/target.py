"""The target: wanders, sets the weights of the arcs, requests the spin of the ring."""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from velocity_mobility_ros.core.limits import command_velocity
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.trajectory.guidance import follow_velocity

from soliton_encirclement_ros.actors.path_flight import PathFlight
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.parameters.target_parameters import TargetParameters
from soliton_encirclement_ros.core.ring.edge_weights import EdgeWeights
from soliton_encirclement_ros.core.ring.plane import bearing
from soliton_encirclement_ros.core.schedules.periodic import Periodic
from soliton_encirclement_ros.core.states.agent_cache import AgentCache
from soliton_encirclement_ros.core.states.message_acceptance import (
    NEVER,
    NOT_YET,
    Sighting,
    sighted,
    stretched,
)
from soliton_encirclement_ros.core.states.states import (
    AdversaryState,
    Pose,
    State,
    TargetState,
)
from soliton_encirclement_ros.swarm.spin.spin_law import SpinGains, spin_view
from soliton_encirclement_ros.swarm.spin.spin_laws import SPIN_LAWS
from soliton_encirclement_ros.swarm.target_motion import (
    STILL,
    Wandering,
    motion_rules,
    next_velocity,
    wandered,
)

GOAL_GAIN = 0.5
"""Speed towards a goal per distance [1/s]: the last metres are flown slowly."""

ADVERSARY_UNHEARD = Sighting(math.nan, math.nan, NOT_YET, NEVER)


class TargetDecision(NamedTuple):
    """Output of one tick."""

    command: Vector
    state: TargetState


class Target:
    """The target with the last states of the agents and of the adversary.

    Attributes:
        pose_age: Age [s] of the pose at the next tick.
        goal: Where an operator sends it [m, map], and where it then stays; None: it moves itself.
    """

    def __init__(
        self,
        parameters: TargetParameters,
        swarm: SwarmParameters,
        stream: np.random.Generator,
        start: float,
        path: PathFlight | None = None,
    ) -> None:
        """Stand still until the first motion period after ``start`` [s] is over.

        Without a path, it wanders.
        """
        self._path = path
        self._swarm = swarm
        self._stream = stream
        self._agents = AgentCache(swarm.agent_state_timeout)
        self._adversary = ADVERSARY_UNHEARD
        self._wandering = Wandering(Periodic(start, 0), STILL)
        self._weights = EdgeWeights(
            parameters.protection_angle_deg, parameters.edge_weight_always_fresh
        )
        self._spin = SPIN_LAWS[parameters.target_swarm_spin_law]
        self.retune(parameters)
        self._memory = self._spin.rest(self._gains)
        self._seq = 1
        self.pose_age = 0.0
        self.goal: tuple[float, float] | None = None

    def retune(self, parameters: TargetParameters) -> None:
        """Use other values for motion and requests; period and law of the spin stay.

        Another speed or heading counts from the next choice of motion on.
        """
        self._parameters = parameters
        self._rules = motion_rules(parameters)
        self._gains = spin_gains(parameters, self._swarm)
        self._weights.retune(parameters.protection_angle_deg, parameters.edge_weight_always_fresh)

    def keep_up_with(self, longest_period: float) -> None:
        """Let the timeout of the agents suit the longest of the last control periods [s]."""
        self._agents.timeout = stretched(self._swarm.agent_state_timeout, longest_period)

    def receive(self, now: float, states: Iterable[State]) -> None:
        """Store received states, at time ``now`` [s]."""
        received = tuple(states)
        self._agents.accept_all(received, now)
        for state in received:
            if isinstance(state, AdversaryState):
                x, y, _ = state.position
                timeout = self._swarm.target_state_timeout
                self._adversary = sighted(self._adversary, x, y, state.seq, now, timeout)

    def decide(self, now: float, pose: Pose) -> TargetDecision:
        """Publish the position and the requests to the ring; move on."""
        state = self.speak(now, pose)
        if self.goal is not None:
            return TargetDecision(self._towards(self.goal, pose), state)
        if self._path is not None:
            return TargetDecision(self._path.command(pose.position), state)
        period, (x, y, _) = self._parameters.target_motion_period, pose.position
        self._wandering = wandered(self._wandering, now, period, self._rules, x, y, self._stream)
        return TargetDecision(self._wandering.velocity, state)

    def hold(self, now: float, pose: Pose) -> TargetDecision:
        """Stand still by an operator's order; the requests to the ring go on."""
        return TargetDecision(STILL, self.speak(now, pose))

    def _towards(self, goal: tuple[float, float], pose: Pose) -> Vector:
        """Return the velocity [m/s, map] towards a goal [m, map], at the speed of the target."""
        x, y, z = pose.position
        velocity = follow_velocity((*goal, z), STILL, (x, y, z), GOAL_GAIN)
        return command_velocity(*velocity, self._parameters.target_motion_speed_xy, 0.0)

    def choose_motion(self, pose: Pose) -> Vector:
        """Return the next velocity [m/s, map]."""
        x, y, _ = pose.position
        return next_velocity(self._rules, x, y, self._stream)

    def speak(self, now: float, pose: Pose) -> TargetState:
        """Return the state with the position and the requests to the ring."""
        if self._swarm.prune_expired_states:
            self._agents.prune(now)
        offsets = {
            agent.agent_id: (
                agent.position[0] - pose.position[0],
                agent.position[1] - pose.position[1],
            )
            for agent in self._agents.states()
        }
        omega_ref = self._omega_ref(now, pose, list(offsets.values()))
        thetas = {agent_id: bearing(*offset) for agent_id, offset in offsets.items()}
        lambdas = tuple(self._weights.update(now, thetas).items())
        state = TargetState(
            self._seq, pose.position, pose.velocity, lambdas, omega_ref, self.pose_age
        )
        self._seq += 1
        return state

    def _omega_ref(self, now: float, pose: Pose, offsets: list[tuple[float, float]]) -> float:
        if not self._parameters.target_swarm_spin_enable:
            return self._parameters.target_swarm_omega_ref
        xs, ys = [x for x, _ in offsets], [y for _, y in offsets]
        x, y, _ = pose.position
        timeout = self._swarm.target_state_timeout
        err, known = spin_view(xs, ys, x, y, self._adversary, now, timeout, self._gains.rho_min)
        self._memory, omega = self._spin.step(self._memory, now, err, known, self._gains)
        return omega


def spin_gains(parameters: TargetParameters, swarm: SwarmParameters) -> SpinGains:
    """Return the gains of the law."""
    return SpinGains(
        parameters.target_swarm_omega_pd_kp,
        parameters.target_swarm_omega_pd_kd,
        parameters.target_swarm_omega_pd_max_abs,
        parameters.target_swarm_spin_rho_min,
        parameters.target_swarm_omega_ref,
        swarm.control_period,
        parameters.target_swarm_spin_filter,
        parameters.target_swarm_spin_max_rate,
    )
