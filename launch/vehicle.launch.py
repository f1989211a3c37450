"""Fly one agent: what a companion computer runs.

``ros2 launch soliton_encirclement_ros vehicle.launch.py id:=3`` starts the agent and a simulated
vehicle, by the clock. With ``vehicle:=none`` an external vehicle takes ``cmd_vel`` and answers
with ``odom`` in the agent's namespace. All computers of a swarm must use the same scenario and
the same controller.
"""

from launch import LaunchContext, LaunchDescription
from launch.action import Action
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.events.process import ProcessExited
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters import CONTROLLER_NAMES
from soliton_encirclement_ros.core.plan import (
    PACKAGE,
    NodeSpec,
    PlanOptions,
    agent_spec,
    vehicle_spec,
)
from soliton_encirclement_ros.core.scenario import Scenario, initial_positions, load_scenario
from soliton_encirclement_ros.core.share import find_scenario

SWITCH = ['true', 'false']
VEHICLES = ['simulated', 'none']
LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'fatal']


def generate_launch_description() -> LaunchDescription:
    """Return the arguments, and what to make of them once they are known."""
    return LaunchDescription([
        DeclareLaunchArgument('id', default_value='1', description='Number k of the agent uav_k.'),
        DeclareLaunchArgument(
            'scenario', default_value='demo',
            description='Path of a scenario file, or name of one that comes along.',
        ),
        DeclareLaunchArgument(
            'controller', default_value='',
            description=f'Law of the agent: {", ".join(CONTROLLER_NAMES)}; '
                        'empty: as the scenario says.',
        ),
        DeclareLaunchArgument(
            'vehicle', default_value='simulated', choices=VEHICLES,
            description='simulated: a kinematic vehicle on the ring; '
                        'none: an external one takes cmd_vel and publishes odom.',
        ),
        DeclareLaunchArgument(
            'namespace', default_value='',
            description='Namespace of agent and vehicle; empty: uav_<id>, where the swarm looks.',
        ),
        DeclareLaunchArgument(
            'enable_stamped_cmd_vel', default_value='false', choices=SWITCH,
            description='Command the vehicle by TwistStamped instead of Twist.',
        ),
        DeclareLaunchArgument(
            'log_level', default_value='info', choices=LOG_LEVELS,
            description='Least severity of what the nodes log.',
        ),
        OpaqueFunction(function=launch_vehicle),
    ])  # fmt: skip


def launch_vehicle(context: LaunchContext) -> list[Action]:
    """Return the agent and, if wanted, its vehicle.

    Raises:
        MobilityError: An argument or the scenario is refused; ``ros2 launch`` shows the line.
    """
    scenario = changed_scenario(context)
    agent_id = chosen_agent(argument(context, 'id'), scenario)
    stamped = argument(context, 'enable_stamped_cmd_vel') == 'true'
    agent = agent_spec(scenario, agent_id, PlanOptions(lockstep=False, record=False))
    own = {'agent_id': agent_id, 'enable_stamped_cmd_vel': stamped}
    specs = [with_parameters(agent, own)]
    if argument(context, 'vehicle') == 'simulated':
        x, y, z = initial_positions(scenario)[agent_id]
        start_at = {'initial_x': x, 'initial_y': y, 'initial_z': z}
        own = {**start_at, 'enable_stamped_cmd_vel': stamped}
        specs.append(with_parameters(vehicle_spec(scenario, agent_id), own))
    namespace = argument(context, 'namespace')
    log_level = argument(context, 'log_level')
    return [start(spec, namespace or spec.namespace, log_level) for spec in specs]


def argument(context: LaunchContext, name: str) -> str:
    """Return the text of a launch argument."""
    return LaunchConfiguration(name).perform(context).strip()


def changed_scenario(context: LaunchContext) -> Scenario:
    """Return the scenario asked for, under the law asked for."""
    scenario = load_scenario(find_scenario(argument(context, 'scenario')))
    law = argument(context, 'controller') or scenario.control.controller
    return scenario.with_changes({'control': {'controller': law}}, 'launch arguments')


def chosen_agent(text: str, scenario: Scenario) -> int:
    """Return the number of an agent that takes part in the scenario.

    Raises:
        ScenarioError: There is no such agent.
    """
    ids = scenario.agent_ids
    if not (text.isascii() and text.isdigit() and int(text) in ids):
        raise ScenarioError(
            f'id = {text!r} must be a number from {ids[0]} to {ids[-1]}, '
            f'the agents of scenario {scenario.name!r}'
        )
    return int(text)


def with_parameters(spec: NodeSpec, parameters: dict[str, object]) -> NodeSpec:
    """Return a node with some parameters more."""
    return spec._replace(parameters={**spec.parameters, **parameters})


def start(spec: NodeSpec, namespace: str, log_level: str) -> Node:
    """Return the action that starts a node of the plan."""
    return Node(
        package=PACKAGE,
        executable=spec.executable,
        namespace=namespace,
        parameters=[{name: as_it_is(value) for name, value in spec.parameters.items()}],
        remappings=list(spec.remappings),
        ros_arguments=['--log-level', log_level],
        output='screen',
        on_exit=lambda event, context: after(spec, event, context),
    )


def as_it_is(value: object) -> object:
    """Return a parameter value that launch does not read as YAML: the text '1' stays a text."""
    return ParameterValue(value, value_type=str) if isinstance(value, str) else value


def after(spec: NodeSpec, event: ProcessExited, context: LaunchContext) -> None:
    """End the launch when one of the two has ended: agent and vehicle need each other.

    Raises:
        RuntimeError: A node has ended without being asked to.
    """
    if not context.is_shutdown:
        raise RuntimeError(f'{spec.executable} ended with exit code {event.returncode}')
