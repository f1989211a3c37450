"""Record the topics of a swarm to a bag that survives kill -9 and power cuts.

``ros2 launch soliton_encirclement_ros recorder.launch.py`` records until ctrl-C to
``recordings/<UTC stamp>``, as ``swarm record`` does.
"""

import os
from pathlib import Path

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, LogInfo
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

from soliton_encirclement_ros.core.run.run_folder import utc_stamp
from soliton_encirclement_ros.launching.arguments import (
    namespace_argument, node_arguments, out_argument
)
from soliton_encirclement_ros.launching.scenario_parameters import (
    OptionalFile, checked, end_launch
)


def generate_launch_description() -> LaunchDescription:
    """Return the arguments and the recorder."""
    bag = LaunchConfiguration('out')
    has_sim_time = LaunchConfiguration('use_sim_time')
    recorder = Node(
        package='soliton_encirclement_ros',
        executable='recorder_node',
        namespace=LaunchConfiguration('namespace'),
        parameters=[
            {
                'bag': ParameterValue(bag, value_type=str),
                'include': ParameterValue(LaunchConfiguration('topics'), value_type=str),
                'lockstep': has_sim_time,  # messages are logged at simulated time
                'join': has_sim_time,
                'durable': True,
            },
            OptionalFile('params_file'),
        ],
        output='screen',
        ros_arguments=['--log-level', LaunchConfiguration('log_level')],
        additional_env={'SWARM_PARENT_PID': str(os.getpid())},  # it ends with this launch
        sigterm_timeout='10',  # time to close the bag
        sigkill_timeout='10',
        on_exit=end_launch,
    )
    return checked(__file__, [
        DeclareLaunchArgument(
            'topics', default_value='.*',
            description='Regular expression of the topics to record.',
        ),
        out_argument(str(Path('recordings', utc_stamp()).resolve()), 'New folder for the bag.'),
        namespace_argument('Namespace of the swarm; empty: that of the launch.'),
        *node_arguments('recorder'),
        LogInfo(msg=['bag: ', bag]),
        recorder,
    ])  # fmt: skip
