"""Start the adversary, which approaches the target and publishes its state.

``ros2 launch soliton_encirclement_ros adversary.launch.py`` starts it with a simulated vehicle in
real time. With ``vehicle:=none`` a real vehicle publishes ``odom`` in the namespace ``adversary``,
and may subscribe to ``cmd_vel``.
"""

from launch import LaunchDescription
from soliton_encirclement_ros.core.scenario.part_plan import adversary_part
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.launching.arguments import Given, member_arguments
from soliton_encirclement_ros.launching.launched_fleet import member_description, part_options


def generate_launch_description() -> LaunchDescription:
    """Return the arguments and the actions."""
    return member_description(__file__, member_arguments('adversary'), nodes)


def nodes(scenario: Scenario, given: Given) -> list[NodeSpec]:
    """Return the adversary and, if requested, its vehicle."""
    return adversary_part(scenario, part_options(given))
