"""A process of a launch: its name, and what runs in it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from launch import LaunchContext
from launch.action import Action
from launch.events.process import ProcessExited

from soliton_encirclement_ros.core.scenario.composition import ProcessGroup
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec


class LaunchedProcess(NamedTuple):
    """One process with one node or several.

    Attributes:
        name: Its name in messages.
        executables: What its nodes are.
    """

    name: str
    executables: frozenset[str]

    def runs(self, *executables: str) -> bool:
        """Return whether one of these is in the process."""
        return not self.executables.isdisjoint(executables)


After = Callable[[LaunchedProcess, ProcessExited, LaunchContext], list[Action]]
"""Returns the actions when a process has ended."""


def process_of_node(spec: NodeSpec) -> LaunchedProcess:
    """Return the process of a node that has one of its own."""
    name = f'{spec.namespace}/{spec.executable}'.strip('/')
    return LaunchedProcess(name, frozenset([spec.executable]))


def process_of_group(group: ProcessGroup, plan: Sequence[NodeSpec]) -> LaunchedProcess:
    """Return the process that some nodes of a plan share."""
    return LaunchedProcess(group.name, frozenset(plan[k].executable for k in group.numbers))
