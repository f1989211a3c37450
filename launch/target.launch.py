"""The target: it says where it is, and what the ring must look like.

``ros2 launch soliton_encirclement_ros target.launch.py`` starts it with a simulated vehicle, by
the clock. With ``vehicle:=none`` a real one publishes ``odom`` in the namespace ``target``, and
takes ``cmd_vel`` if it can be commanded.
"""

from launch import LaunchDescription
from launch.action import Action
from soliton_encirclement_ros.core.scenario.launch_arguments import launched_scenario
from soliton_encirclement_ros.core.scenario.part_plan import target_part
from soliton_encirclement_ros.launching.arguments import (
    Given,
    launch_description,
    member_arguments,
)
from soliton_encirclement_ros.launching.launch_parts import part_options, start_part


def generate_launch_description() -> LaunchDescription:
    """Return the arguments, and what to make of them once they are known."""
    return launch_description(__file__, member_arguments('target'), launch_target)


def launch_target(given: Given) -> list[Action]:
    """Return the target and, if wanted, its vehicle.

    Raises:
        MobilityError: An argument or the scenario is refused; ``ros2 launch`` shows the line.
    """
    scenario = launched_scenario(given)
    return start_part(target_part(scenario, part_options(given)), scenario, given)
