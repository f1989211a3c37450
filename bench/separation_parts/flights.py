"""Flights for the bench of the separation filter, by the engine, and how near agents came."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from separation_parts.scenes import Floats, Ways

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim.chunk import AGENT_COLUMNS, Chunk
from soliton_encirclement_ros.sim.engine import Engine

THERE = 0.5
"""Distance from its goal [m] within which an agent has arrived."""

ROUNDING = 1e-9
"""By so much [m/s] a command may exceed a limit."""

COMMAND = AGENT_COLUMNS.index('cmd_vx')
TRANSIENT = 10.0
"""Time at the start [s] that does not count for the errors of a ring."""


class Outcome(NamedTuple):
    """What came of a flight.

    Attributes:
        least: Smallest distance of two agents [m].
        events: How often a pair came below 1 m.
        arrivals: Since when living agents have been at their goals [s], infinite for never.
        beyond: Commands beyond the limits of the vehicle.
        infinite: States and commands that are not finite.
        errors: Means of E_r and E_gap after the transient.
    """

    least: float
    events: int
    arrivals: Floats
    beyond: int
    infinite: int
    errors: tuple[float, float]


def recorded(scenario: Scenario) -> tuple[Floats, list[Chunk]]:
    """Fly a scenario; return the agents at every sample, ``Chunk.agents``, and all chunks."""
    engine, chunks = Engine(scenario), list[Chunk]()
    engine.on_chunk = lambda chunk: chunks.append(Chunk(*map(np.array, chunk)))
    engine._rules.paths.ended[:] = False  # they hold their goals: no law takes over
    engine.fly()
    return np.concatenate([chunk.agents for chunk in chunks]), chunks


def flown(scenario: Scenario, ways: Ways | None = None) -> Outcome:
    """Fly a scenario and judge it; ``ways`` are starts and goals, if there are."""
    agents, chunks = recorded(scenario)
    metrics = np.concatenate([chunk.metrics for chunk in chunks])
    period = scenario.swarm.control_period
    distances = pair_distances(true_places(chunks, agents))
    near = distances < 1.0
    arrivals = np.zeros(0) if ways is None else arrived(agents, ways.goals, period)
    settled = metrics[min(round(TRANSIENT / period), len(metrics) - 1) :]
    return Outcome(
        float(distances.min()),
        int(near[0].sum() + (near[1:] & ~near[:-1]).sum()),
        arrivals,
        beyond_limits(scenario, agents[:, :, COMMAND : COMMAND + 3]),
        int((~np.isfinite(agents[:, :, : COMMAND + 3])).sum()),
        (float(settled[:, 0].mean()), float(settled[:, 4].mean())),
    )


def true_places(chunks: Sequence[Chunk], agents: Floats) -> Floats:
    """Return where the agents really are [m]: what they measure may have errors."""
    if all(len(chunk.truth) == 0 for chunk in chunks):
        return agents[:, :, :3]
    return np.concatenate([chunk.truth for chunk in chunks])[:, : agents.shape[1], :3]


def pair_distances(places: Floats) -> Floats:
    """Return the least distance of every pair between two samples, (S - 1, pairs) [m]."""
    i, j = np.triu_indices(places.shape[1], 1)
    apart = places[:, i] - places[:, j]
    begin, way = apart[:-1], apart[1:] - apart[:-1]
    square = (way * way).sum(-1)
    share = -(begin * way).sum(-1) / np.where(square == 0.0, 1.0, square)
    nearest = begin + np.clip(share, 0.0, 1.0)[..., None] * way
    return np.sqrt((nearest * nearest).sum(-1))


def arrived(agents: Floats, goals: Floats, period: float) -> Floats:
    """Return since when agents that live at the end have been at their goals [s]."""
    far = np.linalg.norm(agents[:, :, :2] - goals, axis=-1) > THERE
    alive = agents[-1, :, AGENT_COLUMNS.index('failed')] == 0.0
    last = len(far) - np.argmax(far[::-1], axis=0)
    when = np.where(far.any(axis=0), last * period, 0.0)
    return np.where(far[-1], math.inf, when)[alive]


def beyond_limits(scenario: Scenario, commands: Floats) -> int:
    """Return how many commands are faster than the vehicle."""
    count = 0
    for k in scenario.agent_ids:
        limits, (x, y, z) = scenario.limits_of(uav(k)), commands[:, k - 1].T
        count += int((np.hypot(x, y) > limits.max_speed_xy + ROUNDING).sum())
        count += int((np.abs(z) > limits.max_speed_z + ROUNDING).sum())
    return count
