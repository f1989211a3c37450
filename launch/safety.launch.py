"""Start the separation filter of one vehicle that has a controller of its own.

``ros2 launch soliton_encirclement_ros safety.launch.py id:=3`` starts the filter and a simulated
vehicle in real time; the controller publishes on ``/uav_3/cmd_vel_raw``. With ``vehicle:=none`` a
real vehicle subscribes to ``cmd_vel`` and publishes ``odom``. Of the scenario, the distances, the
control period and the limits of the vehicle are used; all of a swarm must have the same.
"""

import os

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration, PythonExpression
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

from soliton_encirclement_ros.launching.arguments import SWITCH, member_arguments
from soliton_encirclement_ros.launching.scenario_parameters import (
    OptionalFile, ScenarioParameters, after_exit, checked, end_launch
)


def generate_launch_description() -> LaunchDescription:
    """Return the arguments, the filter, and its vehicle or bridge."""
    vehicle = LaunchConfiguration('vehicle')
    member = ['uav_', LaunchConfiguration('id')]
    is_simulated = PythonExpression(["'", vehicle, "' == 'simulated'"])
    has_bridge = PythonExpression(["'", vehicle, "' in ('px4', 'ardupilot', 'mavros')"])
    starts_bridge = PythonExpression(
        [has_bridge, " and '", LaunchConfiguration('bridge'), "' == 'true'"]
    )

    arguments = [
        DeclareLaunchArgument(
            'id', default_value='1', description='Number k of the vehicle uav_k.'
        ),
        *member_arguments(member, 'safety'),
        DeclareLaunchArgument(
            'publish_state', default_value='true', choices=SWITCH,
            description='Publish where the vehicle is; false: an agent with this number does.',
        ),
        DeclareLaunchArgument(
            'ring_member', default_value='false', choices=SWITCH,
            description='Whether agents leave the vehicle a place on their ring.',
        ),
        DeclareLaunchArgument(
            'odometry_topics', default_value='',
            description='Odometry of vehicles that publish no agent states, separated by commas.',
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
    safety = Node(
        executable='safety_node',
        parameters=[
            ScenarioParameters('safety_node', member),
            {
                **shared,
                'agent_id': LaunchConfiguration('id'),
                'publish_state': LaunchConfiguration('publish_state'),
                'ring_member': LaunchConfiguration('ring_member'),
                'odometry_topics': ParameterValue(
                    LaunchConfiguration('odometry_topics'), value_type=str
                ),
            },
            OptionalFile('params_file'),
        ],
        remappings=[],  # such as ('cmd_vel_raw', 'my_controller/cmd_vel')
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
        bridge, safety, simulated_vehicle,
        *after_exit(safety, has_bridge),
    ])  # fmt: skip
