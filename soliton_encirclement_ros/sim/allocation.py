"""Allocates the memory of a flight at its start, and switches its reception.

A flight has shared reception as long as all hear the same, and otherwise one for every link. In
the original's order it begins with a queue of events.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from soliton_encirclement_ros.controllers import recorded_names
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.flight_statistics.agent_statistics import (
    EFFORT_COLUMNS, Figures, no_health
)
from soliton_encirclement_ros.core.flight_statistics.filter_tally import TALLY_SIZE, FilterTally
from soliton_encirclement_ros.core.flight_statistics.near_misses import (
    MOST, NONE, TALLY, Encounters
)
from soliton_encirclement_ros.core.laws.filter_codes import LEAST_ID
from soliton_encirclement_ros.core.laws.law import U
from soliton_encirclement_ros.core.named_rows import Table, table_of_objects, table_of_records
from soliton_encirclement_ros.core.ring.metrics import FIGURES, METRIC_NAMES
from soliton_encirclement_ros.core.scenario.placement import start_positions
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE, RunStreams, body_seed
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.received_states import (
    MAX_GOSSIP, CachedAgent, CachedAgents, Size
)
from soliton_encirclement_ros.safety.filter import RESULT
from soliton_encirclement_ros.safety.filter_records import SCRATCH_COLUMNS, SCRATCH_ROWS, SPAN
from soliton_encirclement_ros.sim.chunk import AGENT_COLUMNS
from soliton_encirclement_ros.sim.compilation.vehicle_unit import states_at_rest
from soliton_encirclement_ros.sim.flight_constants import needs_links, schedule_of, sensing_arrays
from soliton_encirclement_ros.sim.kernel import observation as seen
from soliton_encirclement_ros.sim.kernel.event_tick import EVENT_COLUMNS, EventQueue, begin
from soliton_encirclement_ros.swarm import memory as at, memory_rows as rows
from soliton_encirclement_ros.swarm.agent import DECISION_COLUMNS
from soliton_encirclement_ros.swarm.memory import (
    NUMBER, CommonBodies, Counts, Doubts, FlightMemory, Floats, GuardArrays, Links, ObservedRows,
    RelayArrays, RingArrays, ScratchSpace, cyclic_size, slot_of
)
from soliton_encirclement_ros.swarm.neighbour_checks import NAMED_COLUMNS
from soliton_encirclement_ros.swarm.over_rows import is_plain, spin_memory
from soliton_encirclement_ros.swarm.rules import Rules
from soliton_encirclement_ros.swarm.separation import NOBODY_YET, NOT_COMMON
from soliton_encirclement_ros.swarm.target_report import new_estimators
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.vehicles.vehicle import VEHICLES

ALERT = 64
"""Space for events, besides one for every agent."""


def allocate(
    scenario: Scenario, rules: Rules, streams: RunStreams, samples: int, telemetry: bool,
    gossip: bool = False,
) -> FlightMemory:  # fmt: skip
    """Return all members at rest at the start, in a medium with shared reception.

    Args:
        scenario: Scenario of the flight.
        rules: Its constants.
        streams: Random streams of all draws; those of the placement are made here.
        samples: Space for so many samples.
        telemetry: Whether every agent is recorded, or the metrics alone.
        gossip: Whether it is recorded what states tell of silent agents.
    """
    count, members = rules.swarm.agents, len(scenario.members)
    table = tables_for(rules)
    schedule, estimators = schedule_of(scenario, streams), count if rules.estimator.on else 0
    starts = [*start_positions(scenario, streams).values()]
    sent = no_states(rules, 1, members)
    bodies = bodies_of(starts)
    health = table(rows.Health, count)
    for row, first in zip(health, schedule.fail_from.tolist(), strict=False):
        row.next_fail = first
    agents = table(rows.AgentMemory, count)
    for i in range(count):
        agents[i].number = i + 1
    return FlightMemory(
        table(rows.Status),
        table(Figures),
        bodies,
        bodies.copy() if rules.sensing.on else bodies,
        sensing_arrays(scenario, bodies),
        new_estimators(rules.estimator, estimators, estimators, lambda *shape: np.zeros(shape)),
        no_relay(table),
        states_at_rest(
            [*map(scenario.vehicle_of, scenario.members)],
            starts,
            [body_seed(scenario.run.seed, name) for name in scenario.members],
        ),
        np.zeros((rules.swarm.substeps if rules.record.study else 0, rules.swarm.agents)),
        sent,
        sent.reshape(-1, sent.shape[-1]),
        np.full((1, count), math.nan),
        np.zeros(1),
        table(rows.TargetReport, count),
        agents,
        np.tile(rules.law.rest, (count, 1)),
        np.tile(no_message(rules), (count, 1)),
        np.zeros(DECISION_COLUMNS),
        np.zeros(at.POSE + len(no_message(rules))),
        table(rows.MessageCounts),
        health,
        table(rows.TargetMemory),
        spin_memory(scenario.target.target_swarm_spin_law, rules.target.spin_gains),
        np.full(count, math.nan),
        table(rows.AdversaryMemory),
        np.zeros(members, dtype=np.int64),
        table(rows.External, members),
        *guard_of(rules, table),
        ring_of(count),
        no_links(table),
        schedule,
        *(cache_for(table, count) for _ in range(2)),
        record_of(scenario, rules, samples, telemetry, gossip),
        met_nobody(count),
        np.zeros((count, EFFORT_COLUMNS)),
        ScratchSpace(
            *(np.zeros(count) for _ in range(5)),
            *(np.zeros(count, dtype=np.int64) for _ in range(2)),
        ),
    )


def tables_for(rules: Rules) -> Table:
    """Return how tables are made for a flight: of objects if its law is plain Python."""
    return table_of_objects if is_plain(rules.law.functions.step) else table_of_records


def guard_of(rules: Rules, table: Table) -> tuple[Any, CommonBodies, Any, Doubts, GuardArrays]:
    """Return what agents know of others, what messages tell, doubts, and space for the filter."""
    agents = rules.swarm.agents
    count = agents if rules.safety.on else 0
    return (
        table(rows.KnownBody, count, count),
        CommonBodies(
            table(rows.KnownBody, count),
            np.full(count, NOBODY_YET),
            np.zeros((count + 2, SPAN + 1)),
        ),
        no_silent(table, 1, count),
        Doubts(
            table(rows.Doubt, agents, rows.MAX_DOUBTS),
            *(np.zeros((agents, rows.MAX_DOUBTS, at.POSE)) for _ in range(2)),
        ),
        GuardArrays(
            np.zeros((count + 2, SPAN + 1)),
            np.zeros((SCRATCH_ROWS, SCRATCH_COLUMNS)),
            np.zeros(3),
            np.zeros(3),
            np.zeros((count, RESULT)),
            table(rows.TargetReport, count),
            table(rows.FilterResult, count),
            FilterTally(
                np.zeros(TALLY_SIZE, dtype=np.int64),
                np.zeros((count, count + 1 - LEAST_ID), dtype=np.int64),
            ),
            np.zeros(rules.safety.settings.shape[1]),
        ),
    )


def no_silent(table: Table, depth: int, count: int) -> Any:
    """Return messages that tell of no silent agent, in so many layers."""
    return table(rows.GossipBody, depth, count, MAX_GOSSIP)


def met_nobody(count: int) -> Encounters:
    """Return the memory of encounters before the first."""
    columns = (np.zeros(MOST, dtype=np.int64) for _ in range(4))
    tally = np.zeros(TALLY, dtype=np.int64)
    return Encounters(*columns, np.full(count, NONE, dtype=np.int64), tally)


def bodies_of(starts: Sequence[Vector]) -> Floats:
    """Return all bodies at rest where they start [m]."""
    bodies = np.zeros((len(starts), at.BODY_COLUMNS))
    bodies[:, at.X : at.Z + 1] = starts
    bodies[:, at.ROTATION_W] = 1.0
    return bodies


def no_relay(table: Table, depth: int = 0, count: int = 0) -> RelayArrays:
    """Return messages that tell of no target, in so many layers."""
    return RelayArrays(table(rows.RelayedReport, depth, count), np.zeros((count, count)))


def cache_for(table: Table, count: int) -> CachedAgents:
    """Return the cache of a receiver that has received no agent."""
    return CachedAgents(table(CachedAgent, count), np.zeros(count, dtype=np.int64), table(Size))


def no_states(rules: Rules, depth: int, members: int) -> Floats:
    """Return space for the states of all members, in so many layers."""
    return np.zeros((depth, members, U + len(no_message(rules))))


def no_message(rules: Rules) -> Floats:
    """Return the message of an agent at the start: of its law, then of its estimator."""
    if not rules.estimator.on:
        return rules.law.no_message
    return np.concatenate((rules.law.no_message, [0.0], rules.estimator.no_message))


def ring_of(count: int) -> RingArrays:
    """Return an empty ring."""
    return RingArrays(
        np.zeros(count),
        np.zeros(count),
        np.full(count, -1, dtype=np.int64),
        *(np.zeros(count, dtype=np.int64) for _ in range(2)),
        *(np.zeros(count) for _ in range(3)),
        *(np.zeros(count, dtype=np.int64) for _ in range(2)),
        *(np.zeros(count) for _ in range(3)),
    )


def no_links(table: Table) -> Links:
    """Return the links of a medium with shared reception."""
    return links_of(table, np.zeros(1, dtype=np.int64), 1, 1, 1)


def has_attitudes(scenario: Scenario) -> bool:
    """Return whether a vehicle rolls, pitches or turns."""
    vehicles = map(scenario.vehicle_of, scenario.members)
    return any(VEHICLES[vehicle.vehicle].attitude is not None for vehicle in vehicles)


def record_of(
    scenario: Scenario, rules: Rules, samples: int, telemetry: bool, gossip: bool
) -> ObservedRows:
    """Return empty space for the recorded data."""
    count = rules.swarm.agents
    values = recorded_names(scenario.control.controller, rules.safety.on, rules.estimator.on)
    columns = len(AGENT_COLUMNS) + len(values)
    ticks = scenario.ticks if rules.record.study else 0
    adversary = samples if rules.swarm.adversary else 0
    attitudes = samples if telemetry and has_attitudes(scenario) else 0
    truth = samples if telemetry and rules.sensing.on else 0
    silent = samples if gossip and rules.safety.on else 0
    return ObservedRows(
        np.zeros(samples),
        np.zeros((samples if telemetry else 0, count, columns)),
        np.zeros((samples, 8)),
        np.zeros((adversary, 7)),
        np.zeros((samples, len(METRIC_NAMES))),
        np.zeros(samples),
        np.zeros(samples),
        np.zeros((attitudes, len(scenario.members), at.ATTITUDE_COLUMNS)),
        np.zeros((silent, count, MAX_GOSSIP, seen.GOSSIP_COLUMNS)),
        np.zeros((truth, len(scenario.members), seen.TRUTH_COLUMNS)),
        np.zeros((count + ALERT, 3)),
        np.zeros((count, NAMED_COLUMNS)),
        np.tile(no_health(), (count, 1)),
        np.zeros((FIGURES, count)),
        np.arange(count),
        np.arange(count),
        np.zeros((ticks, count)),
        np.zeros((ticks, count)),
        np.zeros((ticks, rules.swarm.substeps if ticks else 0, count)),
    )


EVENTS_PER_MEMBER = 8
"""Maximum number of waiting events, besides messages in transit and cancelled events."""


BYTES_PER_EVENT = 8 * (1 + EVENT_COLUMNS)


def event_queue(scenario: Scenario, rules: Rules) -> EventQueue:
    """Return a queue with the first events, and with space for all that can ever wait in it."""
    room = largest_queue(scenario)
    queue = EventQueue(
        np.zeros(room),
        np.zeros((room, EVENT_COLUMNS), dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )
    begin(rules, queue)
    return queue


def largest_queue(scenario: Scenario) -> int:
    """Return how many events can wait at once."""
    members, period = len(scenario.members), scenario.swarm.control_period
    on_the_way = math.ceil(scenario.radio.communication_delay / period) + 2
    called_off = math.ceil(period / scenario.failure.failure_check_period) + 1
    return 1 + (EVENTS_PER_MEMBER + called_off + on_the_way * members) * members


MAX_BYTES = 8e9
BYTES_PER_LINK = 28


def with_links(scenario: Scenario, rules: Rules, flight: FlightMemory) -> FlightMemory:
    """Return a flight that continues with links, from the states known to all agents by now.

    Raises:
        RunError: The agents have too many links.
    """
    check_size(scenario)
    count, members = rules.swarm.agents, flight.bodies.shape[0]
    depth, table = layers(scenario), tables_for(rules)
    sent = no_states(rules, depth, members)
    weights = np.full((depth, count), math.nan)
    omega = np.zeros(depth)
    numbers = flight.sent[0, :, NUMBER].astype(np.int64)
    sent[slot_of(numbers, depth), np.arange(members)] = flight.sent[0]
    last = slot_of(numbers[count], depth)
    weights[last], omega[last] = flight.weights[0], flight.omega[0]
    flight.status.shared, flight.status.links_due = False, True
    flight.common.came[:] = flight.status.common_since = NOT_COMMON
    return flight._replace(
        sent=sent,
        rows=sent.reshape(-1, sent.shape[-1]),
        weights=weights,
        omega=omega,
        links=links_of(table, numbers, count, members, depth),
        gossip=no_silent(table, depth, len(flight.known)),
        relay=no_relay(table, *((depth, count) if rules.law.relays else ())),
    )


def without_links(rules: Rules, flight: FlightMemory) -> FlightMemory:
    """Return a flight with shared reception again, after identical messages for long enough."""
    members, table, status = flight.bodies.shape[0], tables_for(rules), flight.status
    last = flight.sent[:, :, NUMBER].argmax(axis=0)
    target = last[len(flight.agents)]
    flight.ring.place[:] = -1
    status.ring_size = status.uniform_for = 0
    status.shared = True
    sent = flight.sent[last, np.arange(members)][None]
    return flight._replace(
        sent=sent,
        rows=sent.reshape(-1, sent.shape[-1]),
        weights=flight.weights[target][None].copy(),
        omega=flight.omega[target : target + 1].copy(),
        links=no_links(table),
        gossip=no_silent(table, 1, len(flight.known)),
        relay=no_relay(table),
    )


def check_links(scenario: Scenario) -> None:
    """Refuse a flight that needs too many links from its start.

    Raises:
        RunError: There is not enough memory.
    """
    if needs_links(scenario):
        check_size(scenario)


def check_size(scenario: Scenario) -> None:
    """Refuse more links than fit into memory.

    Raises:
        RunError: There are more.
    """
    count = scenario.run.num_agents
    need = BYTES_PER_LINK * count * count
    if scenario.run.rng == REFERENCE:
        need += BYTES_PER_EVENT * largest_queue(scenario)
    if need > MAX_BYTES:
        raise RunError(
            f'run.num_agents = {count}: receivers differ, which takes {need / 1e9:.0f} GB for '
            f'the links, at most {MAX_BYTES / 1e9:.0f}; fly fewer agents or widen the radio'
        )


def layers(scenario: Scenario) -> int:
    """Return for how many ticks a state is kept: as long as anybody needs it, or longer."""
    swarm, control, radio = scenario.swarm, scenario.control, scenario.radio
    longest = max(
        swarm.agent_state_timeout,
        control.neighbour_hold_time,
        swarm.target_state_timeout + control.target_hold_time,
    )
    longest += radio.communication_delay + radio.communication_jitter
    return cyclic_size(min(math.ceil(longest / swarm.control_period) + 4, scenario.ticks + 2))


def links_of(table: Table, numbers: Counts, count: int, members: int, depth: int) -> Links:
    """Return links before anything was received; ``numbers`` are those of the last states sent."""
    return Links(
        table(rows.Link, count, count),
        np.zeros((count, count), dtype=np.int32),
        np.zeros(count, dtype=np.int64),
        numbers[:count].copy(),
        np.zeros((depth, members, 3)),
        np.zeros(depth, dtype=np.bool_),
        *(np.zeros((depth, members), dtype=np.uint64) for _ in range(2)),
    )
