"""Fly one swarm of several kinds of vehicles, real and simulated ones.

``ros2 launch soliton_encirclement_ros mixed.launch.py px4:=1,2 simulated:=3`` starts these agents
with their vehicles and bridges, target and monitor. Agents that are not named run elsewhere.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument

from soliton_encirclement_ros.core.scenario.launch_arguments import VEHICLE_KINDS
from soliton_encirclement_ros.core.scenario.part_plan import Kinds, chosen_kinds
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.launching.arguments import ArgumentValues
from soliton_encirclement_ros.launching.launched_fleet import fleet_arguments, fleet_description

MEANINGS = {
    'simulated': 'a simulated vehicle',
    'none': 'a vehicle that subscribes to cmd_vel and publishes odom by itself',
}


def generate_launch_description() -> LaunchDescription:
    """Return the arguments and the actions."""
    chosen = [
        DeclareLaunchArgument(
            kind, default_value='',
            description='Agents, such as 1,2, each with '
                        f'{MEANINGS.get(kind, f"a bridge to {kind}")}.',
        )
        for kind in VEHICLE_KINDS
    ]  # fmt: skip
    return fleet_description(__file__, [*chosen, *fleet_arguments('first_flight')], named_vehicles)


def named_vehicles(scenario: Scenario, given: ArgumentValues) -> Kinds:
    """Return the vehicles to start."""
    return chosen_kinds({kind: given[kind] for kind in VEHICLE_KINDS}, scenario)
