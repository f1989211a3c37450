"""Memory, disk space and time: what this machine has free, and what runs need before they start.

Free resources are None where they are unknown. The constants of the estimates were measured on two
cores of an x86_64 server; ``docs/engine.md`` and the README have the figures behind them.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from soliton_encirclement_ros.core.scenario.scenario import Scenario

MEMINFO = Path('/proc/meminfo')
GROUP = Path('/sys/fs/cgroup')
LIMITS = (
    ('memory.max', 'memory.current'),
    ('memory/memory.limit_in_bytes', 'memory/memory.usage_in_bytes'),
)
"""Files below ``GROUP`` with limit and usage of a container [bytes], by cgroup version."""

CORE_LIMITS = (('cpu.max',), ('cpu/cpu.cfs_quota_us', 'cpu/cpu.cfs_period_us'))
"""Files with the processor time of a container and the time that it is for, by cgroup version."""


def free_memory(meminfo: Path = MEMINFO, group: Path = GROUP) -> float | None:
    """Return the free memory [bytes], within the limit of the container.

    Args:
        meminfo: Memory file of the kernel.
        group: Folder with the limits of the container.
    """
    return min((*_of_machine(meminfo), *_of_container(group)), default=None)


def usable_cores(group: Path = GROUP) -> float:
    """Return how many cores this process may keep busy, within the limit of the container.

    Args:
        group: Folder with the limits of the container.
    """
    known = hasattr(os, 'sched_getaffinity')
    cores = len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1
    return min((float(cores), *_cores_of_container(group)))


def free_disk(folder: Path) -> float | None:
    """Return the free disk space [bytes] of a folder that may not exist yet."""
    try:
        whole = folder.absolute()
    except OSError:
        return None  # the working folder is gone
    for place in (whole, *whole.parents):
        try:
            usage = shutil.disk_usage(place)
        except FileNotFoundError:
            continue  # it will be created in the parent folder
        except OSError:
            return None
        return float(usage.free) if usage.total else None  # /proc and similar file systems
    return None


def _cores_of_container(group: Path) -> Iterator[float]:
    for names in CORE_LIMITS:
        try:
            words = ' '.join((group / name).read_text() for name in names).split()
        except OSError:
            continue  # no such limit in this version of control groups
        if len(words) == 2 and all(word.isdigit() for word in words) and int(words[1]) > 0:
            yield int(words[0]) / int(words[1])


def _of_machine(meminfo: Path) -> Iterator[float]:
    try:
        lines = meminfo.read_text(encoding='ascii').splitlines()
    except OSError:
        return  # not Linux: unknown
    for line in lines:
        name, _, rest = line.partition(':')
        if name == 'MemAvailable':
            yield 1024.0 * float(rest.split()[0])


def _of_container(group: Path) -> Iterator[float]:
    for limit, used in LIMITS:
        try:
            most, now = ((group / name).read_text().strip() for name in (limit, used))
        except OSError:
            continue  # no such limit in this version of control groups
        if most.isdigit() and now.isdigit():
            yield max(0.0, float(most) - float(now))


MEGA = 1e6

SIMULATION = 200.0 * MEGA
"""Memory [bytes] of a simulating process, with libraries and compiled laws."""

AGENT = 2_500.0
"""Memory [bytes] of a simulated agent."""

TRAIL_POINT = 110.0
"""Memory [bytes] of a path point, needed for plots."""

TRAIL_RATE = 5.0
"""Path points per second and body."""

ROW = {'csv': 240.0, 'parquet': 100.0, 'bag': 1_800.0}
"""Disk space [bytes] of an agent's sample, by format."""

ROW_TIME = {'csv': 0.6e-6, 'parquet': 0.2e-6, 'bag': 10e-6}
"""Wall time [s] to write a sample of an agent, by format."""

AGENT_TICK = 0.3e-6
"""Wall time [s] of an agent's tick in the engine."""

PROCESS = 50.0 * MEGA
"""Memory [bytes] of a ROS process, without memory shared between processes."""


class Needs(NamedTuple):
    """Resources of runs.

    Attributes:
        memory: Peak memory [bytes].
        disk: Disk space at the end [bytes].
        wall: Minimum wall time [s].
        processes: Concurrent processes.
    """

    memory: float
    disk: float
    wall: float
    processes: int = 1


def simulation_needs(
    scenario: Scenario, formats: Sequence[str], every: int, pictures: bool
) -> Needs:
    """Return the resources of one simulated run.

    Args:
        scenario: The scenario.
        formats: Formats of the telemetry.
        every: Ticks between two samples of telemetry.
        pictures: Whether plots are drawn.
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
    """Return the resources of several runs with ``at_once`` of them in parallel."""
    largest = sorted((run.memory for run in runs), reverse=True)[:at_once]
    wall = sum(run.wall for run in runs) / max(1, min(at_once, len(runs)))
    return Needs(sum(largest), sum(run.disk for run in runs), wall, len(largest))


def swept_needs(scenario: Scenario) -> Needs:
    """Return the resources of a run of a sweep, with the data of the study."""
    needs = simulation_needs(scenario, (), 1, False)
    return needs._replace(memory=needs.memory + study_memory(scenario))


def study_memory(scenario: Scenario) -> float:
    """Return the memory [bytes] of the study of a run."""
    return 8.0 * scenario.ticks * scenario.run.num_agents * (2 + scenario.substeps)


def lockstep_needs(scenario: Scenario, processes: int) -> Needs:
    """Return the resources of a ROS run in lockstep.

    Args:
        scenario: The scenario.
        processes: Processes that the nodes share; another one observes.
    """
    n = scenario.run.num_agents
    tick = n * (0.35e-3 + 5e-6 * n)
    return Needs(_memory(n, processes), _bag(scenario), scenario.ticks * tick, processes + 1)


def real_time_needs(scenario: Scenario, processes: int) -> Needs:
    """Return the resources of a ROS run in real time.

    Args:
        scenario: The scenario.
        processes: Processes that the nodes share; another one observes.
    """
    memory = _memory(scenario.run.num_agents, processes)
    return Needs(memory, _bag(scenario), 0.0, processes + 1)


def _memory(agents: int, processes: int) -> float:
    """Return the memory of a ROS run [bytes].

    Every node discovers every other, so it grows faster than the number of agents.
    """
    nodes = (45.0 + 2.5 * agents + 0.009 * agents * agents) * MEGA
    return nodes + PROCESS * (processes + 1)


def _bag(scenario: Scenario) -> float:
    return scenario.run.num_agents * scenario.ticks * (ROW['bag'] + ROW['csv'])
