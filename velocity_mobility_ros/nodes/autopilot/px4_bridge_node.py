"""The bridge of one vehicle with PX4, over uXRCE-DDS."""

from velocity_mobility_ros.nodes.autopilot.bridge_node import BridgeNode
from velocity_mobility_ros.ros_io.autopilot.px4_link import Px4Link
from velocity_mobility_ros.ros_io.process.node_process import run_nodes

NAME = 'px4_bridge_node'


def main(args: list[str] | None = None) -> int:
    """Run the node."""
    return run_nodes(lambda: [BridgeNode(NAME, Px4Link)], args)
