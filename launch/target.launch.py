"""The target: it says where it is, and what the ring must look like.

``ros2 launch soliton_encirclement_ros target.launch.py`` starts it with a simulated vehicle, by
the clock. With ``vehicle:=none`` a real one publishes ``odom`` in the namespace ``target``, and
takes ``cmd_vel`` if it can be commanded.
"""

from launch import LaunchDescription
from soliton_encirclement_ros.core.scenario.part_plan import target_part
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.launching.arguments import Given, member_arguments
from soliton_encirclement_ros.launching.launch_parts import member_description, part_options


def generate_launch_description() -> LaunchDescription:
    """Return the arguments, and what to make of them once they are known."""
    return member_description(__file__, member_arguments('target'), nodes)


def nodes(scenario: Scenario, given: Given) -> list[NodeSpec]:
    """Return the target and, if wanted, its vehicle."""
    return target_part(scenario, part_options(given))
