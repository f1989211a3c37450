"""Memory, disk space and time: free on this machine, and needed by runs before they start.

Free resources are None where they are unknown. The constants of the estimates were measured on two
cores of an x86_64 server; ``docs/research/speed.md`` has the figures behind them.
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from soliton_encirclement_ros.core.scenario.scenario import Scenario

MEMINFO = Path('/proc/meminfo')
GROUP = Path('/sys/fs/cgroup')
"""Folder with the limits of the container."""


def free_memory(meminfo: Path = MEMINFO, group: Path = GROUP) -> float | None:
    """Return the free memory [bytes], within the limit of the container.

    Args:
        meminfo: Memory file of the kernel.
        group: Folder with the limits of the container.
    """
    rows = (line.split() for line in _text(meminfo).splitlines())
    limits = [1024.0 * float(row[1]) for row in rows if row[0] == 'MemAvailable:']
    limit, used = _text(group / 'memory.max'), _text(group / 'memory.current')
    if limit.isdigit() and used.isdigit():
        limits.append(max(0.0, float(limit) - float(used)))
    return min(limits, default=None)


def usable_cores(group: Path = GROUP) -> float:
    """Return how many cores this process may keep busy, within the limit of the container.

    Args:
        group: Folder with the limits of the container.
    """
    known = hasattr(os, 'sched_getaffinity')
    cores = len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1
    quota, _, period = _text(group / 'cpu.max').partition(' ')
    if quota.isdigit() and period.isdigit() and int(period) > 0:
        return min(float(cores), int(quota) / int(period))
    return float(cores)


def free_disk(folder: Path) -> float | None:
    """Return the free disk space [bytes] of a folder that may not exist yet."""
    try:
        place = folder.absolute()
        while not place.exists():  # it will be created in the parent folder
            place = place.parent
        usage = shutil.disk_usage(place)
    except OSError:
        return None  # for example the working folder is gone
    return float(usage.free) if usage.total else None  # /proc and similar file systems


def _text(path: Path) -> str:
    """Return the text of a file of the kernel, empty where there is none."""
    try:
        return path.read_text(encoding='ascii').strip()
    except OSError:
        return ''


PROCESS, AGENT, TRAIL_POINT = 200e6, 2_500.0, 110.0
"""Memory [bytes] of a simulating process, of an agent in it, and of a path point for plots."""

TRAIL_RATE = 5.0
"""Path points per second and body."""

ROW = {'csv': 240.0, 'parquet': 100.0, 'bag': 1_800.0}
"""Disk space [bytes] of an agent's sample, by format."""

AGENT_TICK, ROW_TIME = 0.3e-6, {'csv': 0.6e-6, 'parquet': 0.2e-6, 'bag': 10e-6}
"""Wall time [s] of an agent's tick in the engine, and to write a sample of it."""


class Needs(NamedTuple):
    """Resources of runs.

    Attributes:
        memory: Peak memory [bytes].
        disk: Disk space at the end [bytes].
        wall: Minimum wall time [s]; 0: not estimated.
        processes: Concurrent processes.
    """

    memory: float
    disk: float
    wall: float = 0.0
    processes: int = 1


def simulation_needs(
    scenario: Scenario, formats: Sequence[str] = (), every: int = 1, pictures: bool = False,
    study: bool = False,
) -> Needs:  # fmt: skip
    """Return the resources of one simulated run.

    Args:
        scenario: The scenario.
        formats: Formats of the telemetry.
        every: Ticks between two samples of telemetry.
        pictures: Whether plots are drawn.
        study: Whether the figures of the study are kept, as in every run of a sweep.
    """
    agents = scenario.run.num_agents
    points = agents * scenario.run.sim_duration * TRAIL_RATE if pictures else 0.0
    rows = agents * scenario.ticks / every
    memory = PROCESS + AGENT * agents + TRAIL_POINT * points
    return Needs(
        memory + (study_memory(scenario) if study else 0.0),
        rows * sum(ROW[name] for name in formats),
        agents * scenario.ticks * AGENT_TICK + rows * sum(ROW_TIME[name] for name in formats),
    )


def all_needs(runs: Sequence[Needs], at_once: int) -> Needs:
    """Return the resources of several runs with ``at_once`` of them in parallel."""
    largest = sorted((run.memory for run in runs), reverse=True)[:at_once]
    wall = sum(run.wall for run in runs) / max(1, min(at_once, len(runs)))
    return Needs(sum(largest), sum(run.disk for run in runs), wall, len(largest))


def study_memory(scenario: Scenario) -> float:
    """Return the memory [bytes] of the study of a run."""
    return 8.0 * scenario.ticks * scenario.run.num_agents * (2 + scenario.substeps)


def node_needs(scenario: Scenario, processes: int) -> Needs:
    """Return the resources of a run by nodes, which all discover each other.

    Args:
        scenario: The scenario.
        processes: Processes that the nodes share; another one observes.
    """
    n = scenario.run.num_agents
    memory = 1e6 * (45.0 + 2.5 * n + 0.009 * n * n + 50.0 * (processes + 1))
    disk = n * scenario.ticks * (ROW['bag'] + ROW['csv'])
    return Needs(memory, disk, processes=processes + 1)
