"""The bearings that the simulated cameras of a world measure, as messages."""

from collections.abc import Mapping

from geometry_msgs.msg import Vector3Stamped
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import QoSProfile

from soliton_encirclement_ros.core.estimation.bearing_sensor import UNSEEN
from soliton_encirclement_ros.core.run.world import World
from soliton_encirclement_ros.core.states.swarm_topics import TARGET_BEARING, Fleet
from soliton_encirclement_ros.nodes.bearing_messages import bearing_message


class BearingOutput:
    """Publishers of bearings, one for every agent with a camera.

    Attributes:
        publishers: By name of the agent; none if the target broadcasts its state.
    """

    publishers: Mapping[str, Publisher]

    def __init__(self, node: Node, fleet: Fleet, world: World, profile: QoSProfile) -> None:
        """Create the publishers.

        Args:
            node: The world's node.
            fleet: Its fleet.
            world: The bodies with their cameras.
            profile: Quality of service.
        """
        self._world = world
        self.publishers = {
            name: node.create_publisher(
                Vector3Stamped, fleet.member_topic(name, TARGET_BEARING), profile
            )
            for name in world.cameras
        }

    def publish_all(self, stamp_ns: int, tick: int) -> None:
        """Publish what every camera sees at a tick, zeros where it sees nothing."""
        for name, publisher in self.publishers.items():
            publisher.publish(bearing_message(stamp_ns, self._world.seen(name, tick)))

    def publish_seen(self, stamp_ns: int, tick: int) -> None:
        """Publish what those cameras see that see the target at a tick."""
        for name, publisher in self.publishers.items():
            vector = self._world.seen(name, tick)
            if vector != UNSEEN:
                publisher.publish(bearing_message(stamp_ns, vector))
