"""Start one agent, for example on a companion computer.

``ros2 launch soliton_encirclement_ros vehicle.launch.py id:=3`` starts the agent and a simulated
vehicle in real time. With ``vehicle:=none`` a real vehicle subscribes to ``cmd_vel`` and publishes
``odom`` in the agent's namespace. All computers of a swarm must use the same scenario and the
same controller.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from soliton_encirclement_ros.core.scenario.launch_arguments import AUTO
from soliton_encirclement_ros.core.scenario.part_plan import agent_part, chosen_agent
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.launching.arguments import (
    AUTO_SWITCH,
    Given,
    member_arguments,
)
from soliton_encirclement_ros.launching.launched_fleet import member_description, part_options


def generate_launch_description() -> LaunchDescription:
    """Return the arguments and the actions."""
    arguments = [
        DeclareLaunchArgument('id', default_value='1', description='Number k of the agent uav_k.'),
        *member_arguments('uav_<id>'),
        DeclareLaunchArgument(
            'inject_failures', default_value=AUTO, choices=AUTO_SWITCH,
            description='Inject the random and scheduled failures of the scenario; '
                        'auto: true with the simulated vehicle.',
        ),
    ]  # fmt: skip
    return member_description(__file__, arguments, nodes)


def nodes(scenario: Scenario, given: Given) -> list[NodeSpec]:
    """Return the agent and, if requested, its vehicle."""
    agent_id = chosen_agent(given['id'], scenario)
    return agent_part(scenario, agent_id, part_options(given))
