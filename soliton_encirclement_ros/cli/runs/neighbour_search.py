"""Looks for another swarm in the namespace of a run that is about to start."""

import time
from collections.abc import Collection

import rclpy
from velocity_mobility_ros.ros_io.autopilot.fleet_topics import FLY_ORDERS
from velocity_mobility_ros.ros_io.process.teardown import destroy

from soliton_encirclement_ros.cli.operator.ros_context import clash
from soliton_encirclement_ros.core.states.swarm_topics import STOP, SWARM, Fleet

LOOK_AROUND = 0.6
"""Wall time [s] to look for another swarm in the same namespace."""

SPIN_TIMEOUT = 0.02

OF_OPERATORS = (STOP, FLY_ORDERS)
"""Topics on which operators speak, also before there is a swarm; its members speak on others."""

UNKNOWN = '_NODE_NAMESPACE_UNKNOWN_'
"""What ROS says before it has heard of the node of a publisher."""


def refuse_neighbours(fleet: Fleet, expected: Collection[str] = ()) -> None:
    """Refuse to share a namespace with another swarm; RViz and operators are welcome.

    Args:
        fleet: Names of the swarm.
        expected: Names of members whose nodes may be there.

    Raises:
        RunError: Nodes of a swarm are already in the namespace of the fleet.
    """
    swarm = fleet.full_name(SWARM)
    welcome = {fleet.namespace_of(member) for member in expected}
    if expected:
        welcome.add(UNKNOWN)  # on a busy machine it may stay so
    probe = rclpy.create_node('swarm_probe')
    try:
        until = time.monotonic() + LOOK_AROUND
        while time.monotonic() < until:
            rclpy.spin_once(probe, timeout_sec=SPIN_TIMEOUT)
            topics = {name for name, _ in probe.get_topic_names_and_types()}
            topics -= {fleet.full_name(topic) for topic in OF_OPERATORS}
            named = sorted(topic for topic in topics if topic.startswith(swarm))
            ends = {topic: probe.get_publishers_info_by_topic(topic) for topic in named}
            taken = [topic for topic in named
                     if {end.node_namespace for end in ends[topic]} - welcome]  # fmt: skip
            if taken:
                raise clash(probe.context.get_domain_id(), fleet, f'{taken[0]} is there')
    finally:
        destroy([probe])
