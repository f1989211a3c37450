"""A vehicle that somebody else commands: its separation filter, and what it says of itself."""

from collections.abc import Iterable
from typing import NamedTuple

from velocity_mobility_ros.core.limits import command_velocity
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.actors.separation_guard import make_guard
from soliton_encirclement_ros.core.parameters.safety_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits,
    SwarmParameters,
)
from soliton_encirclement_ros.core.states.known_bodies import KnownBodies
from soliton_encirclement_ros.core.states.message_acceptance import (
    SingleCache,
    stretched,
)
from soliton_encirclement_ros.core.states.states import (
    AgentState,
    Pose,
    State,
    TargetState,
)
from soliton_encirclement_ros.safety.codes import GHOST, NOBODY, STRANGER
from soliton_encirclement_ros.safety.settings import fence_of, filter_settings

STILL: Vector = (0.0, 0.0, 0.0)


class GuardedDecision(NamedTuple):
    """Output of one tick; ``state`` is None if another node says where the vehicle is."""

    command: Vector
    state: AgentState | None


class GuardedVehicle:
    """The separation filter of a vehicle, with all that it is told.

    Attributes:
        guard: The filter; None: commands are only limited.
        others: Vehicles that publish no agent states; numbers are up to the caller.
        wanted: The velocity that somebody wants [m/s, map]; None: nobody, it is to stand
            still.
        pose_age: Age [s] of the pose at the next tick.
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
            is_telling: Whether to say where the vehicle is.
            kind: Kind of ``others`` that are heard: STRANGER or MUTUAL.
            ring_member: Whether agents are to leave it a place on their ring.
        """
        self._agent_id, self._swarm = agent_id, swarm
        self._limits, self._is_telling, self._kind = limits, is_telling, kind
        self._is_on_ring = ring_member
        self.guard = make_guard(agent_id, safety, limits, swarm)
        self.others = KnownBodies(NOBODY)
        self.timeout = swarm.agent_state_timeout
        self._target = SingleCache(swarm.target_state_timeout)
        self.wanted: Vector | None = None
        self.pose_age = 0.0
        self._seq = 1

    def retune(self, limits: CommandLimits, safety: SafetyParameters) -> None:
        """Continue with other limits and distances."""
        self._limits = limits
        if self.guard is not None:
            self.guard.retune(filter_settings(safety, limits, self._swarm), fence_of(safety))

    def keep_up_with(self, longest_period: float) -> None:
        """Let the timeouts suit the longest of the last control periods [s]."""
        swarm = self._swarm
        self.timeout = stretched(swarm.agent_state_timeout, longest_period)
        self._target.timeout = stretched(swarm.target_state_timeout, longest_period)
        if self.guard is not None:
            self.guard.keep_up_with(self._target.timeout)

    def receive(self, now: float, states: Iterable[State]) -> None:
        """Store received states, at time ``now`` [s]."""
        received = tuple(states)
        if self.guard is not None:
            self.guard.receive(received, now, self.timeout)
        for state in received:
            if isinstance(state, TargetState):
                self._target.accept(state, now)

    def decide(self, now: float, pose: Pose) -> GuardedDecision:
        """Return the command nearest to the wanted one at time ``now`` [s]."""
        if self.wanted is None:
            return self.hold(now, pose)
        limits = self._limits
        wanted = command_velocity(*self.wanted, limits.max_speed_xy, limits.max_speed_z)
        return GuardedDecision(self._kept_apart(wanted, now, pose), self._speak(now, pose))

    def hold(self, now: float, pose: Pose) -> GuardedDecision:
        """Stand still at time ``now`` [s], and say where; who comes too near is evaded, slowly."""
        return GuardedDecision(self._kept_standing(now, pose), self._speak(now, pose))

    def stand_still(self) -> None:
        """Note that the vehicle gets command 0, whoever is near."""
        if self.guard is not None:
            self.guard.stop()

    @property
    def filtered(self) -> tuple[float, ...]:
        """The values of ``telemetry.FILTER_NAMES``; none without a filter."""
        return () if self.guard is None else self.guard.telemetry

    def silent(self, now: float) -> list[int]:
        """Return the numbers of the silent agents at a time [s]."""
        if self.guard is None:
            return []
        return [body.agent_id for body in self.guard.silent(now, self.timeout)]

    def _kept_apart(self, wanted: Vector, now: float, pose: Pose) -> Vector:
        """Return the command [m/s] after the separation filter."""
        if self.guard is None:
            return wanted
        age, more = self.pose_age, self._more(now)
        return self.guard.command(wanted, now, pose, self.timeout, self._target, age, more)

    def _kept_standing(self, now: float, pose: Pose) -> Vector:
        """Return the command [m/s] of a vehicle that is to stand still."""
        if self.guard is None:
            return STILL
        age, more = self.pose_age, self._more(now)
        return self.guard.stand(now, pose, self.timeout, self._target, age, more)

    def _more(self, now: float) -> list[list[float]]:
        """Return the rows of the vehicles that publish no agent states, at the pose's time."""
        return self.others.rows(now - self.pose_age, self.timeout, self._kind, GHOST)

    def _speak(self, now: float, pose: Pose) -> AgentState | None:
        if not self._is_telling:
            return None
        silent = () if self.guard is None else self.guard.silent(now, self.timeout)
        state = AgentState(
            self._agent_id,
            self._seq,
            pose.position,
            pose.velocity,
            age=self.pose_age,
            silent=silent,
            ring_member=self._is_on_ring,
        )
        self._seq += 1
        return state
