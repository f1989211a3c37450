"""Start the target, which publishes its state and the requested ring.

``ros2 launch soliton_encirclement_ros target.launch.py`` starts it with a simulated vehicle in
real time. With ``vehicle:=none`` a real vehicle publishes ``odom`` in the namespace ``target``,
and may subscribe to ``cmd_vel``.
"""

import os

from launch import LaunchDescription
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration, PythonExpression
from launch_ros.actions import Node

from soliton_encirclement_ros.launching.arguments import member_arguments
from soliton_encirclement_ros.launching.scenario_parameters import (
    OptionalFile, ScenarioParameters, after_exit, checked, end_launch
)


def generate_launch_description() -> LaunchDescription:
    """Return the arguments, the target, and its vehicle or bridge."""
    vehicle = LaunchConfiguration('vehicle')
    is_simulated = PythonExpression(["'", vehicle, "' == 'simulated'"])
    has_bridge = PythonExpression(["'", vehicle, "' in ('px4', 'ardupilot', 'mavros')"])
    starts_bridge = PythonExpression(
        [has_bridge, " and '", LaunchConfiguration('bridge'), "' == 'true'"]
    )

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
            ScenarioParameters('bridge', 'target'), shared, OptionalFile('bridge_file', 'bridge'),
        ],
        remappings=[],
        condition=IfCondition(starts_bridge),
        on_exit=end_launch,
        **common,
    )  # fmt: skip
    target = Node(
        executable='target_node',
        parameters=[
            ScenarioParameters('target_node', 'target'), shared, OptionalFile('params_file'),
        ],
        remappings=[],
        **common,
    )
    simulated_vehicle = Node(
        executable='mobility_node',
        parameters=[ScenarioParameters('mobility_node', 'target'), shared],
        remappings=[],
        condition=IfCondition(is_simulated),
        on_exit=end_launch,
        **common,
    )
    return checked(__file__, [
        *member_arguments('target', 'target'),
        bridge, target, simulated_vehicle,
        *after_exit(target, has_bridge),
    ])  # fmt: skip
