"""Nodes of a plan as actions of launch."""

import os
import sys
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from launch import LaunchContext
from launch.action import Action
from launch.actions import LogInfo, SetEnvironmentVariable
from launch.events.process import ProcessExited
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from velocity_mobility_ros.core.parameter_table import TABLE
from velocity_mobility_ros.core.parent_process import to_child

from soliton_encirclement_ros.core.run.run_folder import LOG, PARAMETERS, create_run_folder
from soliton_encirclement_ros.core.scenario.parts.node_files import NodeFiles, node_files
from soliton_encirclement_ros.core.scenario.parts.vehicle_kinds import BRIDGES
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import PACKAGE, NodeSpec
from soliton_encirclement_ros.core.states.swarm_topics import ROOT, Fleet
from soliton_encirclement_ros.launching.arguments import LAUNCH_PREFIX, Given
from soliton_encirclement_ros.launching.launch_failure import fail
from soliton_encirclement_ros.launching.launch_namespace import in_namespace
from soliton_encirclement_ros.launching.launched_process import (
    After,
    LaunchedProcess,
    process_of_node,
)

NODE_TIMEOUT = '10'
"""Wall time [s] for a node to close its files, before SIGTERM and again before SIGKILL."""

BRIDGE_TIMEOUT = '20'
"""The same for a bridge, which hands its vehicle over to the autopilot before it ends."""

MONITOR_TIMEOUT = '60'
"""The same for the monitor, which draws plots; at SIGTERM it skips the rest."""


class LaunchSettings(NamedTuple):
    """Settings of the nodes besides the plan.

    Attributes:
        log_level: Log level.
        use_sim_time: Whether they use the time of ``/clock``.
        files: Their parameter files.
        is_parent: Whether launch itself starts them, and they end with it; not with a
            ``launch-prefix``, whose command comes between.
    """

    log_level: str
    use_sim_time: bool = False
    files: NodeFiles = NodeFiles()
    is_parent: bool = True


def settings(given: Given, plan: Sequence[NodeSpec] = (), within: Fleet = ROOT) -> LaunchSettings:
    """Return the settings of the nodes from the arguments of a launch.

    Args:
        given: The arguments.
        plan: The nodes that may have parameter files; ``params_file`` is for the first of them.
        within: The namespace of the plan.

    Raises:
        MobilityError: A parameter file cannot be read, or is for none of them.
    """
    params_file, bridge_file = (given.get(name, '') for name in ('params_file', 'bridge_file'))
    files = node_files(plan, within, params_file, bridge_file, given.get('bridge') == 'true')
    return LaunchSettings(
        given['log_level'], given.get('use_sim_time') == 'true', files, not given[LAUNCH_PREFIX]
    )


def start(specs: Sequence[NodeSpec], chosen: LaunchSettings, after: After) -> list[Action]:
    """Return the actions that start nodes.

    Args:
        specs: The nodes; first those with parameter files, in the order of the settings.
        chosen: Their settings.
        after: Returns the actions when the process of a node has ended.
    """
    pairs = zip_longest(specs, chosen.files.of, fillvalue=())
    nodes = [_node(spec, chosen, files, after) for spec, files in pairs]
    return [*warnings(chosen.files.warnings), *nodes]


def end_together(
    process: LaunchedProcess, event: ProcessExited, context: LaunchContext
) -> list[Action]:
    """End the launch when one of its processes has ended: they depend on each other."""
    if context.is_shutdown:
        return []
    return fail(f'{process.name} ended with exit code {event.returncode}')


def new_run_folder(given: Given, scenario: Scenario) -> Path:
    """Create a run folder in the folder ``out``, and return its absolute path.

    Raises:
        RunError: It cannot be created.
    """
    return create_run_folder(Path(given['out']), scenario, sys.argv).resolve()


def run_actions(folder: Path, given: Given, actions: Sequence[Action]) -> list[Action]:
    """Return the actions of a launch with a run folder: its path as a line, and the logs.

    Raises:
        ParameterError: The namespace is invalid.
    """
    return [
        LogInfo(msg=f'run folder: {folder}'),
        *log_folder(folder),
        SetEnvironmentVariable(TABLE, str(folder / PARAMETERS)),
        *in_namespace(given['namespace'], actions),
    ]


def log_folder(folder: Path) -> list[Action]:
    """Let the nodes log into the run folder, unless ROS_LOG_DIR is set."""
    if 'ROS_LOG_DIR' in os.environ:
        return []
    return [SetEnvironmentVariable('ROS_LOG_DIR', str(folder / LOG))]


def warnings(lines: Sequence[str]) -> list[Action]:
    """Return actions that log warnings."""
    return [LogInfo(msg=f'warning: {line}') for line in lines]


def _node(
    spec: NodeSpec, chosen: LaunchSettings, files: Sequence[str], after: After
) -> Node:
    parameters: list[object] = [{name: _as_is(value) for name, value in spec.parameters.items()}]
    if chosen.use_sim_time:
        parameters.append({'use_sim_time': True})
    return process_action(
        process_of_node(spec),
        chosen,
        after,
        executable=spec.executable,
        namespace=spec.namespace or None,
        parameters=[*parameters, *files],
        remappings=list(spec.remappings),
    )


def process_action(
    process: LaunchedProcess, chosen: LaunchSettings, after: After, **options: Any
) -> Node:
    """Return the action that starts a process of this package.

    Args:
        process: The process.
        chosen: Its settings.
        after: Returns the actions when it has ended.
        options: Options of ``launch_ros.actions.Node``.
    """
    bridge_timeout = BRIDGE_TIMEOUT if process.runs(*BRIDGES.values()) else NODE_TIMEOUT
    timeout = MONITOR_TIMEOUT if process.runs('monitor_node') else bridge_timeout
    return Node(
        package=PACKAGE,
        ros_arguments=['--log-level', chosen.log_level],
        output='screen',
        additional_env=to_child() if chosen.is_parent else None,
        sigterm_timeout=timeout,
        sigkill_timeout=timeout,
        on_exit=lambda event, context: after(process, event, context),
        **options,
    )


def _as_is(value: object) -> object:
    """Return a parameter value that launch does not parse as YAML: the text '1' stays a text."""
    return ParameterValue(value, value_type=str) if isinstance(value, str) else value
