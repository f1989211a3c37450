"""Flights as one table each: everything that the engine tells, by tick.

Twelve small ones stand as stored series beside the tests, which compare them to 1e-9 on any
machine: ``python bench/oracle.py --store`` writes them anew, after a change that is meant.
"""

import contextlib
import json
import random
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.states import AgentState, TargetState
from soliton_encirclement_ros.sim.engine import Engine

STORED = Path(__file__).parents[2] / 'test/soliton_encirclement_ros/sim/twelve_flights.npz'
SMALL = {'run.sim_duration': '8', 'run.num_agents': '4'}
EVERY = 8
"""Ticks between two rows that are stored."""

TWELVE = (
    'law_predictive', 'law_soliton', 'law_two_channel', 'law_soliton_v1', 'law_kim_sugie',
    'law_splay', 'original_soliton_v1', 'original_soliton', 'lossy_predictive', 'noise', 'fence',
    'external_two',
)  # fmt: skip


def scenario_of(settings: Mapping[str, str], name: str) -> Scenario:
    """Return the scenario of settings by key."""
    sections: dict[str, dict[str, object]] = {}
    for key, text in settings.items():
        section, _, field = key.partition('.')
        value: object = text
        with contextlib.suppress(ValueError):  # a word
            value = json.loads(text)
        sections.setdefault(section, {})[field] = value
    return Scenario().with_changes(sections, name)


def flown(scenario: Scenario, external: tuple[str, ...] = ()) -> NDArray[np.float64]:
    """Return a row per tick: time, agents, target, metrics.

    Of members that are flown elsewhere is heard at most ticks, but not at all, where they are.
    """
    draws, rows = random.Random(scenario.name), []
    engine = Engine(scenario, external=external)
    engine.on_chunk = lambda chunk: rows.append(
        np.hstack([
            chunk.times[:, None], chunk.agents.reshape(len(chunk.times), -1), chunk.target,
            chunk.metrics,
        ])
    )  # fmt: skip
    for tick in range(scenario.ticks):
        now = tick * scenario.swarm.control_period
        for name in external:
            if draws.random() < 0.8:
                engine.hear(_told(name, tick, now, draws.random()), now)
        engine.advance(1)
    return np.vstack(rows)


def _told(name: str, tick: int, now: float, chance: float) -> AgentState | TargetState:
    if name == 'target':
        return TargetState(tick, (0.1 * now, chance / 9.0, 0.0), (0.1, 0.0, 0.0), (), 0.1)
    place = 20.0 + chance, 5.0 * chance - now, 0.0
    return AgentState(int(name.rpartition('_')[2]), tick, place, (0.0, -1.0, 0.0))


def twelve() -> dict[str, NDArray[np.float64]]:
    """Return the rows of the twelve flights as they are flown now, by name."""
    from oracle_parts.flights import flights

    found = {}
    for flight in flights():
        if flight.name in TWELVE:
            scenario = scenario_of({**flight.settings, **SMALL}, flight.name)
            found[flight.name] = flown(scenario, flight.external)[::EVERY]
    return found


def store() -> None:
    """Write the twelve flights."""
    np.savez_compressed(STORED, **twelve())
