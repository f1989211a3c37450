"""Start the target, which publishes its state and the requested ring.

``ros2 launch soliton_encirclement_ros target.launch.py`` starts it with a simulated vehicle in
real time. With ``vehicle:=none`` a real vehicle publishes ``odom`` in the namespace ``target``,
and may subscribe to ``cmd_vel``.
"""

from launch import LaunchDescription
from soliton_encirclement_ros.core.scenario.part_plan import target_part
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.launching.arguments import Given, member_arguments
from soliton_encirclement_ros.launching.launched_fleet import member_description, part_options


def generate_launch_description() -> LaunchDescription:
    """Return the arguments and the actions."""
    return member_description(__file__, member_arguments('target'), nodes)


def nodes(scenario: Scenario, given: Given) -> list[NodeSpec]:
    """Return the target and, if requested, its vehicle."""
    return target_part(scenario, part_options(given))
