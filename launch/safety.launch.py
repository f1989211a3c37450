"""Start the separation filter of one vehicle that has a controller of its own.

``ros2 launch soliton_encirclement_ros safety.launch.py id:=3`` starts the filter and a simulated
vehicle in real time; the controller publishes on ``/uav_3/cmd_vel_raw``. With ``vehicle:=none`` a
real vehicle subscribes to ``cmd_vel`` and publishes ``odom``. Of the scenario, the distances, the
control period and the limits of the vehicle are used; all of a swarm must have the same.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from soliton_encirclement_ros.core.scenario.part_plan import (
    chosen_agent,
    safety_part,
    with_parameters,
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.launching.arguments import SWITCH, Given, member_arguments
from soliton_encirclement_ros.launching.launched_fleet import member_description, part_options


def generate_launch_description() -> LaunchDescription:
    """Return the arguments and the actions."""
    arguments = [
        DeclareLaunchArgument(
            'id', default_value='1', description='Number k of the vehicle uav_k.'
        ),
        *member_arguments('uav_<id>'),
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
    return member_description(__file__, arguments, nodes)


def nodes(scenario: Scenario, given: Given) -> list[NodeSpec]:
    """Return the filter and, if requested, its vehicle."""
    agent_id = chosen_agent(given['id'], scenario)
    safety, *vehicle = safety_part(scenario, agent_id, part_options(given))
    own = {
        'publish_state': given['publish_state'] == 'true',
        'ring_member': given['ring_member'] == 'true',
        'odometry_topics': given['odometry_topics'],
    }
    return [with_parameters(safety, own), *vehicle]
