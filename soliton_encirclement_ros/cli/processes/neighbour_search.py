"""Looks for another swarm in the namespace of a run that is about to start."""

import time

import rclpy
from velocity_mobility_ros.ros_io.process.teardown import destroy

from soliton_encirclement_ros.cli.processes.domain import clash
from soliton_encirclement_ros.core.states.fleet_names import Fleet
from soliton_encirclement_ros.core.states.swarm_topics import SWARM

LOOK_AROUND = 0.6
"""Wall time [s] to look for another swarm in the same namespace."""

SPIN_TIMEOUT = 0.02


def refuse_neighbours(fleet: Fleet) -> None:
    """Refuse to share a namespace with another swarm; mere subscribers (RViz) are allowed.

    Raises:
        RunError: Nodes of a swarm are already in the namespace of the fleet.
    """
    swarm = fleet.full_name(SWARM)
    probe = rclpy.create_node('swarm_probe')
    try:
        until = time.monotonic() + LOOK_AROUND
        while time.monotonic() < until:
            rclpy.spin_once(probe, timeout_sec=SPIN_TIMEOUT)
            topics = {name for name, _ in probe.get_topic_names_and_types()}
            named = sorted(topic for topic in topics if topic.startswith(swarm))
            taken = [topic for topic in named if probe.count_publishers(topic)]
            if taken:
                raise clash(probe.context.get_domain_id(), fleet, f'{taken[0]} is there')
    finally:
        destroy([probe])
