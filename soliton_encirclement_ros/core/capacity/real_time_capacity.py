"""Says before a real-time run that this machine will not carry it, and what it would carry."""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.capacity.machine_speed import machine_speed
from soliton_encirclement_ros.core.capacity.real_time_load import (
    FULL,
    Processor,
    RealTimeRun,
    fits,
    load_of,
    most_agents,
    shortest_period,
)
from soliton_encirclement_ros.core.scenario.machine_resources import usable_cores


class Words(NamedTuple):
    """How a user writes the ways out: as options or as arguments of a launch."""

    processes: str
    setting: str
    no_bag: str


PUBLISHED = 'publish a simulation (swarm simulate --publish)'
"""The way out that needs no other agents or rates: no nodes."""

OPTIONS = Words('--processes {}', '--set {}', '--no-bag')
ARGUMENTS = Words('processes:={}', 'set:={}', 'record:=false')


def capacity_warnings(run: RealTimeRun, words: Words = OPTIONS) -> list[str]:
    """Return one line if this machine will not carry a run, else none; it takes about 60 ms.

    Args:
        run: What is asked.
        words: How the user writes what to do instead.
    """
    return overload(run, Processor(usable_cores(), machine_speed()), words)


def overload(run: RealTimeRun, processor: Processor, words: Words) -> list[str]:
    """Return the warning for a run on a processor: what it needs, what is there, what to do."""
    if fits(run, processor):
        return []
    load = load_of(run, processor.speed)
    need = f'need about {_rounded(load.total)} of {processor.cores:g} cores'
    if load.busiest > FULL:
        need += f', {_rounded(load.busiest)} for one process, which can use one'
    ways = '; or '.join(ways_out(run, processor, words))
    return [
        f'{run.agents} agents at {1.0 / run.period:.3g} Hz {_composed(run.processes)} {need}, at '
        f'{processor.speed:.2g} times the speed of the reference machine (docs/speed.md): ticks '
        f'will be late; {ways}'
    ]


def ways_out(run: RealTimeRun, processor: Processor, words: Words) -> list[str]:
    """Return what this machine would carry instead, one way each."""
    agents, period = most_agents(run, processor), shortest_period(run, processor)
    found = [f'fly at most {agents} agents'] if agents else []
    if period is not None:
        found.append(words.setting.format(f'swarm.control_period={period:.6g}'))
    fewer = [
        count
        for count in range(1, math.ceil(processor.cores) + 1)
        if count != run.processes and fits(run._replace(processes=count), processor)
    ]
    found += [words.processes.format(count) for count in fewer[:1]]
    if run.recorded and fits(run._replace(recorded=False), processor):
        found.append(words.no_bag)
    return [*found, PUBLISHED]


def _composed(processes: int | None) -> str:
    if processes is None:
        return 'with a process per node'
    return 'in one process' if processes == 1 else f'in {processes} processes'


def _rounded(cores: float) -> str:
    return f'{cores:.1f}' if cores < 10.0 else f'{cores:.0f}'
