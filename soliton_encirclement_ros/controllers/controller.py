"""An agent's controller: a law with its memory, fed with the received states."""

from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.plugins import short_name

from soliton_encirclement_ros.controllers.shared_ring import ring_of, ring_view
from soliton_encirclement_ros.core.errors import LawFaultError
from soliton_encirclement_ros.core.laws.agent_rules import (
    FLY,
    GIVE_UP,
    NOT_SENT,
    SentPose,
    as_others_see,
    relays_target,
    what_to_do,
)
from soliton_encirclement_ros.core.laws.law import (
    Decision,
    Law,
    Memory,
    Message,
    RingView,
    Setup,
    TargetView,
    View,
)
from soliton_encirclement_ros.core.laws.law_fault import (
    NOTHING_WANTED,
    checked_law,
    fault_line,
    raised_text,
)
from soliton_encirclement_ros.core.laws.law_registry import is_of_user
from soliton_encirclement_ros.core.laws.record_rows import field_names, packing
from soliton_encirclement_ros.core.laws.ring_messages import COMMON_FIELDS
from soliton_encirclement_ros.core.ring.predict_bearing import predict_bearing
from soliton_encirclement_ros.core.run.stages import Stages, run_through
from soliton_encirclement_ros.core.states.agent_cache import AgentCache, Receptions
from soliton_encirclement_ros.core.states.neighbour_timeout import NeighbourTracks
from soliton_encirclement_ros.core.states.shared_steps import same_names
from soliton_encirclement_ros.core.states.states import Pose, TargetState

STILL: Vector = (0.0, 0.0, 0.0)


class Knowledge(NamedTuple):
    """All inputs of an agent at a tick.

    ``now`` is the time [s]; ``target`` is the last received state, None before the first;
    ``target_alive`` is whether it is fresh and ``target_age`` [s] its age;
    ``last_command`` [m/s] is the last command to the vehicle; ``pose_age`` [s] is the age of the
    pose.
    """

    now: float
    agent_id: int
    pose: Pose
    agents: AgentCache
    target: TargetState | None
    target_alive: bool
    target_age: float
    last_command: Vector
    pose_age: float = 0.0


class Broadcast(NamedTuple):
    """The message of a controller to the neighbours."""

    u: float
    u_ss: float
    prop: tuple[tuple[str, float], ...] = ()


class Controller:
    """One agent's law with its memory."""

    def __init__(self, law: Law, setup: Setup) -> None:
        """Start without known agents."""
        self.law = checked_law(law) if is_of_user(setup) else law
        self.telemetry_quantities = law.telemetry
        self.telemetry_names = law.telemetry_names
        self.decision = NOTHING_WANTED
        self.memory = law.rest
        self._message = law.no_message
        self._packing = packing(law.no_message, COMMON_FIELDS)
        self._fields = same_names(field_names(law.no_message))
        self._own_fields = [name for name in self._fields if name not in COMMON_FIELDS]
        self._least_timeout = 0.0
        self._take(setup)
        self._forget_others()

    @property
    def neighbours(self) -> tuple[int, int]:
        """Predecessor and successor of the last step, -1 for none."""
        return self.decision.pred, self.decision.succ

    @property
    def relays_target(self) -> bool:
        """Whether agents pass on reports of the target."""
        return relays_target(self.law, self._setup.control)

    @property
    def target_hold(self) -> float:
        """Age of the target's state [s] beyond which it is lost."""
        return self._target_hold

    def retune(self, setup: Setup) -> None:
        """Continue with other gains and limits; the memory stays."""
        self._take(setup)
        self._tracks.tolerate(*self._timeouts)

    def keep_up_with(self, timeout: float) -> None:
        """Tolerate a silence of the neighbours of at least a time [s] from now on."""
        self._least_timeout = timeout
        self._tracks.tolerate(*self._timeouts)

    def reset(self) -> None:
        """Handle the return of the agent after a failure.

        Raises:
            LawFaultError: The law raised an exception, or returned no memory.
        """
        try:
            self.memory = self.law.reset(self.memory)
        except Exception as error:  # anything that an author's law may do
            raise LawFaultError(f'{self._name}: {raised_text(error)}') from error
        self._message, self.decision = self.law.no_message, NOTHING_WANTED
        self._forget_others()

    def step(self, known: Knowledge) -> Vector:
        """Advance one control period; return the desired velocity [m/s, map], not yet limited.

        Raises:
            LawFaultError: The law raised an exception, or what it returned is no result; its
                memory is then unchanged.
        """
        return run_through(self.step_in_stages(known))

    def step_in_stages(self, known: Knowledge) -> Stages[Vector]:
        """Do as ``step``."""
        present = self._tracks.update(known.now, known.agents, known.agent_id)
        has_received = known.target is not None
        todo = what_to_do(has_received, known.target_age, self._target_hold)
        if todo == GIVE_UP:
            self._give_up()
        if todo != FLY or known.target is None:
            self.decision = NOTHING_WANTED
            return STILL
        yield
        view = self._view(known, known.target, present)
        yield
        self.memory, self._message, self.decision = self._checked_step(view)
        self._sent = SentPose(True, known.now - known.pose_age, *known.pose)
        return self.decision.velocity

    def _checked_step(self, view: View) -> tuple[Memory, Message, Decision]:
        try:
            return self.law.step(self._gains, self.memory, view)
        except Exception as error:  # anything that an author's law may do
            what = fault_line(self._name, view.agent_id, view.now, raised_text(error))
            raise LawFaultError(what) from error

    def broadcast(self) -> Broadcast:
        """Return the message to the neighbours after a step."""
        row = [0.0] * self._packing.size
        self._packing.pack(self._message, row)
        u, u_ss, *own = row
        return Broadcast(u, u_ss, tuple(zip(self._own_fields, own, strict=True)))

    def telemetry(self) -> tuple[float, ...]:
        """Return the internal values to record."""
        return tuple(self.law.values(self.memory))

    def _take(self, setup: Setup) -> None:
        self._setup = setup
        self._name = short_name(setup.control.controller)
        self._gains = self.law.gains(setup)
        self._target_hold = self.law.target_hold(setup)

    @property
    def _timeouts(self) -> tuple[float, float]:
        """Silences of neighbours [s]: that which is always tolerated, and the longest."""
        timeout = self.law.neighbour_timeout(self._setup)
        return max(timeout, self._least_timeout), self.law.neighbour_hold(self._setup)

    def _forget_others(self) -> None:
        self._tracks = NeighbourTracks(self._setup.swarm.control_period, *self._timeouts)
        self._sent = NOT_SENT

    def _give_up(self) -> None:
        """Forget everything: what was known of a target that is lost is worth nothing."""
        self.memory, self._message = self.law.rest, self.law.no_message
        self._forget_others()

    def _view(self, known: Knowledge, received: TargetState, present: Receptions) -> View:
        target = TargetView(
            received.seq, received.position, received.velocity, received.omega_ref,
            known.target_age, known.target_alive,
        )  # fmt: skip
        ring = self._ring(known, received, present)
        pose, command = known.pose, known.last_command
        return View(
            known.now, known.agent_id, pose.position, pose.velocity, command, self._tracks.loss,
            target, ring, known.pose_age,
        )  # fmt: skip

    def _ring(self, known: Knowledge, received: TargetState, present: Receptions) -> RingView:
        """Return all present agents in ring order, equal for all agents with the same messages."""
        now, r_min, is_reckoned = known.now, self._setup.control.r_min, self.law.dead_reckoning
        own = predict_bearing(
            *as_others_see(self._sent, now, *known.pose), received.position, received.velocity,
            known.target_age, r_min, is_reckoned,
        )  # fmt: skip
        ring = ring_of(now, received, known.target_age, r_min, is_reckoned, self._fields, present)
        return ring_view(ring, known.agent_id, own)
