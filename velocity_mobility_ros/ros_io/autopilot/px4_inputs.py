"""What a PX4 publishes, as serialized messages.

Fast DDS prints an error for every message that is longer than those of the installed px4_msgs, and
drops it. So a topic without any message is left while px4_msgs is known not to fit.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rclpy.qos import QoSProfile
from rclpy.subscription import Subscription

from velocity_mobility_ros.ros_io.polling import Arrival, PollingNode, arrivals


class Px4Input(NamedTuple):
    """One topic: class of its messages, full name, and quality of service."""

    kind: type
    name: str
    profile: QoSProfile


class Px4Inputs:
    """All topics of one vehicle."""

    def __init__(self, node: PollingNode, inputs: Mapping[str, Px4Input]) -> None:
        """Subscribe to all.

        Args:
            node: The node.
            inputs: What to subscribe to, by topic without namespace and suffix.
        """
        self._node, self._inputs = node, inputs
        self._subscriptions: dict[str, Subscription] = {}
        self._mute = {*inputs}
        self.listen(True)

    def arrived(self) -> Iterator[tuple[str, list[Arrival]]]:
        """Take all messages that have arrived, topic by topic."""
        for topic, subscription in self._subscriptions.items():
            found = [*arrivals(subscription, self._inputs[topic].kind)]
            if found:
                self._mute.discard(topic)
                yield topic, found

    def listen(self, fits: bool) -> None:
        """Subscribe to all topics, or leave those on which nothing has ever arrived.

        Args:
            fits: Whether px4_msgs may belong to the firmware.
        """
        if not fits:
            for topic in self._mute & self._subscriptions.keys():
                self._node.destroy_subscription(self._subscriptions.pop(topic))
            return
        for topic in self._inputs.keys() - self._subscriptions.keys():
            self._subscriptions[topic] = self._node.hidden(*self._inputs[topic])
