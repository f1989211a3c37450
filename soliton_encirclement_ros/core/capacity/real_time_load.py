"""Which cores a real-time run keeps busy, and how many agents fit.

A process runs Python on one core at a time, so besides the sum the share of each process counts.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from soliton_encirclement_ros.core.capacity.processor_work import run_work
from soliton_encirclement_ros.core.capacity.reference_machine import COSTS
from soliton_encirclement_ros.core.scenario.composition import composition
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import OBSERVERS, NodeSpec

FULL = 0.8
"""Share of the cores, and of one core by a process, beyond which ticks are expected to be late."""

LONGEST_PERIOD = 10.0
"""Longest control period [s] that ``swarm.control_period`` may be."""


class Processor(NamedTuple):
    """Cores that may be used, and the speed of one; the reference machine has speed 1."""

    cores: float
    speed: float


class RealTimeRun(NamedTuple):
    """What is asked of a machine.

    Attributes:
        plan: The nodes.
        period: Control period [s].
        update: Period of the vehicles [s]; the control period is a multiple of it.
        processes: How many processes the nodes share; None: one per node.
        recorded: Whether a bag is recorded.
    """

    plan: Sequence[NodeSpec]
    period: float
    update: float
    processes: int | None
    recorded: bool

    @property
    def agents(self) -> int:
        """The number of agents."""
        return sum(spec.executable == 'agent_node' for spec in self.plan)


def asked_run(scenario: Scenario, plan: Sequence[NodeSpec], recorded: bool) -> RealTimeRun:
    """Return what a run of a scenario asks of a machine, with a process per node.

    Args:
        scenario: The scenario.
        plan: Its nodes.
        recorded: Whether a bag is recorded.
    """
    period, update = scenario.swarm.control_period, scenario.mobility.update_rate
    return RealTimeRun(plan, period, update, None, recorded)


class Load(NamedTuple):
    """Cores that a run keeps busy: in all, by its busiest process, and by the busiest that flies.

    The one that monitors and records does not fly.
    """

    total: float
    busiest: float
    flying: float

    def fullness(self, cores: float) -> float:
        """Return the larger share: of the cores in all, or of one core by one process."""
        return max(self.total / cores, self.busiest)


def load_of(run: RealTimeRun, speed: float) -> Load:
    """Return the cores of a speed that a run keeps busy."""
    groups = composition(run.plan, run.processes)
    work = run_work(run.plan, groups, run.period, run.recorded)
    shares = [part.time(COSTS) / run.period / speed for part in work]
    return Load(sum(shares), max(shares), max(shares[:-1]))


def fullness(run: RealTimeRun, processor: Processor) -> float:
    """Return the share of a processor that a run keeps busy; above 1 is impossible."""
    return load_of(run, processor.speed).fullness(processor.cores)


def fits(run: RealTimeRun, processor: Processor) -> bool:
    """Return whether a processor carries a run."""
    return fullness(run, processor) <= FULL


def most_agents(run: RealTimeRun, processor: Processor) -> int:
    """Return how many agents of a run fit, 0 if not even one does."""
    return _last(lambda agents: fits(_with_agents(run, agents), processor), 1, run.agents)


def shortest_period(run: RealTimeRun, processor: Processor) -> float | None:
    """Return the shortest control period [s] from that of a run on with which it fits, or None."""
    updates, most = round(run.period / run.update), math.floor(LONGEST_PERIOD / run.update)
    late = _last(
        lambda count: not fits(run._replace(period=count * run.update), processor), updates, most
    )
    return (late + 1) * run.update if late < most else None


def _last(holds: Callable[[int], bool], first: int, last: int) -> int:
    """Return the last number for which something holds that begins to fail once; by bisection.

    ``first - 1`` if it does not hold for the first.
    """
    low, high = first - 1, last + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _with_agents(run: RealTimeRun, agents: int) -> RealTimeRun:
    """Return a run with the first agents only, in as many processes as it has nodes for."""
    names = [spec.namespace for spec in run.plan if spec.executable == 'agent_node']
    left_out = {*names[agents:]}
    plan = [spec for spec in run.plan if spec.namespace not in left_out]
    nodes = sum(spec.executable not in OBSERVERS for spec in plan)
    processes = None if run.processes is None else min(run.processes, nodes)
    return run._replace(plan=plan, processes=processes)
