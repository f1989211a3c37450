"""Fly a scenario with one process per node.

``ros2 launch soliton_encirclement_ros swarm.launch.py agents:=5`` starts the swarm plan and
nothing else; ``--show-args`` lists the arguments. The launch ends with the run, whose folder is
then complete, and just as valid after ctrl-C.
"""

import json
import os
import sys
from pathlib import Path

from ament_index_python.packages import PackageNotFoundError, get_package_prefix
from launch import LaunchContext, LaunchDescription
from launch.action import Action
from launch.actions import (
    DeclareLaunchArgument,
    LogInfo,
    OpaqueFunction,
    SetEnvironmentVariable,
    Shutdown,
    TimerAction,
)
from launch.events.process import ProcessExited
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from soliton_encirclement_ros.core.parameters import CONTROLLER_NAMES
from soliton_encirclement_ros.core.plan import (
    PACKAGE,
    NodeSpec,
    PlanOptions,
    check_for_nodes,
    swarm_plan,
)
from soliton_encirclement_ros.core.run_folder import SUMMARY, create_run_folder
from soliton_encirclement_ros.core.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.share import find_scenario, share_folder

SWITCH = ['true', 'false']
LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'fatal']

CHANGES = {
    'agents': 'num_agents',
    'duration': 'sim_duration',
    'seed': 'seed',
    'real_time_factor': 'real_time_factor',
}
"""Numbers that replace a value in the scenario's section ``run``."""

REQUIRED = ('world_node', 'monitor_node', 'recorder_node')
"""Executables without which a run is over."""

DRAIN = 2.0
"""Wall time [s] that the observers of a lockstep run have to take in what was said last."""

PATIENCE = '10'
"""Wall time [s] that a node has to close its files before it is told more firmly."""


def generate_launch_description() -> LaunchDescription:
    """Return the arguments, and what to make of them once they are known."""
    return LaunchDescription([
        DeclareLaunchArgument(
            'scenario', default_value='demo',
            description='Path of a scenario file, or name of one that comes along.',
        ),
        DeclareLaunchArgument(
            'controller', default_value='',
            description=f'Law of the agents: {", ".join(CONTROLLER_NAMES)}; '
                        'empty: as the scenario says.',
        ),
        DeclareLaunchArgument(
            'agents', default_value='',
            description='Number of agents; empty: as the scenario says.',
        ),
        DeclareLaunchArgument(
            'duration', default_value='',
            description='Length of the run [s]; empty: as the scenario says.',
        ),
        DeclareLaunchArgument(
            'seed', default_value='',
            description='Seed of every random stream; empty: as the scenario says.',
        ),
        DeclareLaunchArgument(
            'lockstep', default_value='true', choices=SWITCH,
            description='true: nobody goes on before all have answered; false: by the clock.',
        ),
        DeclareLaunchArgument(
            'real_time_factor', default_value='',
            description='Lockstep: simulated seconds per second, 0: as fast as it goes; '
                        'empty: as the scenario says.',
        ),
        DeclareLaunchArgument(
            'record', default_value='true', choices=SWITCH, description='Record a bag.'
        ),
        DeclareLaunchArgument(
            'rviz', default_value='false', choices=SWITCH, description='Show the swarm in RViz.'
        ),
        DeclareLaunchArgument(
            'out', default_value='runs', description='Folder in which the run folder is made.'
        ),
        DeclareLaunchArgument(
            'log_level', default_value='info', choices=LOG_LEVELS,
            description='Least severity of what the nodes log.',
        ),
        OpaqueFunction(function=launch_swarm),
    ])  # fmt: skip


def launch_swarm(context: LaunchContext) -> list[Action]:
    """Create the run folder and return everything to start.

    Raises:
        MobilityError: An argument or the scenario is refused; ``ros2 launch`` shows the line.
    """
    scenario = changed_scenario(context)
    check_for_nodes(scenario)
    lockstep = argument(context, 'lockstep') == 'true'
    folder = create_run_folder(Path(argument(context, 'out')), scenario, sys.argv).resolve()
    options = PlanOptions(lockstep, str(folder), argument(context, 'record') == 'true')
    log_level = argument(context, 'log_level')
    return [
        *[LogInfo(msg=f'warning: {warning}') for warning in scenario.warnings],
        LogInfo(msg=f'run folder: {folder}'),
        *log_folder(folder),
        *[start(spec, folder, log_level) for spec in swarm_plan(scenario, options)],
        *(rviz(lockstep) if argument(context, 'rviz') == 'true' else []),
    ]


def argument(context: LaunchContext, name: str) -> str:
    """Return the text of a launch argument."""
    return LaunchConfiguration(name).perform(context).strip()


def changed_scenario(context: LaunchContext) -> Scenario:
    """Return the scenario asked for, with the arguments that replace its values."""
    scenario = load_scenario(find_scenario(argument(context, 'scenario')))
    texts = {key: argument(context, name) for name, key in CHANGES.items()}
    changes = {key: number(text) for key, text in texts.items() if text}
    law = argument(context, 'controller') or scenario.control.controller
    control = {'controller': law}
    return scenario.with_changes({'run': changes, 'control': control}, 'launch arguments')


def number(text: str) -> int | float | str:
    """Return the number that a text stands for, else the text, which the scenario then refuses."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def log_folder(folder: Path) -> list[Action]:
    """Let the nodes log into the run's folder, unless the environment says where."""
    if 'ROS_LOG_DIR' in os.environ:
        return []
    return [SetEnvironmentVariable('ROS_LOG_DIR', str(folder / 'log'))]


def start(spec: NodeSpec, folder: Path, log_level: str) -> Node:
    """Return the action that starts a node of the plan."""
    return Node(
        package=PACKAGE,
        executable=spec.executable,
        namespace=spec.namespace or None,
        parameters=[{name: as_it_is(value) for name, value in spec.parameters.items()}],
        remappings=list(spec.remappings),
        ros_arguments=['--log-level', log_level],
        output='screen',
        sigterm_timeout=PATIENCE,
        on_exit=lambda event, context: after(spec, folder, event, context),
    )


def as_it_is(value: object) -> object:
    """Return a parameter value that launch does not read as YAML: the text '1' stays a text."""
    return ParameterValue(value, value_type=str) if isinstance(value, str) else value


def after(
    spec: NodeSpec, folder: Path, event: ProcessExited, context: LaunchContext
) -> list[Action]:
    """Return what to do when a node has ended: the world's end is the end of the run.

    Raises:
        RuntimeError: A node has died without which there is no run.
    """
    if context.is_shutdown:
        return [LogInfo(msg=verdict(folder))] if spec.executable == 'monitor_node' else []
    if spec.executable in REQUIRED and event.returncode != 0:
        raise RuntimeError(f'{spec.executable} died with exit code {event.returncode}')
    return end_of_run(spec.parameters['lockstep']) if spec.executable == 'world_node' else []


def end_of_run(lockstep: bool) -> list[Action]:
    """Return the end of the launch; in lockstep, the observers first take in the last tick."""
    end = Shutdown(reason='the run is over')
    return [TimerAction(period=DRAIN, actions=[end])] if lockstep else [end]


def verdict(folder: Path) -> str:
    """Return what the summary says, in one line."""
    try:
        summary = json.loads((folder / SUMMARY).read_text(encoding='utf-8'))
    except (OSError, ValueError):
        return f'{folder / SUMMARY}: no summary was written'
    found = summary['verdict']
    return f'{"ENCIRCLED" if found["encircled"] else "NOT ENCIRCLED"}: {found["why"]}'


def rviz(lockstep: bool) -> list[Action]:
    """Return RViz, or what to install to have it."""
    try:
        get_package_prefix('rviz2')
    except PackageNotFoundError:
        distribution = os.environ.get('ROS_DISTRO', '<distribution>')
        return [LogInfo(msg=f'no RViz here: install ros-{distribution}-rviz2')]
    layout = share_folder() / 'config' / 'rviz' / 'swarm.rviz'
    return [
        Node(
            package='rviz2', executable='rviz2', arguments=['-d', str(layout)],
            parameters=[{'use_sim_time': lockstep}], output='log',
        )
    ]  # fmt: skip
