"""The target and the adversary of a node: they receive others, decide and broadcast."""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.core.member_paths import PathFlight
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.parameters.target_parameters import (
    AdversaryParameters, TargetParameters
)
from soliton_encirclement_ros.core.states.received_states import (
    CachedAgent, CachedAgents, Size, stretched
)
from soliton_encirclement_ros.core.states.states import (
    AdversaryState, AgentState, Pose, State, TargetState
)
from soliton_encirclement_ros.core.states.swarm_topics import MAX_MEMBERS
from soliton_encirclement_ros.members.member_memory import lists
from soliton_encirclement_ros.members.own_rows import STILL, MemberDecision
from soliton_encirclement_ros.swarm.memory import BODY_COLUMNS, CX, CZ, POSE, ScratchSpace
from soliton_encirclement_ros.swarm.memory_rows import AdversaryMemory, TargetMemory
from soliton_encirclement_ros.swarm.over_rows import spin_memory, spinning
from soliton_encirclement_ros.swarm.reception import accept_adversary, accept_prey, cache_agent
from soliton_encirclement_ros.swarm.rules import Rules, SwarmRules, path_rules_of
from soliton_encirclement_ros.swarm.target import (
    prepare_message, roam_on, roam_rules, target_rules_of, wander
)
from velocity_mobility_ros.core.trajectory.pursuit import follow_velocity
from velocity_mobility_ros.core.velocity_model import Vector, command_velocity

GOAL_GAIN = 0.5
"""Speed towards a goal per distance [1/s]: the last metres are flown slowly."""


class TargetRows(NamedTuple):
    """The memory of target and adversary; see ``FlightMemory``."""

    bodies: list[list[float]]
    target: TargetMemory
    adversary: AdversaryMemory
    target_cache: CachedAgents
    new_weights: list[float]
    spin: list[float]
    path_rows: list[int]
    scratch: ScratchSpace


def rows_of(agents: int, spin: list[float]) -> TargetRows:
    """Return the rows before anything was heard, with room for some agents."""
    return TargetRows(
        lists(agents + 2, BODY_COLUMNS),
        TargetMemory(),
        AdversaryMemory(),
        CachedAgents([CachedAgent() for _ in range(agents)], [0] * agents, Size()),
        [math.nan] * agents,
        spin,
        [0] * (agents + 2),
        ScratchSpace._make((*(lists(agents) for _ in range(5)), [0] * agents, [0] * agents)),
    )


def rules_of(swarm: SwarmParameters, agents: int, longest_period: float, **parts: Any) -> Rules:
    """Return the constants of target or adversary; ``parts`` are their own."""
    members = SwarmRules(
        agents, 1, swarm.control_period, 1, swarm.control_period, swarm.encirclement_radius,
        stretched(swarm.agent_state_timeout, longest_period), swarm.target_state_timeout,
        swarm.prune_expired_states, False,
    )  # fmt: skip
    return Rules(**{**dict.fromkeys(Rules._fields), 'swarm': members, **parts})


def state_row(state: State) -> list[float]:
    """Return position, velocity and number of a state as a row of states has them."""
    return [*state.position, *state.velocity, float(state.seq)]


class Mover:
    """A member on its path or by choices of its own.

    Attributes:
        pose_age: Age [s] of the pose at the next tick.
    """

    def __init__(self, place: int, rows: TargetRows, path: PathFlight | None) -> None:
        """Begin; ``place`` is its index behind the agents."""
        self._place, self._rows, self._path = place, rows, path
        self.pose_age = 0.0

    def see_pose(self, pose: Pose) -> None:
        """It checks nobody's states against its own."""

    @property
    def _member(self) -> int:
        return len(self._rows.new_weights) + self._place

    def _paths(self) -> Any:
        """Return its path as the tick needs it."""
        flights = {} if self._path is None else {self._member: self._path}
        return path_rules_of(flights, len(self._rows.bodies))

    def _at(self, pose: Pose) -> list[float]:
        """Take the pose, and return the row of the body."""
        body = self._rows.bodies[self._member]
        body[:POSE] = (*pose.position, *pose.velocity)
        return body

    def _follow_path(self, rules: Rules) -> Rules:
        """Prepare the path for the next tick; return the constants with it."""
        if self._path is None or not self._path.reach(self._rows.path_rows[self._member]):
            return rules
        return rules._replace(paths=self._paths())


class Target(Mover):
    """The target with the last states of the agents and of the adversary.

    Attributes:
        goal: Where an operator sends it [m, map], and where it then stays; None: it moves itself.
    """

    def __init__(
        self,
        parameters: TargetParameters,
        swarm: SwarmParameters,
        stream: np.random.Generator,
        path: PathFlight | None = None,
    ) -> None:
        """Stand still until the first motion period is over; without a path, it wanders."""
        self._parameters, self._swarm, self._stream = parameters, swarm, stream
        self._longest_period, self._numbers = 0.0, {}
        self.goal: tuple[float, float] | None = None
        self._spin = parameters.target_swarm_spin_law
        gains = target_rules_of(parameters, swarm, spinning(self._spin)).spin_gains
        super().__init__(0, rows_of(0, spin_memory(self._spin, gains).tolist()), path)
        self._use()

    def retune(self, parameters: TargetParameters) -> None:
        """Use other values for motion and requests; period and law of the spin stay.

        Another speed or heading counts from the next choice of motion on.
        """
        self._parameters = parameters
        self._use()

    def stretch_timeouts(self, longest_period: float) -> None:
        """Let the timeout of the agents suit the longest of the last control periods [s]."""
        self._longest_period = longest_period
        timeout = stretched(self._swarm.agent_state_timeout, longest_period)
        self._rules = self._rules._replace(swarm=self._rules.swarm._replace(agent_timeout=timeout))

    def _use(self) -> None:
        self._rules = rules_of(
            self._swarm, len(self._rows.new_weights), self._longest_period, paths=self._paths(),
            target=target_rules_of(self._parameters, self._swarm, spinning(self._spin)),
        )  # fmt: skip

    @property
    def is_full(self) -> bool:
        """Whether there is no room for any further agent."""
        return len(self._numbers) >= MAX_MEMBERS

    def receive(self, now: float, states: Iterable[State]) -> None:
        """Store received states of members of the ring and of the adversary, at a time [s].

        Those of new agents are refused while it ``is_full``.
        """
        for state in states:
            if isinstance(state, AgentState) and state.ring_member:
                if self.is_full and state.agent_id not in self._numbers:
                    continue
                j = self._index(state.agent_id)
                cache_agent(self._rules, self._rows.target_cache, j, state_row(state), now)
            elif isinstance(state, AdversaryState):
                accept_adversary(self._rules, self._rows.target, state_row(state), now)

    def _index(self, agent_id: int) -> int:
        """Return the row of an agent, a new one for a new agent."""
        if agent_id not in self._numbers:
            old, count = self._rows, len(self._numbers)
            self._numbers[agent_id] = count
            new = rows_of(count + 1, old.spin)
            new.bodies[count + 1] = old.bodies[count]
            new.path_rows[count + 1] = old.path_rows[count]
            cache = old.target_cache
            self._rows = new._replace(
                target=old.target,
                target_cache=CachedAgents(
                    [*cache.rows, CachedAgent()], [*cache.order, 0], cache.size
                ),
            )
            self._use()
        return self._numbers[agent_id]

    def decide(self, now: float, pose: Pose) -> MemberDecision:
        """Publish the position and the requests to the ring; move on."""
        state = self.speak(now, pose)
        if self.goal is not None:
            return MemberDecision(self._towards(self.goal, pose), state)
        self._rules = self._follow_path(self._rules)
        wander(self._rules, self._rows, now, self._stream)
        return MemberDecision(tuple(self._at(pose)[CX : CZ + 1]), state)

    def hold(self, now: float, pose: Pose) -> MemberDecision:
        """Stand still by an operator's order; the requests to the ring go on."""
        return MemberDecision(STILL, self.speak(now, pose))

    def _towards(self, goal: tuple[float, float], pose: Pose) -> Vector:
        """Return the velocity [m/s, map] towards a goal [m, map], at the speed of the target."""
        x, y, z = pose.position
        velocity = follow_velocity((*goal, z), STILL, (x, y, z), GOAL_GAIN)
        return command_velocity(*velocity, self._parameters.target_motion_speed_xy, 0.0)

    def speak(self, now: float, pose: Pose) -> TargetState:
        """Return the state with the position and the requests to the ring."""
        rows = self._rows
        self._at(pose)
        prepare_message(self._rules, rows, now)
        numbers, cache = [*self._numbers], rows.target_cache
        lambdas = tuple(
            (numbers[j], rows.new_weights[j]) for j in cache.order[: cache.size.count]
        )
        seq = rows.target.next_seq
        rows.target.next_seq += 1
        return TargetState(seq, *pose, lambdas, rows.target.omega_ref, self.pose_age)


class Adversary(Mover):
    """The adversary with its goal and the last state of the target."""

    def __init__(
        self,
        parameters: AdversaryParameters,
        swarm: SwarmParameters,
        stream: np.random.Generator,
        path: PathFlight | None = None,
    ) -> None:
        """Start without a goal; goals come from ``stream`` alone. On a path it has none.

        Before it has received the target, it takes it to be at the origin.
        """
        super().__init__(1, rows_of(0, []), path)
        self._swarm, self._stream, self._timeout = swarm, stream, swarm.target_state_timeout
        self.retune(parameters)

    def retune(self, parameters: AdversaryParameters) -> None:
        """Roam by other values from now on; the goal stays until it is reached."""
        self._parameters = parameters
        rules = rules_of(
            self._swarm, 0, 0.0, paths=self._paths(), adversary=roam_rules(parameters)
        )
        swarm = rules.swarm._replace(target_timeout=self._timeout)
        self._rules = rules._replace(swarm=swarm)

    def stretch_timeouts(self, longest_period: float) -> None:
        """Let the timeout of the target suit the longest of the last control periods [s]."""
        self._timeout = stretched(self._swarm.target_state_timeout, longest_period)
        swarm = self._rules.swarm._replace(target_timeout=self._timeout)
        self._rules = self._rules._replace(swarm=swarm)

    def receive(self, now: float, states: Iterable[State]) -> None:
        """Store a received state of the target, at time ``now`` [s]."""
        for state in states:
            if isinstance(state, TargetState):
                accept_prey(self._rules, self._rows.adversary, state_row(state), now)

    def decide(self, now: float, pose: Pose) -> MemberDecision:
        """Publish the position; flee from the target or continue towards the goal."""
        del now  # the target's last known place counts however old it is
        body = self._at(pose)
        self._rules = self._follow_path(self._rules)
        roam_on(self._rules, self._rows, self._stream)
        return MemberDecision(tuple(body[CX : CZ + 1]), self._speak(pose))

    def hold(self, now: float, pose: Pose) -> MemberDecision:
        """Stand still by an operator's order."""
        del now
        return MemberDecision(STILL, self._speak(pose))

    def _speak(self, pose: Pose) -> AdversaryState:
        me = self._rows.adversary
        state = AdversaryState(me.next_seq, *pose, self.pose_age)
        me.next_seq += 1
        return state

