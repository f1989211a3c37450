"""Composition: which nodes of a plan share a process, and how many processes there are.

In lockstep all wait for all, and messages within a process are the fastest: one process. In real
time a process of its own shows how an agent behaves on its own computer, for several times the
processor time; so agents have one each where there is room, by a rule of agents, rate and cores.
"""

from collections.abc import Sequence
from typing import NamedTuple

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.swarm_plan import OBSERVERS, NodeSpec
from soliton_encirclement_ros.core.states.swarm_topics import WORLD

PER_AGENT = 'per-agent'
"""One process per node, instead of a number of processes."""

TOGETHER = 'swarm'
"""Name of the process that has all nodes."""

AGENT_NODE = 'agent_node'

OWN_PROCESSES = 75.0
"""Agent-ticks per second and core up to which every node has a process of its own: seven agents at
20 Hz on two cores. Slow machines have room for that, too."""

MOST_TICKS = 1000.0
"""Agent-ticks per second of a process above which ticks may be late: fifty agents at 20 Hz."""

MOST_OWN_TICKS = 2.0 * OWN_PROCESSES
"""The same per core where every node has a process of its own."""


SHARED = 'processes that the nodes share: {}; for one per node: {}'
"""Message for a user who has given no number: the number of processes, and the option."""


class ProcessGroup(NamedTuple):
    """Nodes that share a process.

    Attributes:
        name: Name of the process.
        numbers: Positions of the nodes in the plan.
        has_world: Whether the world is among them, without which the run ends.
    """

    name: str
    numbers: tuple[int, ...]
    has_world: bool


def process_count(text: str) -> int | None:
    """Return a number of processes as a user writes it, None for one per node.

    Raises:
        ScenarioError: It is neither ``per-agent`` nor a number from 1 on.
    """
    if text == PER_AGENT:
        return None
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 7 and int(text) > 0):
        raise ScenarioError(
            f'processes = {text!r} must be {PER_AGENT} or a whole number from 1 on'
        )
    return int(text)


def chosen_processes(
    plan: Sequence[NodeSpec], period: float, text: str, lockstep: bool, cores: float
) -> int | None:
    """Return how many processes share the nodes of a run, None for one per node.

    Args:
        plan: The nodes.
        period: Control period [s].
        text: The user's number; empty: none, then the rule of agents and cores decides.
        lockstep: Whether the run is in lockstep.
        cores: How many cores may be used.

    Raises:
        ScenarioError: The text is no number of processes.
    """
    if text:
        return process_count(text)
    if lockstep:
        return 1
    ticks = _agents(plan) / period
    if ticks <= OWN_PROCESSES * cores:
        return None
    return max(1, min(int(cores) // 2, len(composition(plan, None))))


def lateness_warning(
    plan: Sequence[NodeSpec], period: float, processes: int | None, cores: float
) -> str:
    """Return a line if ticks of a run in real time may be late, else an empty one.

    Args:
        plan: The nodes.
        period: Control period [s].
        processes: How many processes share them; None: one per node.
        cores: How many cores may be used.
    """
    agents = _agents(plan)
    most = MOST_OWN_TICKS * cores if processes is None else MOST_TICKS * min(processes, cores)
    if agents / period <= most:
        return ''
    how = 'one per node' if processes is None else str(processes)
    return (
        f'{agents} agents at {1.0 / period:.3g} Hz (processes: {how}) on {cores:g} cores: ticks '
        f'may be late, and the run says so; a slow machine carries {int(most * period)} at this '
        'rate; fewer agents, a longer swarm.control_period, or other processes help, or a '
        'simulation that is published (swarm simulate --publish)'
    )


def _agents(plan: Sequence[NodeSpec]) -> int:
    return sum(spec.executable == AGENT_NODE for spec in plan)


def composition(plan: Sequence[NodeSpec], processes: int | None) -> list[ProcessGroup]:
    """Return the processes of a plan, without monitor and recorder, which have their own.

    Each gets as many nodes as the others, or one more; agents with neighbouring numbers share one.

    Args:
        plan: The nodes, with namespaces relative to the fleet.
        processes: How many processes; None: one per node.

    Raises:
        ScenarioError: There are fewer nodes than processes.
    """
    numbers = [k for k, spec in enumerate(plan) if spec.executable not in OBSERVERS]
    if processes is None:
        return [_group(plan[k].namespace or WORLD, [k], plan) for k in numbers]
    if processes > len(numbers):
        raise ScenarioError(
            f'processes = {processes} exceeds the {len(numbers)} nodes of the run; '
            f'use {PER_AGENT} or at most {len(numbers)}'
        )
    if processes == 1:
        return [_group(TOGETHER, numbers, plan)]
    # Agents last, so that the ring is cut into as few pieces as possible.
    numbers.sort(key=lambda k: plan[k].executable == AGENT_NODE)
    cuts = [len(numbers) * i // processes for i in range(processes + 1)]
    return [
        _group(f'process_{i + 1}', numbers[cuts[i] : cuts[i + 1]], plan) for i in range(processes)
    ]


def most_agents_together(plan: Sequence[NodeSpec], groups: Sequence[ProcessGroup]) -> int:
    """Return how many agents of a plan share a process, at most."""
    return max((_agents([plan[k] for k in group.numbers]) for group in groups), default=0)


def _group(name: str, numbers: Sequence[int], plan: Sequence[NodeSpec]) -> ProcessGroup:
    has_world = any(plan[k].executable == f'{WORLD}_node' for k in numbers)
    return ProcessGroup(name, tuple(numbers), has_world)
