"""Arguments of the launch files, declared once; undeclared ones are refused.

The namespace of a launch is its argument, within the namespace of an enclosing launch. A launch
ends with one line and exit code 1 by an exception. Nodes of these launch files end by themselves
when launch is gone.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from launch import Event, EventHandler, LaunchContext, LaunchDescription, SomeSubstitutionsType
from launch.action import Action
from launch.actions import (
    DeclareLaunchArgument, EmitEvent, GroupAction, LogInfo, OpaqueFunction, RegisterEventHandler
)
from launch.events.process import ProcessExited
from launch.substitutions import LaunchConfiguration, PythonExpression
from launch_ros.actions import PushRosNamespace

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.parameters.control_parameters import CONTROLLER_NAMES
from soliton_encirclement_ros.core.scenario.launch_arguments import (
    AUTO, BRIDGES, SIMULATED, VEHICLE_KINDS, refuse_undeclared
)
from soliton_encirclement_ros.core.states.swarm_topics import Fleet, named_fleet


class LaunchFailed(Event):
    """The launch has failed."""

    name = 'soliton_encirclement_ros.LaunchFailed'

    def __init__(self, reason: str) -> None:
        """Store the reason, one line."""
        self.reason = reason


def fail(reason: str) -> list[Action]:
    """Return the actions that end the launch with exit code 1.

    The exception is raised in a separate event, so that all handlers of the present event (for
    example the last output of a process) run first.
    """
    failed = EventHandler(
        matcher=lambda event: isinstance(event, LaunchFailed),
        entities=[OpaqueFunction(function=_raise)],
    )
    return [RegisterEventHandler(failed), EmitEvent(event=LaunchFailed(reason))]


def _raise(context: LaunchContext) -> None:
    raise RunError(context.locals.event.reason)


AGAIN = (
    'the bridge goes on: the vehicle brakes after its command_timeout and holds; start it again '
    'with the same arguments and bridge:=false, then `swarm fly engage`'
)


def ended(name: str, event: ProcessExited, context: LaunchContext, rest: str = '') -> list[Action]:
    """Return the actions after the end of a process; none if the launch ends.

    Args:
        name: Of the process.
        event: Its end.
        context: The launch.
        rest: Text on what continues without it; empty: nothing, the launch ends.
    """
    if context.is_shutdown:
        return []
    line = f'{name} ended with exit code {event.returncode}'
    return [LogInfo(msg=f'error: {line}; {rest}')] if rest else fail(line)


def warnings(lines: Sequence[str]) -> list[Action]:
    """Return actions that log warnings."""
    return [LogInfo(msg=f'warning: {line}') for line in lines]


ArgumentValues = Mapping[str, str]
SWITCH = ['true', 'false']
AUTO_SWITCH = [AUTO, *SWITCH]
ENCLOSING_NAMESPACE = 'ros_namespace'

LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'fatal']


def launch_description(
    file: str,
    arguments: Sequence[DeclareLaunchArgument],
    start: Callable[[ArgumentValues], list[Action]],
) -> LaunchDescription:
    """Return the description of a launch file.

    Args:
        file: The launch file's own path.
        arguments: Its arguments.
        start: Returns the actions for the values of the arguments; a MobilityError ends the
            launch with its line and exit code 1.
    """
    own, names = Path(file).name, [argument.name for argument in arguments]

    def begin(context: LaunchContext) -> list[Action]:
        check_argument_names(own, names, context)
        given = {name: text_of(context, name) for name in names}
        enclosing = context.launch_configurations.get(ENCLOSING_NAMESPACE, '')
        return start({**given, ENCLOSING_NAMESPACE: enclosing})

    return LaunchDescription([GroupAction([*arguments, OpaqueFunction(function=begin)])])


def check_argument_names(file: str, names: Sequence[str], context: LaunchContext) -> None:
    """Refuse arguments of the command line that the file does not declare.

    The command line is not checked if another launch file includes this one.

    Raises:
        RunError: An argument is unknown.
    """
    if file in [Path(argument).name for argument in sys.argv]:
        refuse_undeclared(file, context.argv, names)


def text_of(context: LaunchContext, name: str) -> str:
    """Return the text of a launch argument."""
    return LaunchConfiguration(name).perform(context).strip()


def scenario_arguments(usual: str = 'demo') -> list[DeclareLaunchArgument]:
    """Return the arguments of the scenario, the same for every part of a swarm.

    Args:
        usual: The default scenario.
    """
    return [
        DeclareLaunchArgument(
            'scenario', default_value=usual,
            description='Scenario: path of a file, or name of an installed one.',
        ),
        DeclareLaunchArgument(
            'controller', default_value='',
            description=f'Control law: {", ".join(CONTROLLER_NAMES)}, or your own '
                        '(FILE.py, package.module:NAME); empty: that of the scenario.',
        ),
        DeclareLaunchArgument(
            'agents', default_value='',
            description='Number of agents; empty: that of the scenario.',
        ),
        DeclareLaunchArgument(
            'set', default_value='',
            description='Scenario overrides: SECTION.KEY=VALUE, separated by ;.',
        ),
    ]  # fmt: skip


def member_arguments(name: SomeSubstitutionsType, node: str) -> list[DeclareLaunchArgument]:
    """Return the arguments of a member of the swarm that is started with its vehicle.

    Args:
        name: Name of the member, and usual namespace of its nodes.
        node: Its node, for which ``params_file`` is.
    """
    return [
        *scenario_arguments(),
        DeclareLaunchArgument(
            'vehicle', default_value=SIMULATED, choices=[*VEHICLE_KINDS],
            description='simulated: start a kinematic vehicle; '
                        'none: a real vehicle subscribes to cmd_vel and publishes odom; '
                        f'{", ".join(BRIDGES)}: start the bridge to an autopilot.',
        ),
        DeclareLaunchArgument(
            'vehicle_file', default_value='',
            description='Vehicle file, or name of an installed one; replaces the mobility.',
        ),
        DeclareLaunchArgument(
            'namespace', default_value=name, description='Namespace of the nodes.'
        ),
        DeclareLaunchArgument(
            'enable_stamped_cmd_vel',
            default_value=PythonExpression(
                ["'", LaunchConfiguration('vehicle'), f"' != '{SIMULATED}'"]
            ),
            description='Publish cmd_vel as TwistStamped instead of Twist; usually with a real '
                        'vehicle.',
        ),
        *bridge_arguments(),
        *node_arguments(node),
    ]  # fmt: skip


def bridge_arguments() -> list[DeclareLaunchArgument]:
    """Return the arguments of the bridges to autopilots."""
    return [
        DeclareLaunchArgument(
            'bridge_file', default_value='',
            description='ROS parameter file of the bridges: origin of the swarm, take-off height; '
                        'or name of an installed one; overrides the scenario.',
        ),
        DeclareLaunchArgument(
            'bridge', default_value='true', choices=SWITCH,
            description='false: without the bridges, which run already: to start an agent again '
                        'that has died. All else as in the launch whose bridge runs.',
        ),
        DeclareLaunchArgument(
            'autopilot_namespace', default_value=AUTO,
            description="Namespace of the autopilot's topics; auto: by number of the agent; "
                        'none: it has none.',
        ),
    ]  # fmt: skip


def node_arguments(name: str) -> list[DeclareLaunchArgument]:
    """Return the arguments of a part of the swarm that is started alone.

    Args:
        name: Name of the part.
    """
    return [
        DeclareLaunchArgument(
            'use_sim_time', default_value='false', choices=SWITCH,
            description='Use the time of /clock.',
        ),
        DeclareLaunchArgument(
            'params_file', default_value='',
            description=f'ROS parameter file of the node {name}; overrides the scenario.',
        ),
        log_level_argument(),
    ]  # fmt: skip


def namespace_argument(description: str) -> DeclareLaunchArgument:
    """Return the argument that puts the nodes into a namespace."""
    return DeclareLaunchArgument('namespace', default_value='', description=description)


def log_level_argument() -> DeclareLaunchArgument:
    """Return the argument for the log level."""
    return DeclareLaunchArgument(
        'log_level', default_value='info', choices=LOG_LEVELS,
        description='Log level of the nodes.',
    )  # fmt: skip


def out_argument(default: str, description: str) -> DeclareLaunchArgument:
    """Return the argument for the output folder."""
    return DeclareLaunchArgument('out', default_value=default, description=description)


def run_arguments() -> list[DeclareLaunchArgument]:
    """Return the arguments of a launch that writes a run folder: viewers, and the folder."""
    return [
        DeclareLaunchArgument(
            'view', default_value='false', choices=('false', 'true', 'operate'),
            description='Show the swarm in the browser; operate: the page gives orders.',
        ),
        DeclareLaunchArgument(
            'rviz', default_value='false', choices=SWITCH, description='Show the swarm in RViz.'
        ),
        out_argument('runs', 'Folder in which the run folder is created.'),
    ]


def in_namespace(text: str, actions: Sequence[Action]) -> list[Action]:
    """Return actions whose nodes are in a namespace, relative to that of the launch.

    Raises:
        ParameterError: The namespace is invalid.
    """
    namespace = named_fleet(text, 'namespace').namespace.strip('/')
    return [GroupAction([PushRosNamespace(namespace), *actions])] if namespace else [*actions]


def launched_fleet(given: ArgumentValues) -> Fleet:
    """Return the fleet with its full namespace, that of an enclosing launch included.

    Raises:
        ParameterError: The namespace is invalid.
    """
    own = named_fleet(given['namespace'], 'namespace').namespace
    enclosing = named_fleet(given[ENCLOSING_NAMESPACE].rstrip('/'), 'namespace').namespace
    return named_fleet(enclosing + own, 'namespace')
