"""Fly agents with PX4: one on its companion computer, or all of a scenario with simulated PX4s.

``ros2 launch soliton_encirclement_ros px4.launch.py id:=3 bridge_file:=field.yaml`` starts agent 3
and the bridge to its PX4. Without ``id`` all agents of the scenario are started, with target and
monitor, for PX4s that run on this computer: ``bridge_file:=px4_sitl``. Nothing arms by itself:
``swarm fly takeoff``. Ctrl-C hands every vehicle over to its autopilot before its bridge ends.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument

from soliton_encirclement_ros.core.scenario.launch_arguments import PX4
from soliton_encirclement_ros.core.scenario.part_plan import Kinds, chosen_agent
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.launching.arguments import ArgumentValues
from soliton_encirclement_ros.launching.launched_fleet import fleet_arguments, fleet_description


def generate_launch_description() -> LaunchDescription:
    """Return the arguments and the actions."""
    arguments = [
        DeclareLaunchArgument(
            'id', default_value='',
            description='Number k of the agent uav_k; empty: all agents of the scenario.',
        ),
        *fleet_arguments('first_flight'),
    ]  # fmt: skip
    return fleet_description(__file__, arguments, chosen_vehicles)


def chosen_vehicles(scenario: Scenario, given: ArgumentValues) -> Kinds:
    """Return the vehicles to start."""
    if given['id']:
        return {chosen_agent(given['id'], scenario): PX4}
    return dict.fromkeys(scenario.agent_ids, PX4)
