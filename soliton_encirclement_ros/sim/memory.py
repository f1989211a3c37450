"""The memory of a flight at its start."""

import math

import numpy as np

from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core.edge_weights import NO_TOKEN
from soliton_encirclement_ros.core.random_streams import RunStreams
from soliton_encirclement_ros.core.scenario import (
    ADVERSARY_START,
    TARGET_START,
    Scenario,
    initial_positions,
)
from soliton_encirclement_ros.core.spin_laws import SPIN_LAWS
from soliton_encirclement_ros.sim.chunk import AGENT_COLUMNS
from soliton_encirclement_ros.sim.kernel import columns as at
from soliton_encirclement_ros.sim.kernel.records import (
    Flight,
    Floats,
    Kept,
    Links,
    Record,
    Ring,
    Room,
)
from soliton_encirclement_ros.sim.kernel.rules import SOLITON, TWO_CHANNEL, Rules
from soliton_encirclement_ros.sim.schedules import schedule_of

ALERT = 64
"""Room for events, beside one for every agent."""


def memory_of(
    scenario: Scenario, rules: Rules, streams: RunStreams, samples: int, telemetry: bool
) -> Flight:
    """Return everybody at rest at the start, in a medium in which all hear alike.

    Args:
        scenario: What to fly.
        rules: Its constants.
        streams: Where all draws come from; those of the placement are made here.
        samples: Room for so many samples.
        telemetry: Whether every agent is recorded, or the metrics alone.
    """
    count, members = rules.swarm.agents, len(scenario.members)
    schedule = schedule_of(scenario, streams)
    counters = np.zeros(at.COUNTERS, dtype=np.int64)
    counters[at.SHARED] = 1
    health = np.zeros((count, at.HEALTH_COLUMNS))
    health[:, at.NEXT_FAIL] = schedule.fail_from[:-1]
    return Flight(
        counters,
        np.array([0.0, 0.0, math.inf]),
        bodies_of(scenario, streams),
        np.zeros((1, members, at.WORD_COLUMNS)),
        np.full((1, count), math.nan),
        np.zeros(1),
        np.zeros((count, at.TOLD_COLUMNS)),
        agents_of(count),
        laws_of(rules),
        np.zeros((count, 7)),
        np.zeros((count, at.MOST_PROP + 1)),
        np.zeros(6),
        health,
        target_of(scenario, rules),
        np.full(count, math.nan),
        adversary_of(),
        ring_of(count),
        no_links(),
        schedule,
        Kept(np.zeros((count, at.KEPT_COLUMNS)), np.zeros(count, dtype=np.int64)),
        Kept(np.zeros((count, at.KEPT_COLUMNS)), np.zeros(count, dtype=np.int64)),
        record_of(scenario, rules, samples, telemetry),
        Room(
            *(np.zeros(count) for _ in range(4)),
            *(np.zeros(count, dtype=np.int64) for _ in range(2)),
        ),
    )


def bodies_of(scenario: Scenario, streams: RunStreams) -> Floats:
    """Return all bodies at rest where they start."""
    starts = [*initial_positions(scenario, streams).values(), TARGET_START]
    if scenario.adversary.adversary_enable:
        starts.append(ADVERSARY_START)
    bodies = np.zeros((len(starts), at.BODY_COLUMNS))
    bodies[:, at.X : at.Z + 1] = starts
    return bodies


def agents_of(count: int) -> Floats:
    """Return agents who know nobody, with even weights."""
    agents = np.zeros((count, at.AGENT_COLUMNS))
    agents[:, [at.PRED, at.SUCC]] = -1.0
    agents[:, [at.LAMBDA_PRED, at.LAMBDA_SELF, at.NEXT_SEQ]] = 1.0
    return agents


def laws_of(rules: Rules) -> Floats:
    """Return the laws' states at rest."""
    laws = np.zeros((rules.swarm.agents, at.LAW_COLUMNS))
    if rules.swarm.law == SOLITON:
        laws[:, at.WANTED + 5 : at.WANTED + 8] = 1.0
    elif rules.swarm.law == TWO_CHANNEL:
        laws[:, at.R_LAST] = math.nan
    return laws


def target_of(scenario: Scenario, rules: Rules) -> Floats:
    """Return the target's memory before it heard anybody."""
    target = np.zeros(at.TARGET_COLUMNS)
    memory = SPIN_LAWS[scenario.target.target_swarm_spin_law].rest(rules.target.spin_gains)
    target[at.SPIN_A : at.SPIN_A + len(memory)] = memory
    target[[at.HOLDER, at.SWITCHED, at.WEIGHT]] = NO_TOKEN
    target[at.TARGET_SEQ] = 1.0
    return target


def adversary_of() -> Floats:
    """Return the adversary's memory before it had a goal."""
    adversary = np.zeros(at.ADVERSARY_COLUMNS)
    adversary[[at.GOAL_X, at.GOAL_Y]] = math.nan
    adversary[at.ADVERSARY_SEQ] = 1.0
    return adversary


def ring_of(count: int) -> Ring:
    """Return a ring with nobody on it."""
    return Ring(
        np.zeros(count),
        np.zeros(count),
        np.full(count, -1, dtype=np.int64),
        np.zeros(count, dtype=np.int64),
        *(np.zeros(count) for _ in range(3)),
        np.zeros(count, dtype=np.int64),
        *(np.zeros(count) for _ in range(3)),
    )


def no_links() -> Links:
    """Return the links of a medium that needs none."""
    return Links(
        np.zeros((1, 1), dtype=np.int32),
        np.zeros((1, 1)),
        *(np.zeros((1, 1), dtype=np.int32) for _ in range(2)),
        np.zeros(1, dtype=np.int64),
        np.zeros((1, 1, 3)),
        *(np.zeros((1, 1), dtype=np.uint64) for _ in range(2)),
    )


def record_of(scenario: Scenario, rules: Rules, samples: int, telemetry: bool) -> Record:
    """Return empty room for what is recorded."""
    count = rules.swarm.agents
    columns = len(AGENT_COLUMNS) + len(CONTROLLERS[scenario.control.controller].telemetry_names)
    ticks = scenario.ticks if rules.record.study else 0
    adversary = samples if rules.swarm.adversary else 0
    return Record(
        np.zeros(samples),
        np.zeros((samples if telemetry else 0, count, columns)),
        np.zeros((samples, 8)),
        np.zeros((adversary, 7)),
        np.zeros((samples, 5)),
        np.zeros(samples),
        np.zeros(samples),
        np.zeros((count + ALERT, 3)),
        np.zeros((count, 4)),
        np.arange(count),
        np.arange(count),
        np.zeros((ticks, count)),
        np.zeros((ticks, count)),
        np.zeros((ticks, rules.swarm.substeps if ticks else 0, count)),
    )
