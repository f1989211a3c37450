"""Composition: which nodes of a plan share a process."""

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
    is_agent = [spec.executable == AGENT_NODE for spec in plan]
    return max((sum(is_agent[k] for k in group.numbers) for group in groups), default=0)


def _group(name: str, numbers: Sequence[int], plan: Sequence[NodeSpec]) -> ProcessGroup:
    has_world = any(plan[k].executable == f'{WORLD}_node' for k in numbers)
    return ProcessGroup(name, tuple(numbers), has_world)
