"""The bridge of one vehicle behind MAVROS, with PX4 or ArduPilot."""

from velocity_mobility_ros.nodes.autopilot.bridge_node import BridgeNode
from velocity_mobility_ros.ros_io.autopilot.mavros_link import MavrosLink
from velocity_mobility_ros.ros_io.process.node_process import run_nodes

NAME = 'mavros_bridge_node'


def main(args: list[str] | None = None) -> int:
    """Run the node."""
    return run_nodes(lambda: [BridgeNode(NAME, MavrosLink)], args)
