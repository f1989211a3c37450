"""Allocates the memory of a flight at its start."""

import math
from collections.abc import Sequence

import numpy as np
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.vehicles import VEHICLES

from soliton_encirclement_ros.actors.failures import healthy
from soliton_encirclement_ros.controllers import recorded_names
from soliton_encirclement_ros.core.laws.filter_codes import LEAST_ID
from soliton_encirclement_ros.core.laws.ring_messages import U
from soliton_encirclement_ros.core.ring.edge_weights import NO_TOKEN
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.figures.command_effort import EFFORT_COLUMNS
from soliton_encirclement_ros.core.run.separation.filter_tally import TALLY_SIZE, FilterTally
from soliton_encirclement_ros.core.run.separation.near_misses import MOST, NONE, TALLY, Encounters
from soliton_encirclement_ros.core.scenario.placement import start_positions
from soliton_encirclement_ros.core.scenario.random_streams import RunStreams, body_seed
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.known_bodies import MOST_TOLD
from soliton_encirclement_ros.core.states.message_acceptance import NEVER
from soliton_encirclement_ros.core.states.target_relay import NOTHING_TOLD
from soliton_encirclement_ros.safety.calling import RESULT
from soliton_encirclement_ros.safety.codes import NOBODY, SCRATCH_COLUMNS, SCRATCH_ROWS, SPAN
from soliton_encirclement_ros.sim.chunk import AGENT_COLUMNS
from soliton_encirclement_ros.sim.compilation.spin_unit import spin_memory
from soliton_encirclement_ros.sim.compilation.vehicle_unit import states_at_rest
from soliton_encirclement_ros.sim.kernel import columns as at
from soliton_encirclement_ros.sim.kernel.broadcast import POSE
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import (
    CachedStates,
    CommonBodies,
    FlightMemory,
    Floats,
    GuardArrays,
    Links,
    ObservedRows,
    RelayArrays,
    RingArrays,
    ScratchSpace,
)
from soliton_encirclement_ros.sim.kernel.outage_state import pack_health
from soliton_encirclement_ros.sim.kernel.separation.common_bodies import NOBODY_YET
from soliton_encirclement_ros.sim.schedules import schedule_of
from soliton_encirclement_ros.sim.sensing_memory import sensing_arrays
from soliton_encirclement_ros.sim.sight_memory import sight_arrays

ALERT = 64
"""Space for events, besides one for every agent."""


def allocate(
    scenario: Scenario,
    rules: Rules,
    streams: RunStreams,
    samples: int,
    telemetry: bool,
    told: bool = False,
) -> FlightMemory:
    """Return all members at rest at the start, in a medium with shared reception.

    Args:
        scenario: Scenario of the flight.
        rules: Its constants.
        streams: Random streams of all draws; those of the placement are made here.
        samples: Space for so many samples.
        telemetry: Whether every agent is recorded, or the metrics alone.
        told: Whether it is recorded what states tell of silent agents.
    """
    count, members = rules.swarm.agents, len(scenario.members)
    schedule = schedule_of(scenario, streams)
    counters = np.zeros(at.COUNTERS, dtype=np.int64)
    counters[at.SHARED] = 1
    starts = [*start_positions(scenario, streams).values()]
    sent = no_states(rules, 1, members)
    bodies = bodies_of(starts)
    health = np.zeros((count, at.HEALTH_COLUMNS))
    for row in health:
        pack_health(healthy(0.0), row)
    health[:, at.NEXT_FAIL] = schedule.fail_from[:-1]
    return FlightMemory(
        counters,
        figures_of(),
        bodies,
        bodies.copy() if rules.sensing.on else bodies,
        sensing_arrays(scenario, bodies),
        sight_arrays(rules),
        no_relay(),
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
        no_target_messages(count),
        agents_of(count),
        np.tile(rules.law.rest, (count, 1)),
        np.tile(no_message(rules), (count, 1)),
        np.zeros(at.DECISION_COLUMNS),
        np.zeros(POSE + len(no_message(rules))),
        np.full(5, math.nan),
        health,
        target_of(),
        spin_memory(scenario.target.target_swarm_spin_law, rules.target.spin_gains),
        np.full(count, math.nan),
        adversary_of(),
        np.zeros(members, dtype=np.int64),
        np.zeros((members, at.EXTERNAL_COLUMNS)),
        *guard_of(rules, 1),
        ring_of(count),
        no_links(),
        schedule,
        kept_nobody(count),
        kept_nobody(count),
        record_of(scenario, rules, samples, telemetry, told),
        met_nobody(count),
        np.zeros((count, EFFORT_COLUMNS)),
        ScratchSpace(
            *(np.zeros(count) for _ in range(5)),
            *(np.zeros(count, dtype=np.int64) for _ in range(2)),
        ),
    )


def guard_of(rules: Rules, depth: int) -> tuple[Floats, CommonBodies, Floats, GuardArrays]:
    """Return what agents know of others, what messages tell, and space for the filter."""
    count = rules.swarm.agents if rules.safety.on else 0
    return (
        np.zeros((count, count, at.KNOWN_COLUMNS)),
        CommonBodies(
            np.zeros((count, at.KNOWN_COLUMNS)),
            np.full(count, NOBODY_YET),
            np.zeros((count + 2, SPAN + 1)),
        ),
        no_silent(depth, count),
        GuardArrays(
            np.zeros((count + 2, SPAN + 1)),
            np.zeros((SCRATCH_ROWS, SCRATCH_COLUMNS)),
            np.zeros(3),
            np.zeros(3),
            np.zeros((count, RESULT)),
            no_target_messages(count),
            nothing_done(count),
            FilterTally(
                np.zeros(TALLY_SIZE, dtype=np.int64),
                np.zeros((count, count + 1 - LEAST_ID), dtype=np.int64),
            ),
            np.zeros(rules.safety.settings.shape[1]),
        ),
    )


def nothing_done(count: int) -> Floats:
    """Return what the filter did before the first command."""
    done = np.zeros((count, at.FILTER_COLUMNS))
    done[:, at.PUSHER] = NOBODY
    return done


def no_silent(depth: int, count: int) -> Floats:
    """Return messages that tell of no silent agent, in so many layers."""
    told = np.zeros((depth, count, MOST_TOLD, at.TOLD_COLUMNS))
    told[..., at.TOLD_ID] = -1.0
    return told


def figures_of() -> Floats:
    """Return the running figures before the first tick."""
    figures = np.zeros(at.FIGURES)
    figures[at.SEPARATION] = math.inf
    return figures


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


def agents_of(count: int) -> Floats:
    """Return agents without known neighbours, with even weights."""
    agents = np.zeros((count, at.AGENT_COLUMNS))
    agents[:, [at.PRED, at.SUCC]] = -1.0
    agents[:, at.NEXT_SEQ] = 1.0
    return agents


def no_target_messages(count: int) -> Floats:
    """Return the target data of agents that have received no target state."""
    messages = np.zeros((count, at.TARGET_MESSAGE_COLUMNS))
    messages[:, [at.RECEIVED_AT, at.HEARD_AT, at.RELAYED_UNTIL]] = NEVER
    return messages


def no_relay(depth: int = 0, count: int = 0) -> RelayArrays:
    """Return messages that tell of no target, in so many layers."""
    told = np.zeros((depth, count, at.TOLD_REPORT_COLUMNS))
    told[..., at.TOLD_REPORT_AGE] = NOTHING_TOLD
    return RelayArrays(told, np.zeros((count, count)))  # takes memory where it is used


def kept_nobody(count: int) -> CachedStates:
    """Return the cache of a receiver that has received no agent."""
    rows = np.zeros((count, at.KEPT_COLUMNS))
    rows[:, at.KEPT_AT] = NEVER
    return CachedStates(rows, np.zeros(count, dtype=np.int64))


def no_states(rules: Rules, depth: int, members: int) -> Floats:
    """Return space for the states of all members, in so many layers."""
    return np.zeros((depth, members, U + len(no_message(rules))))


def no_message(rules: Rules) -> Floats:
    """Return the message of an agent at the start: of its law, then of its estimator."""
    if not rules.sight.on:
        return rules.law.no_message
    return np.concatenate((rules.law.no_message, [0.0], rules.sight.no_message))


def target_of() -> Floats:
    """Return the target's memory before it received any state."""
    target = np.zeros(at.TARGET_COLUMNS)
    target[[at.HOLDER, at.SWITCHED, at.WEIGHT]] = NO_TOKEN
    target[at.TARGET_SEQ] = 1.0
    target[[at.ADV_X, at.ADV_Y]] = math.nan
    target[at.ADV_RECEIVED_AT] = NEVER
    return target


def adversary_of() -> Floats:
    """Return the adversary's memory before its first goal."""
    adversary = np.zeros(at.ADVERSARY_COLUMNS)
    adversary[[at.GOAL_X, at.GOAL_Y]] = math.nan
    adversary[at.ADVERSARY_SEQ] = 1.0
    adversary[at.PREY_RECEIVED_AT] = NEVER
    return adversary


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


def no_links() -> Links:
    """Return the links of a medium with shared reception."""
    return Links(
        np.zeros((1, 1), dtype=np.int32),
        np.full((1, 1), NEVER),
        np.zeros((1, 1)),
        *(np.zeros((1, 1), dtype=np.int32) for _ in range(2)),
        *(np.zeros(1, dtype=np.int64) for _ in range(2)),
        np.zeros((1, 1, 3)),
        np.zeros(1, dtype=np.bool_),
        *(np.zeros((1, 1), dtype=np.uint64) for _ in range(2)),
    )


def has_attitudes(scenario: Scenario) -> bool:
    """Return whether a vehicle rolls, pitches or turns."""
    vehicles = map(scenario.vehicle_of, scenario.members)
    return any(VEHICLES[vehicle.vehicle].attitude is not None for vehicle in vehicles)


def record_of(
    scenario: Scenario, rules: Rules, samples: int, telemetry: bool, told: bool
) -> ObservedRows:
    """Return empty space for the recorded data."""
    count = rules.swarm.agents
    values = recorded_names(scenario.control.controller, rules.safety.on, rules.sight.on)
    columns = len(AGENT_COLUMNS) + len(values)
    ticks = scenario.ticks if rules.record.study else 0
    adversary = samples if rules.swarm.adversary else 0
    attitudes = samples if telemetry and has_attitudes(scenario) else 0
    truth = samples if telemetry and rules.sensing.on else 0
    return ObservedRows(
        np.zeros(samples),
        np.zeros((samples if telemetry else 0, count, columns)),
        np.zeros((samples, 8)),
        np.zeros((adversary, 7)),
        np.zeros((samples, len(METRIC_NAMES))),
        np.zeros(samples),
        np.zeros(samples),
        np.zeros((attitudes, len(scenario.members), at.ATTITUDE_COLUMNS)),
        np.zeros((samples if told and rules.safety.on else 0, count, MOST_TOLD, at.TOLD_COLUMNS)),
        np.zeros((truth, len(scenario.members), at.TRUTH_COLUMNS)),
        np.zeros((count + ALERT, 3)),
        np.zeros((count, 4)),
        np.arange(count),
        np.arange(count),
        np.zeros((ticks, count)),
        np.zeros((ticks, count)),
        np.zeros((ticks, rules.swarm.substeps if ticks else 0, count)),
    )
