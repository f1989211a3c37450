"""Record the topics of a swarm to a bag that survives kill -9 and power cuts.

``ros2 launch soliton_encirclement_ros recorder.launch.py`` records until ctrl-C to
``recordings/<UTC stamp>``, as ``swarm record`` does.
"""

from pathlib import Path

from launch import LaunchDescription
from launch.action import Action
from launch.actions import DeclareLaunchArgument, LogInfo
from soliton_encirclement_ros.core.run.run_folder import utc_stamp
from soliton_encirclement_ros.core.scenario.part_plan import recorder_part
from soliton_encirclement_ros.launching.arguments import (
    Given,
    in_namespace,
    launch_description,
    launched_fleet,
    namespace_argument,
    node_arguments,
    out_argument,
)
from soliton_encirclement_ros.launching.launch_nodes import (
    end_together,
    settings,
    start,
)


def generate_launch_description() -> LaunchDescription:
    """Return the arguments and the actions."""
    arguments = [
        DeclareLaunchArgument(
            'topics', default_value='.*',
            description='Regular expression of the topics to record.',
        ),
        out_argument('', 'New folder for the bag; empty: recordings/<UTC stamp>.'),
        namespace_argument('Namespace of the swarm; empty: that of the launch.'),
        *node_arguments('recorder'),
    ]  # fmt: skip
    return launch_description(__file__, arguments, launch_recorder)


def launch_recorder(given: Given) -> list[Action]:
    """Return the recorder."""
    bag = Path(given['out'] or Path('recordings') / utc_stamp()).resolve()
    plan = [recorder_part(str(bag), given['topics'], given['use_sim_time'] == 'true')]
    chosen = settings(given, plan, launched_fleet(given))
    chosen = chosen._replace(use_sim_time=False)  # it reads /clock and stamps itself
    return [
        LogInfo(msg=f'bag: {bag}'),
        *in_namespace(given['namespace'], start(plan, chosen, end_together)),
    ]
