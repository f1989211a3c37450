"""Nodes of a plan as actions of launch."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from ament_index_python.packages import PackageNotFoundError, get_package_prefix
from launch import LaunchContext
from launch.action import Action
from launch.actions import GroupAction, LogInfo, SetEnvironmentVariable
from launch.events.process import ProcessExited
from launch_ros.actions import Node, PushRosNamespace
from launch_ros.parameter_descriptions import ParameterValue

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.files.package_share import share_folder
from soliton_encirclement_ros.core.run.run_folder import create_run_folder
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import PACKAGE, NodeSpec
from soliton_encirclement_ros.core.states.fleet_names import ROOT, named_fleet
from soliton_encirclement_ros.core.states.swarm_topics import CLOCK, SHOWN
from soliton_encirclement_ros.launching.arguments import Given
from soliton_encirclement_ros.launching.launch_failure import fail

PATIENCE = '10'
"""Wall time [s] that a node has to close its files before it is told more firmly."""

PATIENCE_TO_DRAW = '60'
"""The same for the monitor, which draws pictures; told more firmly, it leaves the rest out."""

After = Callable[[NodeSpec, ProcessExited, LaunchContext], list[Action]]


class LaunchSettings(NamedTuple):
    """What nodes are started with besides the plan."""

    log_level: str
    use_sim_time: bool = False
    params_file: str = ''


def settings(given: Given) -> LaunchSettings:
    """Return what the arguments of a launch say about its nodes.

    Raises:
        ScenarioError: There is no such parameter file.
    """
    params_file = given.get('params_file', '')
    if params_file and not Path(params_file).is_file():
        raise ScenarioError(f'params_file:={params_file}: there is no such file')
    return LaunchSettings(given['log_level'], given.get('use_sim_time') == 'true', params_file)


def start(specs: Sequence[NodeSpec], chosen: LaunchSettings, after: After) -> list[Action]:
    """Return the actions that start nodes; a parameter file is for the first of them.

    Args:
        specs: The nodes.
        chosen: What they are started with.
        after: Returns what to do when a node has ended.
    """
    own = [chosen] + [chosen._replace(params_file='')] * len(specs)
    return [_node(spec, its, after) for spec, its in zip(specs, own, strict=False)]


def in_namespace(text: str, actions: Sequence[Action]) -> list[Action]:
    """Return actions whose nodes are in a namespace, relative to that of the launch.

    Raises:
        ParameterError: ROS 2 takes no such namespace.
    """
    namespace = named_fleet(text, 'namespace').namespace.strip('/')
    return [GroupAction([PushRosNamespace(namespace), *actions])] if namespace else [*actions]


def end_together(spec: NodeSpec, event: ProcessExited, context: LaunchContext) -> list[Action]:
    """End the launch when one of its nodes has ended by itself: they need each other."""
    if context.is_shutdown:
        return []
    return fail(f'{spec.executable} ended with exit code {event.returncode}')


def new_run_folder(given: Given, scenario: Scenario) -> Path:
    """Create a run folder where the argument ``out`` says, and return its whole path.

    Raises:
        RunError: It cannot be created.
    """
    return create_run_folder(Path(given['out']), scenario, sys.argv).resolve()


def run_actions(folder: Path, given: Given, actions: Sequence[Action]) -> list[Action]:
    """Return the actions of a launch that leaves a run folder, with its line and its logs.

    Raises:
        ParameterError: ROS 2 takes no such namespace.
    """
    return [
        LogInfo(msg=f'run folder: {folder}'),
        *log_folder(folder),
        *in_namespace(given['namespace'], actions),
    ]


def log_folder(folder: Path) -> list[Action]:
    """Let the nodes log into a run's folder, unless the environment says where."""
    if 'ROS_LOG_DIR' in os.environ:
        return []
    return [SetEnvironmentVariable('ROS_LOG_DIR', str(folder / 'log'))]


def warnings(lines: Sequence[str]) -> list[Action]:
    """Return the actions that warn."""
    return [LogInfo(msg=f'warning: {line}') for line in lines]


def rviz(given: Given, use_sim_time: bool, own_clock: bool = False) -> list[Action]:
    """Return RViz if it is wanted, or what to install; in a namespace it shows the fleet there.

    Args:
        given: The arguments of the launch.
        use_sim_time: Whether time is that of a clock.
        own_clock: Whether that is the clock of the fleet, as in lockstep, not everybody's.
    """
    if given['rviz'] != 'true':
        return []
    try:
        get_package_prefix('rviz2')
    except PackageNotFoundError:
        distribution = os.environ.get('ROS_DISTRO', '<distribution>')
        return [LogInfo(msg=f'no RViz here: install ros-{distribution}-rviz2')]
    shown = (*SHOWN, CLOCK) if own_clock else SHOWN
    layout = share_folder() / 'config' / 'rviz' / 'swarm.rviz'
    return [
        Node(
            package='rviz2', executable='rviz2', arguments=['-d', str(layout)],
            parameters=[{'use_sim_time': use_sim_time}], output='log',
            remappings=[(ROOT.full_name(name), name) for name in shown],
        )
    ]  # fmt: skip


def _node(spec: NodeSpec, chosen: LaunchSettings, after: After) -> Node:
    parameters: list[object] = [{name: _as_is(value) for name, value in spec.parameters.items()}]
    if chosen.use_sim_time:
        parameters.append({'use_sim_time': True})
    if chosen.params_file:
        parameters.append(chosen.params_file)
    patience = PATIENCE_TO_DRAW if spec.executable == 'monitor_node' else PATIENCE
    return Node(
        package=PACKAGE,
        executable=spec.executable,
        namespace=spec.namespace or None,
        parameters=parameters,
        remappings=list(spec.remappings),
        ros_arguments=['--log-level', chosen.log_level],
        output='screen',
        sigterm_timeout=patience,
        sigkill_timeout=patience,
        on_exit=lambda event, context: after(spec, event, context),
    )


def _as_is(value: object) -> object:
    """Return a parameter value that launch does not read as YAML: the text '1' stays a text."""
    return ParameterValue(value, value_type=str) if isinstance(value, str) else value
