"""Arguments of the launch files: declared once, read together, refused if nobody declared them."""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from launch import LaunchContext, LaunchDescription
from launch.action import Action
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration

from soliton_encirclement_ros.core.parameters.control_parameters import CONTROLLER_NAMES
from soliton_encirclement_ros.core.scenario.launch_arguments import AUTO, refuse_undeclared
from soliton_encirclement_ros.launching.launch_failure import on_failure

Given = Mapping[str, str]
SWITCH = ['true', 'false']
AUTO_SWITCH = [AUTO, *SWITCH]
LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'fatal']


def launch_description(
    file: str,
    arguments: Sequence[DeclareLaunchArgument],
    start: Callable[[Given], list[Action]],
) -> LaunchDescription:
    """Return what a launch file describes.

    Args:
        file: The launch file's own path.
        arguments: What may be given.
        start: Returns what to start, once the values of the arguments are known; a MobilityError
            ends the launch with its line and exit code 1.
    """
    names = [argument.name for argument in arguments]

    def begin(context: LaunchContext) -> list[Action]:
        check_given(Path(file).name, names, context)
        return start({name: text_of(context, name) for name in names})

    return LaunchDescription([*arguments, on_failure(), OpaqueFunction(function=begin)])


def check_given(file: str, names: Sequence[str], context: LaunchContext) -> None:
    """Refuse arguments of the command line that the file does not declare.

    Where another launch file includes this one, the command line is for that one.

    Raises:
        RunError: An argument is unknown.
    """
    if file in [Path(word).name for word in sys.argv]:
        refuse_undeclared(file, context.argv, names)


def text_of(context: LaunchContext, name: str) -> str:
    """Return the text of a launch argument."""
    return LaunchConfiguration(name).perform(context).strip()


def scenario_arguments() -> list[DeclareLaunchArgument]:
    """Return the arguments that say what is flown: the same for every part of a swarm."""
    return [
        DeclareLaunchArgument(
            'scenario', default_value='demo',
            description='Path of a scenario file, or name of one that comes along.',
        ),
        DeclareLaunchArgument(
            'controller', default_value='',
            description=f'Law of the agents: {", ".join(CONTROLLER_NAMES)}, or one of your own '
                        '(FILE.py, package.module:NAME); empty: as the scenario says.',
        ),
        DeclareLaunchArgument(
            'agents', default_value='',
            description='Number of agents of the swarm; empty: as the scenario says.',
        ),
        DeclareLaunchArgument(
            'set', default_value='',
            description='Changes of the scenario: SECTION.KEY=VALUE, several with ; between.',
        ),
    ]  # fmt: skip


def member_arguments(name: str) -> list[DeclareLaunchArgument]:
    """Return the arguments of a member of the swarm that is started with its vehicle.

    Args:
        name: How the member is called.
    """
    return [
        *scenario_arguments(),
        DeclareLaunchArgument(
            'vehicle', default_value='simulated', choices=['simulated', 'none'],
            description='simulated: a kinematic vehicle comes along; '
                        'none: a real one takes cmd_vel and publishes odom.',
        ),
        DeclareLaunchArgument(
            'vehicle_file', default_value='',
            description="File, or name, of a vehicle: its limits instead of the scenario's.",
        ),
        namespace_argument(f'Namespace of the nodes; empty: {name}, where the swarm looks.'),
        DeclareLaunchArgument(
            'enable_stamped_cmd_vel', default_value=AUTO, choices=AUTO_SWITCH,
            description='Command the vehicle by TwistStamped instead of Twist; '
                        'auto: with vehicle:=none.',
        ),
        *node_arguments(name),
    ]  # fmt: skip


def node_arguments(name: str) -> list[DeclareLaunchArgument]:
    """Return the arguments of a part of the swarm that is started alone.

    Args:
        name: What it is.
    """
    return [
        DeclareLaunchArgument(
            'use_sim_time', default_value='false', choices=SWITCH,
            description='Take time from /clock.',
        ),
        DeclareLaunchArgument(
            'params_file', default_value='',
            description=f'ROS parameter file for the node of {name}; goes before the scenario.',
        ),
        log_level_argument(),
    ]  # fmt: skip


def namespace_argument(description: str) -> DeclareLaunchArgument:
    """Return the argument that puts the nodes into a namespace."""
    return DeclareLaunchArgument('namespace', default_value='', description=description)


def log_level_argument() -> DeclareLaunchArgument:
    """Return the argument for the least severity of what is logged."""
    return DeclareLaunchArgument(
        'log_level', default_value='info', choices=LOG_LEVELS,
        description='Least severity of what the nodes log.',
    )  # fmt: skip


def out_argument(default: str, description: str) -> DeclareLaunchArgument:
    """Return the argument that says where files go."""
    return DeclareLaunchArgument('out', default_value=default, description=description)


def run_arguments() -> list[DeclareLaunchArgument]:
    """Return the arguments of a launch that leaves a run folder: show the swarm, and where."""
    return [
        DeclareLaunchArgument(
            'rviz', default_value='false', choices=SWITCH, description='Show the swarm in RViz.'
        ),
        out_argument('runs', 'Folder in which the run folder is made.'),
    ]
