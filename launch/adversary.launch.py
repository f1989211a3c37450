"""The adversary: it approaches the target, and says where it is.

``ros2 launch soliton_encirclement_ros adversary.launch.py`` starts it with a simulated vehicle, by
the clock. With ``vehicle:=none`` a real one publishes ``odom`` in the namespace ``adversary``, and
takes ``cmd_vel`` if it can be commanded.
"""

from launch import LaunchDescription
from soliton_encirclement_ros.core.scenario.part_plan import adversary_part
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.launching.arguments import Given, member_arguments
from soliton_encirclement_ros.launching.launch_parts import member_description, part_options


def generate_launch_description() -> LaunchDescription:
    """Return the arguments, and what to make of them once they are known."""
    return member_description(__file__, member_arguments('adversary'), nodes)


def nodes(scenario: Scenario, given: Given) -> list[NodeSpec]:
    """Return the adversary and, if wanted, its vehicle."""
    return adversary_part(scenario, part_options(given))
