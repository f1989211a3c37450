"""The offline engine: a scenario flown by compiled laws, chunk by chunk.

The same functions fly it in plain Python, over the same memory and to the same bits: so a flight
need not wait for the compiler, and goes on in machine code when there is some.

Members may be flown elsewhere, and are what is heard of them. Agents fail and recover on request,
by the rules of ``Failures``. The error of a law or an estimator that failed is found by repeating
its step once, interpreted.
"""

import copy
import math
from collections.abc import Callable, Collection, Iterable
from functools import partial

import numpy as np

from soliton_encirclement_ros.controllers import kind_of
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.estimation.estimator import EstimatorSetup
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.flight_statistics.gap_recovery import RingEvent
from soliton_encirclement_ros.core.flight_statistics.original_study import StudyRecord
from soliton_encirclement_ros.core.laws.law_fault import endless, fault_line, fault_of
from soliton_encirclement_ros.core.named_rows import arrayed
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE, run_streams
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.schedules import is_open
from soliton_encirclement_ros.core.states.received_states import MAX_GOSSIP
from soliton_encirclement_ros.core.states.states import AgentState, TargetState
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, uav
from soliton_encirclement_ros.sim.allocation import (
    allocate, event_queue, with_links, without_links
)
from soliton_encirclement_ros.sim.chunk import Chunk, ChunkSizer, RealTimePace
from soliton_encirclement_ros.sim.compilation.compiled import bound, compiled, stored
from soliton_encirclement_ros.sim.compilation.vehicle_unit import vehicle_rules, write_state
from soliton_encirclement_ros.sim.engine_observer import EngineObserver
from soliton_encirclement_ros.sim.flight_constants import needs_links, rules_of, setup_of
from soliton_encirclement_ros.sim.kernel.event_tick import EventQueue, fly_by_events
from soliton_encirclement_ros.sim.kernel.motion import measure_target, move
from soliton_encirclement_ros.sim.kernel.observation import GOSSIP_COLUMNS
from soliton_encirclement_ros.sim.kernel.swarm_tick import BROKEN_LAW, PER_LINK, REJOINED, fly
from soliton_encirclement_ros.swarm.failures import bring_back, is_failed, take_down
from soliton_encirclement_ros.swarm.memory import FlightMemory, Floats
from soliton_encirclement_ros.swarm.over_rows import Call, estimator_call, is_plain, law_call
from soliton_encirclement_ros.swarm.rules import time_at
from velocity_mobility_ros.core.plugins import short_name
from velocity_mobility_ros.vehicles.vehicle import VEHICLES, State


def check_external(scenario: Scenario, names: Iterable[str]) -> None:
    """Refuse members that cannot be flown elsewhere.

    Args:
        scenario: The scenario.
        names: Names of the members.

    Raises:
        RunError: One is no agent and not the target, or the flight is one by events.
    """
    possible = [name for name in scenario.members if name != ADVERSARY]
    for name in names:
        if name not in possible:
            raise RunError(f'external member {name!r} must be one of {named(possible)}')
        if scenario.run.rng == REFERENCE:
            raise RunError(
                f'external member {name!r}: not with run.rng = {REFERENCE}, where members act one '
                'after the other'
            )


CHUNK_BYTES = 2**24
LARGEST_CHUNK = 4096


Pace = ChunkSizer | RealTimePace
"""Decides how many ticks are flown at a time, and when."""


class Engine:
    """One flight; ``seen`` holds the observed data so far.

    ``on_chunk`` gets the samples as they are taken. The arrays of a chunk are reused: copy them to
    keep them.
    """

    def __init__(
        self,
        scenario: Scenario,
        every: int = 1,
        telemetry: bool = True,
        study: bool = False,
        trails: bool = False,
        room: int = LARGEST_CHUNK,
        gossip: bool = False,
        external: Collection[str] = (),
        is_compiled: Callable[[], bool] | None = None,
    ) -> None:
        """Place all members.

        Args:
            scenario: Scenario of the flight.
            every: Ticks between two samples.
            telemetry: Whether chunks hold every agent, or the metrics alone.
            study: Whether the numbers of the study are recorded: they take memory in proportion
                to the length of the flight.
            trails: Whether paths are kept for plots; only with telemetry.
            room: Samples in a chunk, at most.
            gossip: Whether chunks hold what states tell of silent agents.
            external: Names of members that are flown elsewhere; ``hear`` says where they are.
            is_compiled: Returns whether compiled code is there by now: until then the flight is
                interpreted. None: it is compiled first where it is not.

        Raises:
            RunError: A member cannot be flown elsewhere.
        """
        check_external(scenario, external)
        self.scenario = scenario
        self.seen = EngineObserver(
            trails and telemetry, scenario.run.num_agents, scenario.swarm.control_period
        )
        self.on_chunk: Callable[[Chunk], None] = lambda chunk: None
        self._is_compiled, self._sampling = is_compiled, (every, study)
        self._rules = rules_of(scenario, *self._sampling, plain=is_compiled is not None)
        self._streams = run_streams(scenario.run.rng, scenario.run.seed)
        gossip = gossip and self._rules.safety.on
        room = self._room(every, telemetry, gossip, room)
        self._flight = allocate(scenario, self._rules, self._streams, room, telemetry, gossip)
        for name in external:  # nothing is heard of them yet
            self._flight.external[scenario.members.index(name)].is_external = True
        if needs_links(scenario):
            self._flight = with_links(scenario, self._rules, self._flight)
        self._queue: EventQueue | None = None
        self._fly = self._prepared()
        self._finished = False

    @property
    def ticks(self) -> int:
        """Ticks flown so far."""
        return int(self._flight.status.tick)

    @property
    def study(self) -> StudyRecord:
        """Input of the study's metrics."""
        record, ticks, swarm = self._flight.record, self.ticks, self._rules.swarm
        return StudyRecord(
            record.errors[:ticks],
            record.failed[:ticks] != 0.0,
            record.speeds[:ticks],
            swarm.period,
            swarm.update_period,
            self.scenario.mobility.max_speed_xy,
        )

    @property
    def memories(self) -> Floats:
        """What the laws of all agents remember, a row each, to be read or changed between ticks.

        The array is another one after each tick in which the flight changes its reception.
        """
        return self._flight.laws

    def place(self, member: str, state: State) -> None:
        """Let a member without latencies start in another state, before the first tick.

        Args:
            member: Its name.
            state: Position, velocity and whatever else the state of its vehicle has.

        Raises:
            RunError: The flight has begun.
        """
        if self.ticks > 0:
            raise RunError(f'{member} cannot be placed: the flight is at tick {self.ticks}')
        row, vehicle = self.scenario.members.index(member), self.scenario.vehicle_of(member)
        flight = self._flight
        write_state(VEHICLES[vehicle.vehicle], state, flight.vehicles[row], flight.truth[row])

    def fail(self, agent_id: int) -> bool:
        """Take an agent down until ``recover``, from the next tick on; return if it was up."""
        health = self._flight.health[self.scenario.agent_ids.index(agent_id)]
        was_up = not is_failed(health)
        take_down(health, math.inf)
        return was_up

    def recover(self, agent_id: int) -> bool:
        """Let an agent come back at the next tick, also from a scheduled outage.

        Returns:
            Whether it was down.
        """
        i, now = self.scenario.agent_ids.index(agent_id), self._now
        health, schedule = self._flight.health[i], self._flight.schedule
        if not is_failed(health):
            return False
        for w in range(schedule.outage_from[i], schedule.outage_from[i + 1]):
            if is_open(schedule.outages[w, 0], schedule.outages[w, 1], now):
                schedule.outages[w, 1] = now
        bring_back(health, now)
        return True

    @property
    def _now(self) -> float:
        return self.ticks * self.scenario.swarm.control_period

    def hear(self, state: AgentState | TargetState, heard_at: float) -> None:
        """Take the state of an external member, of a time [s], unless a newer one is known."""
        ids, flight = self.scenario.agent_ids, self._flight
        is_target = isinstance(state, TargetState)
        member = len(ids) if is_target else ids.index(state.agent_id)
        row = flight.external[member]
        if heard_at <= row.heard_at:
            return
        (row.x, row.y, row.z), (row.vx, row.vy, row.vz) = state.position, state.velocity
        row.heard_at = heard_at
        if is_target:
            row.omega_ref = state.omega_ref
            flight.new_weights[:] = math.nan
            for agent_id, weight in state.lambdas:
                if agent_id in ids:
                    flight.new_weights[ids.index(agent_id)] = weight
        else:
            flight.messages[member, :2] = state.u, state.u_ss

    def fly(
        self,
        stop: Callable[[], bool] = lambda: False,
        each_turn: Callable[[], None] | None = None,
        pace: Pace | None = None,
    ) -> bool:
        """Fly to the end, or until ``stop`` returns true; return whether it ended.

        Args:
            stop: Called a few times per second of wall time.
            each_turn: Called as often.
            pace: How many ticks are flown at a time; by default as many as fit between two calls.
        """
        pace = pace or ChunkSizer()
        while self.ticks < self.scenario.ticks:
            if stop():
                return False
            pace.turn(self.advance)
            if each_turn is not None:
                each_turn()
        self._finish_study()
        return True

    def _go_on_compiled(self) -> None:
        """Fly in machine code from now on, if there is some by now."""
        if self._is_compiled is not None and self._is_compiled():
            self._is_compiled = None
            self._rules = rules_of(self.scenario, *self._sampling)
            self._flight = arrayed(self._flight)
            self._fly = self._prepared()

    def advance(self, ticks: int) -> None:
        """Fly some more ticks, at most to the end; pass on the recorded samples."""
        self._go_on_compiled()
        last = min(self.ticks + ticks, self.scenario.ticks)
        while self.ticks < last:
            self._fly_to(last)
            self.hand_out()

    def endless_step(self) -> str:
        """Return the error of the first agent whose step does not return, empty if all do.

        For another thread than that of the flight, which is in that step.
        """
        flight = copy.deepcopy(self._flight)
        for number in range(1, self.scenario.run.num_agents + 1):
            for is_law in (False, True) if self.scenario.is_estimated else (True,):
                name, call, now = self._step_of(flight, number, is_law)
                if what := endless(call[0], *call[1]):
                    return fault_line(name, number, now, what)
        return ''

    def _law_error(self) -> str:
        """Return the error in the step of the agent at which the flight stopped."""
        number = int(self._flight.status.faulty)
        name, (function, arguments), now = self._step_of(self._flight, abs(number), number > 0)
        return fault_line(name, abs(number), now, fault_of(function, *arguments))

    def _step_of(
        self, flight: FlightMemory, number: int, is_law: bool
    ) -> tuple[str, Call, float]:
        """Return an agent's law or estimator, its step at the present tick, and the time [s]."""
        scenario, rules, i = self.scenario, self._rules, number - 1
        now = time_at(rules, int(flight.status.tick))
        if is_law:
            setup = setup_of(scenario, uav(number))
            law = kind_of(scenario.control.controller).law(setup)
            call = law_call(law, setup, rules, flight, i, now)
            return short_name(scenario.control.controller), call, now
        setup = EstimatorSetup(scenario.target_sensing, scenario.swarm)
        call = estimator_call(setup, rules, flight, i, now, measure_target(rules, flight, i))
        return short_name(scenario.target_sensing.estimator), call, now

    def _prepared(self) -> Callable[[int], int]:
        """Return the function that flies to a tick, or until space runs out, and returns why.

        It is compiled, or interpreted with a law that is not.
        """
        rules, flight, streams = self._rules, self._flight, self._streams
        rest, program = (streams.target, streams.adversary), fly
        if self.scenario.run.rng == REFERENCE:
            if self._queue is None:
                self._queue = event_queue(self.scenario, rules)
            rest, program = (self._queue, streams.radio), fly_by_events
        if is_plain(rules.law.functions.step):
            return partial(np.errstate(over='ignore')(program), rules, flight, *rest)
        return bound(compiled(program), *stored(rules, flight), *rest)

    def _fly_to(self, tick: int) -> None:
        """Fly to a tick, or until space runs out. Links are created and removed on the way.

        Raises:
            RunError: The law of an agent failed.
        """
        while (status := self._fly(tick)) in (PER_LINK, REJOINED):
            if status == PER_LINK:
                self._flight = with_links(self.scenario, self._rules, self._flight)
            else:
                self._flight = without_links(self._rules, self._flight)
            self._fly = self._prepared()
        if status == BROKEN_LAW:
            self.hand_out()
            raise RunError(self._law_error())

    def hand_out(self) -> None:
        """Pass on the recorded samples, and free their space.

        Also for another thread, when that of the flight is lost.
        """
        record, status = self._flight.record, self._flight.status
        events = record.events[: status.events].tolist()
        self.seen.events += [RingEvent(when, int(i) + 1, down != 0.0) for when, i, down in events]
        self.seen.see_totals(self._flight)
        samples = int(status.samples)
        status.events = status.samples = 0
        if samples == 0:
            return
        chunk = Chunk(*(getattr(record, name)[:samples] for name in Chunk._fields))
        self.seen.see(chunk)
        self.on_chunk(chunk)

    def _finish_study(self) -> None:
        """Move the bodies once more: the study uses the time after the last tick as well."""
        if self._rules.record.study and not self._finished:
            self._finished = True
            vehicles = map(self.scenario.vehicle_of, self.scenario.members)
            plain = vehicle_rules([*vehicles], plain=True)
            move(self._rules._replace(vehicle=plain), self._flight)

    def _room(self, every: int, telemetry: bool, gossip: bool, most: int) -> int:
        """Return for how many samples there is space."""
        agents = self.scenario.run.num_agents if telemetry else 1
        numbers = 24 + (MAX_GOSSIP * GOSSIP_COLUMNS if gossip else 0)
        room = min(CHUNK_BYTES // (8 * numbers * agents), most, self.scenario.ticks // every + 1)
        return max(1, room)
