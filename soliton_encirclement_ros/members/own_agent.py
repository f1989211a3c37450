"""An agent of a node: receives states, computes its command, broadcasts; fails and returns."""

from collections.abc import Callable, Iterable

import numpy as np

from soliton_encirclement_ros.controllers import kind_of
from soliton_encirclement_ros.core.errors import LawFaultError
from soliton_encirclement_ros.core.estimation.bearing_sensor import NO_BEARING, read
from soliton_encirclement_ros.core.estimation.estimator import (
    NOTHING_SEEN, EstimatorSetup, TargetMeasurement, locate_measurement
)
from soliton_encirclement_ros.core.laws.law import Setup
from soliton_encirclement_ros.core.laws.law_fault import fault_line, fault_of
from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.core.member_paths import PathFlight
from soliton_encirclement_ros.core.named_rows import numbers_of
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import FailureParameters
from soliton_encirclement_ros.core.parameters.target_parameters import TargetSensingParameters
from soliton_encirclement_ros.core.schedules import outages
from soliton_encirclement_ros.core.states.received_states import is_fresh
from soliton_encirclement_ros.core.states.states import AgentState, Pose, State
from soliton_encirclement_ros.members.inbox import report_fields, write_message
from soliton_encirclement_ros.members.own_rows import (
    STILL, FilteredVehicle, MemberDecision, OwnRows
)
from soliton_encirclement_ros.members.own_rules import PLAIN_CODE, Code, OwnVehicle, plain_code
from soliton_encirclement_ros.swarm.agent import clear_decision, go_down
from soliton_encirclement_ros.swarm.failures import Failures
from soliton_encirclement_ros.swarm.memory import FINE
from soliton_encirclement_ros.swarm.neighbour_checks import REASONS
from soliton_encirclement_ros.swarm.over_rows import estimator_call, interpreted, law_call
from soliton_encirclement_ros.swarm.reception import forget_others, report_age, target_is_fresh
from soliton_encirclement_ros.swarm.target_report import accept_relayed_report, forget_target
from velocity_mobility_ros.core.plugins import short_name
from velocity_mobility_ros.core.velocity_model import Vector


class Agent(FilteredVehicle):
    """One agent with the states of the others and its own health.

    Attributes:
        agent_id: Number k of ``uav_k``.
        failures: Its state of health.
        now: Time of its last tick [s].
    """

    def __init__(
        self,
        agent_id: int,
        own: OwnVehicle,
        failures: Failures,
        path: PathFlight | None = None,
        find_code: Callable[[OwnVehicle], Code] = plain_code,
    ) -> None:
        """Start without known agents.

        Args:
            agent_id: Number k of ``uav_k``.
            own: Its configuration, with a law.
            failures: The agent's state of health.
            path: The path that it flies before the law commands it; None: none.
            find_code: Returns the code of its tick; called at the first tick.
        """
        self.agent_id, self.failures = agent_id, failures
        super().__init__(OwnRows(agent_id, own, path))
        self._find_code: Callable[[OwnVehicle], Code] | None = find_code
        self._unpack = packing(own.law.rest).unpack
        self.now = 0.0
        self._seen, self._seen_age = NO_BEARING, 0.0
        self._is_held = False

    def begin(self) -> None:
        """Be ready for the first tick: have the code loaded that runs it."""
        if self._find_code is None:
            return
        own, path = self.rows.own, self.rows.path
        code, self._find_code = self._find_code(own), None
        if code is not PLAIN_CODE:
            self.rows = OwnRows(self.agent_id, own, path, code)

    def retune(self, setup: Setup, safety: SafetyParameters) -> None:
        """Continue with other gains, limits and distances; the memory stays."""
        self.rows.use(self.rows.own._replace(setup=setup, safety=safety))

    @property
    def is_estimating(self) -> bool:
        """Whether it estimates a target that broadcasts nothing."""
        return self.rows.rules.estimator.on

    @property
    def estimated(self) -> tuple[float, ...]:
        """The values of ``telemetry.ESTIMATE_NAMES``; none without an estimator."""
        estimates = self.rows.flight.estimator.estimates
        return tuple(estimates[self.rows.i]) if self.is_estimating else ()

    @property
    def pair(self) -> tuple[int, int]:
        """Predecessor and successor of the last step, -1 for none."""
        agent = self.rows.flight.agents[self.rows.i]
        return int(agent.pred), int(agent.succ)

    @property
    def telemetry_names(self) -> tuple[str, ...]:
        """Names of the law's recorded values."""
        return self.rows.own.law.telemetry_names

    def telemetry(self) -> tuple[float, ...]:
        """Return the law's values to record."""
        memory = numbers_of(self.rows.flight.laws[self.rows.i])
        return tuple(self.rows.own.law.values(self._unpack(memory)))

    @property
    def max_speed(self) -> float:
        """Largest horizontal speed [m/s] that it commands."""
        return self.rows.own.setup.limits.max_speed_xy

    @property
    def timeouts(self) -> int:
        """How often another agent fell silent for longer than its timeout."""
        rows, timeout = self.rows, self.rows.rules.swarm.agent_timeout
        silent = [
            link for link in rows.flight.links.rows[rows.i][: len(rows.numbers)]
            if link.number > 0 and not is_fresh(link.received, self.now, timeout)
        ]
        return int(rows.flight.agents[rows.i].timeouts) + len(silent)

    @property
    def named(self) -> dict[int, str]:
        """Numbers of agents whose states cannot be true, and why."""
        rows = self.rows
        doubts = rows.flight.doubts.rows[rows.i][: rows.flight.agents[rows.i].doubts]
        return {rows.numbers[each.who]: REASONS[each.fault] for each in doubts if each.is_named}

    def hears_target(self, now: float) -> bool:
        """Return whether a state of the target came within its timeout before a time [s]."""
        return target_is_fresh(self.rows.rules, self.rows.flight, self.rows.i, now)

    def target_age(self, now: float) -> float:
        """Return the age [s] of the target's last state at a time [s], infinite without one."""
        return report_age(self.rows.target, now)

    def neighbours(self, now: float) -> list[int]:
        """Return the numbers of the agents received within their timeout."""
        rows, timeout = self.rows, self.rows.rules.swarm.agent_timeout
        links = rows.flight.links.rows[rows.i]
        return [
            number for number, link in zip(rows.numbers, links, strict=True)
            if is_fresh(link.received, now, timeout)
        ]

    def see(self, vector: Vector, age: float = 0.0) -> None:
        """Take a measured vector to the target of an age [s]; the next one replaces it."""
        has_range = self.rows.own.estimator.target_sensing.range_noise is not None
        self._seen, self._seen_age = read(vector, has_range), age

    def receive(self, now: float, states: Iterable[State]) -> None:
        """Store received states, at time ``now`` [s]; a failed agent receives nothing."""
        self.begin()
        if not self.failures.is_down(now):
            self.rows.receive(now, states)

    def decide(self, now: float, pose: Pose) -> MemberDecision:
        """Compute the command at time ``now`` [s] from a measured pose.

        The command is finite and within the limits whatever was received.

        Raises:
            LawFaultError: The law or the estimator raised an exception, or returned a wrong
                result; its memory is then unchanged.
        """
        self.begin()
        rows, self.now = self.rows, now
        rows.place(pose, self.pose_age)
        if self.failures.update(now):
            go_down(rows.rules, rows.flight, rows.i)
            return MemberDecision(STILL, None)
        self._is_held = False
        rows.follow_path()
        measurement = self._take_measurement(pose)
        rows.decide(now, measurement)
        if rows.flight.status.faulty:
            raise LawFaultError(self._fault(now, measurement))
        return MemberDecision(rows.in_effect, self._speak(pose))

    def hold(self, now: float, pose: Pose) -> MemberDecision:
        """Stand still at time ``now`` [s] by an operator's order, and broadcast.

        Bodies too near are evaded, slowly. The law is not called. It is reset at once, so that no
        other agent acts on its last message, and again when it returns, as after a failure.
        """
        self.begin()
        rows, self.now = self.rows, now
        rows.place(pose, self.pose_age)
        if not self._is_held:
            self._is_held = True
            self.restart()
        rows.flight.agents[rows.i].was_down = True
        if self.failures.update(now):
            self.stand_still()
            return MemberDecision(STILL, None)
        if rows.rules.law.relays:
            accept_relayed_report(rows.rules, rows.flight, rows.i, now)
        command = rows.hold_still(now)
        write_message(rows.rules, rows.flight, rows.i, now)
        return MemberDecision(command, self._speak(pose))

    def restart(self) -> None:
        """Reset the memories of law and estimator.

        Raises:
            LawFaultError: The law raised an exception, or returned no memory.
        """
        rows = self.rows
        flight, i = rows.flight, rows.i
        agent = flight.agents[i]
        was_down, agent.was_down = agent.was_down, True
        if interpreted(rows.own.law, rows.own.setup).reset(flight.laws[i]) != FINE:
            flight.status.faulty = i + 1
            raise LawFaultError(self._fault(self.now, NOTHING_SEEN))
        agent.was_down = was_down
        no_message = rows.rules.law.no_message
        flight.messages[i][: len(no_message)] = no_message
        forget_others(flight, i)
        clear_decision(flight, i)
        if rows.rules.estimator.on:
            forget_target(rows.rules, flight, i)

    def _take_measurement(self, pose: Pose) -> TargetMeasurement:
        """Return the measurement of its camera since the last tick."""
        if not self.is_estimating:
            return NOTHING_SEEN
        measurement = locate_measurement(self._seen, self._seen_age, *pose, self.pose_age)
        self._seen = NO_BEARING
        return measurement

    def _fault(self, now: float, measurement: TargetMeasurement) -> str:
        """Return the line of the fault in the last step, which is then forgotten."""
        rows = self.rows
        own, number = rows.own, rows.flight.status.faulty
        rows.flight.status.faulty = 0
        if number > 0:
            name = own.setup.control.controller
            call = law_call(own.law, own.setup, rows.rules, rows.flight, rows.i, now)
        else:
            name = own.estimator.target_sensing.estimator
            call = estimator_call(own.estimator, rows.rules, rows.flight, rows.i, now, measurement)
        function, arguments = call
        return fault_line(short_name(name), self.agent_id, now, fault_of(function, *arguments))

    def _speak(self, pose: Pose) -> AgentState:
        """Return the state to send; the next one has the next number."""
        rows = self.rows
        agent = rows.flight.agents[rows.i]
        u, u_ss, *values = numbers_of(rows.flight.messages[rows.i])
        names = (*rows.fields.law, *rows.fields.estimator)
        prop = tuple(zip(names, values, strict=True))
        if rows.fields.relays:
            prop += report_fields(rows.flight.relay.gossip[0], rows.i)
        seq = int(agent.next_seq)
        agent.next_seq = seq + 1
        return AgentState(
            self.agent_id, seq, *pose, u, u_ss, prop, self.pose_age, silent=rows.gossip
        )


UNFILTERED = SafetyParameters(separation_filter=False)
BROADCASTING = TargetSensingParameters()
"""The target broadcasts its state."""


def make_agent(
    agent_id: int,
    setup: Setup,
    failure: FailureParameters,
    stream: np.random.Generator,
    path: PathFlight | None = None,
    safety: SafetyParameters = UNFILTERED,
    target_sensing: TargetSensingParameters = BROADCASTING,
    find_code: Callable[[OwnVehicle], Code] = plain_code,
) -> Agent:
    """Return an agent with a fresh law.

    Args:
        agent_id: Number k of ``uav_k``.
        setup: Parameters of its law, and the limits of its vehicle.
        failure: When it fails.
        stream: Random stream of its failures.
        path: The path that it flies, or None.
        safety: Its separation filter.
        target_sensing: Its camera and its estimator of the target.
        find_code: Returns the code of its tick.
    """
    out = outages(failure.failure_schedule, agent_id)
    law = kind_of(setup.control.controller).law(setup)
    is_estimating = not target_sensing.target_broadcasts
    estimator = EstimatorSetup(target_sensing, setup.swarm) if is_estimating else None
    own = OwnVehicle(setup, safety, law, estimator)
    return Agent(agent_id, own, Failures(failure, stream, 0.0, out), path, find_code)
