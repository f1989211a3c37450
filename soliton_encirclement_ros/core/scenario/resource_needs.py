"""What runs take of a machine, before they are begun: an estimate that is right within a factor.

The constants were measured on two cores of an x86_64 server; ``docs/engine.md`` and the README
have the figures behind them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from soliton_encirclement_ros.core.scenario.scenario import Scenario

MEGA = 1e6

SIMULATION = 200.0 * MEGA
"""Memory [bytes] of a process that simulates, libraries and compiled laws included."""

AGENT = 2_500.0
"""Memory [bytes] of a simulated agent."""

TRAIL_POINT = 110.0
"""Memory [bytes] of a point of a path, which pictures need."""

TRAIL_RATE = 5.0
"""Such points per second and body."""

ROW = {'csv': 140.0, 'parquet': 100.0, 'bag': 1_800.0}
"""Disk space [bytes] of an agent's sample, by format."""

ROW_TIME = {'csv': 0.6e-6, 'parquet': 0.2e-6, 'bag': 10e-6}
"""Wall time [s] to write it."""

AGENT_TICK = 0.3e-6
"""Wall time [s] of an agent's tick in the engine."""

PROCESS = 50.0 * MEGA
"""Memory [bytes] of a ROS process of its own, what processes share counted once."""


class Needs(NamedTuple):
    """What runs take.

    Attributes:
        memory: At once [bytes].
        disk: In the end [bytes].
        wall: Time [s], at least.
        processes: At once.
        messages: To be taken in per second of wall time, by all; 0 where nothing depends on it.
    """

    memory: float
    disk: float
    wall: float
    processes: int = 1
    messages: float = 0.0


def simulation_needs(
    scenario: Scenario, formats: Sequence[str], every: int, pictures: bool
) -> Needs:
    """Return what one simulated run takes.

    Args:
        scenario: What is flown.
        formats: Of the telemetry.
        every: Ticks between two samples of it.
        pictures: Whether pictures are drawn.
    """
    agents = scenario.run.num_agents
    points = agents * scenario.run.sim_duration * TRAIL_RATE if pictures else 0.0
    rows = agents * scenario.ticks / every
    return Needs(
        SIMULATION + AGENT * agents + TRAIL_POINT * points,
        rows * sum(ROW[name] for name in formats),
        agents * scenario.ticks * AGENT_TICK + rows * sum(ROW_TIME[name] for name in formats),
    )


def all_needs(runs: Sequence[Needs], at_once: int) -> Needs:
    """Return what several runs take of which a few fly at once."""
    largest = sorted((run.memory for run in runs), reverse=True)[:at_once]
    wall = sum(run.wall for run in runs) / max(1, min(at_once, len(runs)))
    return Needs(sum(largest), sum(run.disk for run in runs), wall, len(largest))


def swept_needs(scenario: Scenario) -> Needs:
    """Return what a run of a sweep takes, which keeps the numbers of the study."""
    needs = simulation_needs(scenario, (), 1, False)
    return needs._replace(memory=needs.memory + study_memory(scenario))


def study_memory(scenario: Scenario) -> float:
    """Return the memory [bytes] that the study of a run takes."""
    return 8.0 * scenario.ticks * scenario.run.num_agents * (2 + scenario.substeps)


def lockstep_needs(scenario: Scenario) -> Needs:
    """Return what a run over ROS in lockstep takes: one process with all nodes, one that looks on.

    Every node knows every other, so memory and time grow faster than the swarm.
    """
    n = scenario.run.num_agents
    tick = n * (0.35e-3 + 5e-6 * n)
    memory = (145.0 + 2.5 * n + 0.009 * n * n) * MEGA
    return Needs(memory, _bag(scenario), scenario.ticks * tick, 2)


def real_time_needs(scenario: Scenario) -> Needs:
    """Return what a run over ROS by the clock takes: every member is a process of its own.

    It lasts as long as it is told to.
    """
    members, rate = len(scenario.members), 1.0 / scenario.swarm.control_period
    processes, messages = members + 2, scenario.run.num_agents * members * rate
    return Needs(PROCESS * processes, _bag(scenario), 0.0, processes, messages)


def _bag(scenario: Scenario) -> float:
    return scenario.run.num_agents * scenario.ticks * (ROW['bag'] + ROW['csv'])
