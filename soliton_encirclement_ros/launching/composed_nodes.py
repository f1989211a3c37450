"""Nodes of a plan that share processes, as actions of launch."""

from collections.abc import Sequence
from pathlib import Path

from launch.action import Action

from soliton_encirclement_ros.core.scenario.composition import ProcessGroup
from soliton_encirclement_ros.core.scenario.swarm_plan import OBSERVERS, NodeSpec
from soliton_encirclement_ros.launching.arguments import Given
from soliton_encirclement_ros.launching.launch_nodes import process_action, settings, start
from soliton_encirclement_ros.launching.launched_process import After, process_of_group

HOST = 'node_host'
"""Executable that runs some nodes of a saved plan."""


def start_composed(
    plan: Sequence[NodeSpec],
    groups: Sequence[ProcessGroup],
    saved: Path,
    given: Given,
    after: After,
) -> list[Action]:
    """Return the actions that start the processes of a run; the observers have their own.

    Args:
        plan: The nodes.
        groups: Which of them share a process.
        saved: The plan in the run's folder, with the full namespaces.
        given: The arguments of the launch.
        after: Returns the actions when a process has ended.
    """
    hosts = [
        process_action(
            process_of_group(group, plan), settings(given), after,
            executable=HOST, exec_name=group.name,
            arguments=[str(saved), *map(str, group.numbers)],
        )
        for group in groups
    ]  # fmt: skip
    observers = [spec for spec in plan if spec.executable in OBSERVERS]
    return [*hosts, *start(observers, settings(given), after)]
