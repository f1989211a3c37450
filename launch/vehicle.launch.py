"""Start one agent, for example on a companion computer.

``ros2 launch soliton_encirclement_ros vehicle.launch.py id:=3`` starts the agent and a simulated
vehicle in real time. With ``vehicle:=none`` a real vehicle subscribes to ``cmd_vel`` and publishes
``odom`` in the agent's namespace. All computers of a swarm must use the same scenario and the
same controller.

Copy this file for a vehicle of your own: add nodes, parameters and remappings where they stand.
"""

import os

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration, PythonExpression
from launch_ros.actions import Node

from soliton_encirclement_ros.launching.arguments import member_arguments
from soliton_encirclement_ros.launching.scenario_parameters import (
    OptionalFile, ScenarioParameters, after_exit, checked, end_launch
)


def generate_launch_description() -> LaunchDescription:
    """Return the arguments, the agent, and its vehicle or bridge."""
    vehicle = LaunchConfiguration('vehicle')
    member = ['uav_', LaunchConfiguration('id')]
    is_simulated = PythonExpression(["'", vehicle, "' == 'simulated'"])
    has_bridge = PythonExpression(["'", vehicle, "' in ('px4', 'ardupilot', 'mavros')"])
    starts_bridge = PythonExpression(
        [has_bridge, " and '", LaunchConfiguration('bridge'), "' == 'true'"]
    )

    arguments = [
        DeclareLaunchArgument('id', default_value='1', description='Number k of the agent uav_k.'),
        *member_arguments(member, 'agent'),
        DeclareLaunchArgument(
            'inject_failures', default_value=is_simulated,
            description='Inject the random and scheduled failures of the scenario; usually with '
                        'the simulated vehicle.',
        ),
    ]  # fmt: skip
    shared = {
        'enable_stamped_cmd_vel': LaunchConfiguration('enable_stamped_cmd_vel'),
        'use_sim_time': LaunchConfiguration('use_sim_time'),
    }
    common = {
        'package': 'soliton_encirclement_ros',
        'namespace': LaunchConfiguration('namespace'),
        'output': 'screen',
        'ros_arguments': ['--log-level', LaunchConfiguration('log_level')],
        'additional_env': {'SWARM_PARENT_PID': str(os.getpid())},  # a node ends with this launch
        # Time to close its files; a bridge first hands its vehicle over to the autopilot.
        'sigterm_timeout': '20',
        'sigkill_timeout': '20',
    }

    bridge = Node(
        executable=[vehicle, '_bridge_node'],
        parameters=[
            ScenarioParameters('bridge', member), shared, OptionalFile('bridge_file', 'bridge'),
        ],
        remappings=[],
        condition=IfCondition(starts_bridge),
        on_exit=end_launch,
        **common,
    )  # fmt: skip
    agent = Node(
        executable='agent_node',
        parameters=[
            ScenarioParameters('agent_node', member),
            {
                **shared,
                'agent_id': LaunchConfiguration('id'),
                'inject_failures': LaunchConfiguration('inject_failures'),
                # Time [s] without the target after which a real vehicle stops; 0: never.
                'target_loss_stop': PythonExpression(['0.0 if ', is_simulated, ' else 10.0']),
            },
            OptionalFile('params_file'),
        ],
        remappings=[],  # such as ('odom', 'mavros/local_position/odom')
        **common,
    )
    simulated_vehicle = Node(
        executable='mobility_node',
        parameters=[ScenarioParameters('mobility_node', member), shared],
        remappings=[],
        condition=IfCondition(is_simulated),
        on_exit=end_launch,
        **common,
    )
    return checked(__file__, [
        *arguments,
        bridge, agent, simulated_vehicle,
        *after_exit(agent, has_bridge),
    ])  # fmt: skip
