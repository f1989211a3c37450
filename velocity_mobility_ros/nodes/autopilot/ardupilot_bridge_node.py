"""The bridge of one vehicle with ArduPilot, over its own DDS client (AP_DDS)."""

from velocity_mobility_ros.nodes.autopilot.bridge_node import BridgeNode
from velocity_mobility_ros.ros_io.autopilot.ardupilot_link import ArduPilotLink
from velocity_mobility_ros.ros_io.process.node_process import run_nodes

NAME = 'ardupilot_bridge_node'


def main(args: list[str] | None = None) -> int:
    """Run the node."""
    return run_nodes(lambda: [BridgeNode(NAME, ArduPilotLink)], args)
