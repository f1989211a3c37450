"""A member of the swarm with its vehicle, started alone."""

from collections.abc import Callable, Sequence

from launch import LaunchDescription
from launch.action import Action
from launch.actions import DeclareLaunchArgument

from soliton_encirclement_ros.core.scenario.launch_arguments import (
    AUTO,
    chosen,
    launch_warnings,
    launched_scenario,
)
from soliton_encirclement_ros.core.scenario.parts.bridge_names import (
    instance_parameter,
    namespace_parameter,
)
from soliton_encirclement_ros.core.scenario.parts.bridge_spec import (
    bridge_warnings,
    without_bridges,
)
from soliton_encirclement_ros.core.scenario.parts.part_plan import PartOptions, part_warnings
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.core.states.swarm_topics import named_fleet
from soliton_encirclement_ros.launching.arguments import Given, launch_description
from soliton_encirclement_ros.launching.launch_namespace import enclosing_fleet
from soliton_encirclement_ros.launching.launch_nodes import settings, start, warnings
from soliton_encirclement_ros.launching.launched_vehicle import after_of

Part = Callable[[Scenario, Given], Sequence[NodeSpec]]
"""Returns a member and, if requested, its vehicle."""


def member_description(
    file: str, arguments: Sequence[DeclareLaunchArgument], part: Part
) -> LaunchDescription:
    """Return the description of the launch file of a member.

    A MobilityError ends the launch with its line.

    Args:
        file: The launch file's own path.
        arguments: Its arguments.
        part: Returns the nodes to start.
    """

    def start_member(given: Given) -> list[Action]:
        scenario = launched_scenario(given)
        return start_part(part(scenario, given), scenario, given)

    return launch_description(file, arguments, start_member)


def part_options(given: Given) -> PartOptions:
    """Return the options of a member from the arguments.

    Raises:
        ParameterError: The namespace is invalid.
        ScenarioError: That of the autopilot is.
    """
    return PartOptions(
        vehicle=given['vehicle'],
        stamped=chosen(given['enable_stamped_cmd_vel']),
        inject_failures=chosen(given.get('inject_failures', AUTO)),
        namespace=named_fleet(given['namespace'], 'namespace').namespace.strip('/'),
        bridge=_bridge_parameters(given),
    )


def _bridge_parameters(given: Given) -> dict[str, object]:
    """Return the parameters of the bridge alone: the namespace of its autopilot."""
    kind, number = given['vehicle'], given.get('id', '')
    numbered = instance_parameter(kind, int(number), 1) if number.isdecimal() else {}
    return numbered | namespace_parameter(kind, given['autopilot_namespace'])


def start_part(specs: Sequence[NodeSpec], scenario: Scenario, given: Given) -> list[Action]:
    """Return the actions that start a member and its vehicle.

    Raises:
        ScenarioError: A bridge is to be left out, and there is none.
    """
    lines = [
        *launch_warnings(scenario, given), *part_warnings(scenario),
        *bridge_warnings(scenario, [given['vehicle']]),
    ]  # fmt: skip
    plan = [*specs] if given['bridge'] == 'true' else without_bridges(specs)
    chosen = settings(given, plan, enclosing_fleet(given))
    return [*warnings(lines), *start(plan, chosen, after_of(plan, given))]
