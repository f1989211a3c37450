"""For tests that look only at what comes of a flight: flown by compiled laws.

The bits are those of the plain loop (``sim/engine_identity/``), much sooner.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.core.ring.metrics import Metrics
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim.chunk import AGENT_COLUMNS, Chunk, Floats
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.engine_observer import EngineObserver
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.vehicles.kinematic import KinematicState

Placing = Callable[[int], tuple[Vector, Vector]]
"""Says where an agent starts, by its number: position [m] and velocity [m/s]."""


class Flight(NamedTuple):
    """All samples of a flight, and what was seen of it."""

    chunk: Chunk
    seen: EngineObserver

    @property
    def positions(self) -> Floats:
        """Where the agents are [m], by sample and agent."""
        return self.chunk.agents[:, :, :3]

    @property
    def velocities(self) -> Floats:
        """How fast the agents are [m/s], by sample and agent."""
        return self.chunk.agents[:, :, 3:6]

    @property
    def metrics(self) -> Metrics:
        """The metrics at the end."""
        return Metrics(*self.chunk.metrics[-1].tolist())

    def column(self, name: str) -> Floats:
        """Return one of ``AGENT_COLUMNS``, by sample and agent."""
        return self.chunk.agents[:, :, AGENT_COLUMNS.index(name)]


def flown(scenario: Scenario, placing: Placing | None = None) -> Flight:
    """Fly a scenario to its end, from its own start or from another."""
    engine = Engine(scenario)
    if placing is not None:
        for k in scenario.agent_ids:
            engine.place(uav(k), KinematicState(*placing(k), 0.0, 0.0))
    chunks = keep(engine)
    engine.fly()
    return Flight(whole(chunks), engine.seen)


def keep(engine: Engine) -> list[Chunk]:
    """Return a list that gets a copy of every chunk of an engine."""
    chunks: list[Chunk] = []
    engine.on_chunk = lambda chunk: chunks.append(Chunk(*map(np.array, chunk)))
    return chunks


def whole(chunks: list[Chunk]) -> Chunk:
    """Return chunks as one."""
    return Chunk(*map(np.concatenate, zip(*chunks, strict=True)))
