"""How many processes the nodes share when the user gives no number.

In lockstep all nodes wait for all, and messages within a process are the fastest: one process.
In real time a process of its own shows how an agent behaves on its own computer; it costs three
times the processor time of a shared one. So a machine without room for that gets fewer processes.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.capacity.machine_speed import machine_speed
from soliton_encirclement_ros.core.capacity.real_time_load import (
    Processor,
    RealTimeRun,
    fullness,
    load_of,
)
from soliton_encirclement_ros.core.scenario.composition import composition, process_count
from soliton_encirclement_ros.core.scenario.machine_resources import usable_cores

ROOMY = 0.5
"""Share of the cores that processes of one node each may keep busy: the rest is for the user."""


class ComposedRun(NamedTuple):
    """A run with the processes that its nodes share, and one line that says why, or none."""

    run: RealTimeRun
    reason: str


def composed(run: RealTimeRun, processes: str, lockstep: bool, option: str) -> ComposedRun:
    """Return a run with the number of processes that the user gave, else with the usual one.

    Args:
        run: The run, with a process per node.
        processes: What the user gave; empty: nothing.
        lockstep: Whether it is in lockstep; else the machine is measured, about 60 ms.
        option: How the user asks for a process per node.

    Raises:
        ScenarioError: What the user gave is no number of processes.
    """
    if processes:
        return ComposedRun(run._replace(processes=process_count(processes)), '')
    if lockstep:
        return ComposedRun(run._replace(processes=1), '')
    return usual_composition(run, Processor(usable_cores(), machine_speed()), option)


def usual_composition(run: RealTimeRun, processor: Processor, option: str) -> ComposedRun:
    """Return a run in real time with as many processes as a processor has room for."""
    if fullness(run, processor) <= ROOMY:
        return ComposedRun(run, '')
    most = min(len(composition(run.plan, None)), math.ceil(processor.cores))
    shared = [run._replace(processes=count) for count in range(1, most + 1)]
    lightest = min(
        shared,
        key=lambda one: (fullness(one, processor), load_of(one, processor.speed).flying),
    )
    need = load_of(run, processor.speed).total
    return ComposedRun(
        lightest,
        f'the nodes share {_processes(lightest.processes)}: one per node would need about '
        f'{need:.1f} of {processor.cores:g} cores; to have it anyway, use {option}',
    )


def _processes(count: int) -> str:
    return 'one process' if count == 1 else f'{count} processes'
