"""A vehicle that is commanded from outside: its separation filter and its broadcasts."""

from collections.abc import Iterable

from soliton_encirclement_ros.core.laws.law import Setup
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, SwarmParameters
)
from soliton_encirclement_ros.core.states.received_states import is_news
from soliton_encirclement_ros.core.states.states import AgentState, Pose, State
from soliton_encirclement_ros.members.own_rows import FilteredVehicle, MemberDecision, OwnRows
from soliton_encirclement_ros.members.own_rules import OwnVehicle
from soliton_encirclement_ros.safety.filter_records import SPAN, STRANGER
from soliton_encirclement_ros.swarm.memory_rows import FilterResult, KnownBody
from soliton_encirclement_ros.swarm.separation import store_body, write_body
from velocity_mobility_ros.core.velocity_model import Vector, command_velocity


class GuardedVehicle(FilteredVehicle):
    """The separation filter of a vehicle, with its inputs.

    Attributes:
        wanted: The velocity requested by its commander [m/s, map]; None: none, it is to stand
            still.
    """

    def __init__(
        self,
        agent_id: int,
        swarm: SwarmParameters,
        limits: CommandLimits,
        safety: SafetyParameters,
        is_telling: bool = True,
        kind: int = STRANGER,
        ring_member: bool = False,
    ) -> None:
        """Start without known bodies.

        Args:
            agent_id: Number k of ``uav_k``.
            swarm: Parameters that all members share.
            limits: Limits of the vehicle, assumed of all others.
            safety: The distances to keep.
            is_telling: Whether to broadcast the vehicle's state.
            kind: Kind of the others: STRANGER or MUTUAL.
            ring_member: Whether agents are to leave it a place on their ring.
        """
        self._agent_id, self._is_telling = agent_id, is_telling
        self._kind, self._is_on_ring = kind, ring_member
        own = OwnVehicle(Setup(swarm=swarm, limits=limits), safety)
        super().__init__(OwnRows(agent_id, own))
        self._strangers: dict[int, KnownBody] = {}
        self.wanted: Vector | None = None
        self._seq = 1

    def retune(self, limits: CommandLimits, safety: SafetyParameters) -> None:
        """Continue with other limits and distances."""
        own = self.rows.own
        self.rows.use(own._replace(setup=own.setup._replace(limits=limits), safety=safety))

    @property
    def timeout(self) -> float:
        """Time [s] after which another vehicle counts as silent."""
        return self.rows.rules.swarm.agent_timeout

    @property
    def done(self) -> FilterResult:
        """The filter's change of the last command."""
        return self.rows.flight.guard.done[self.rows.i]

    def receive(self, now: float, states: Iterable[State]) -> None:
        """Store received states, at time ``now`` [s]."""
        self.rows.receive(now, states)

    def see(self, now: float, states: Iterable[AgentState]) -> None:
        """Store states of vehicles that publish none; their numbers are up to the caller."""
        for state in states:
            known = self._strangers.setdefault(state.agent_id, KnownBody())
            if not known.is_known or is_news(
                state.seq, known.seq, known.received, now, self.timeout
            ):
                row = [*state.position, *state.velocity, float(state.seq)]
                store_body(known, row, state.age, now)

    def decide(self, now: float, pose: Pose) -> MemberDecision:
        """Return the command nearest to the wanted one at time ``now`` [s]."""
        if self.wanted is None:
            return self.hold(now, pose)
        self._place(now, pose)
        limits = self.rows.own.setup.limits
        wanted = command_velocity(*self.wanted, limits.max_speed_xy, limits.max_speed_z)
        return MemberDecision(self.rows.filter_velocity(wanted, now), self._speak(now, pose))

    def hold(self, now: float, pose: Pose) -> MemberDecision:
        """Stand still at time ``now`` [s] and broadcast; bodies too near are evaded, slowly."""
        self._place(now, pose)
        return MemberDecision(self.rows.hold_still(now), self._speak(now, pose))

    def silent(self, now: float) -> list[int]:
        """Return the numbers of the silent agents at a time [s]."""
        return [body.agent_id for body in self.rows.silent(now)]

    def _place(self, now: float, pose: Pose) -> None:
        """Store the pose, and the other bodies at the time of it."""
        rows = self.rows
        rows.place(pose, self.pose_age)
        others, first = rows.flight.guard.others, len(rows.numbers) + 2
        while len(others) < first + len(self._strangers):
            others.append([0.0] * (SPAN + 1))
        then, late = now - max(0.0, self.pose_age), self.pose_age
        for row, (number, known) in zip(others[first:], self._strangers.items(), strict=True):
            write_body(rows.rules, row, known, then, late, number, self._kind)

    def _speak(self, now: float, pose: Pose) -> AgentState | None:
        if not self._is_telling:
            return None
        state = AgentState(
            self._agent_id, self._seq, *pose, age=self.pose_age, silent=self.rows.silent(now),
            ring_member=self._is_on_ring,
        )  # fmt: skip
        self._seq += 1
        return state
