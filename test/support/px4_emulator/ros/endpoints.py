"""The topics of one emulated vehicle on DDS.

No executor spins: what has arrived is taken at the loop's own period, with the time at which it
was sent. So a vehicle hears everything when it was said, also if its process or DDS comes late.
"""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.subscription import Subscription

from support.px4_emulator.emulator import Px4Emulator, Sent
from support.px4_emulator.ros.conversion import Converter, message_class
from support.px4_emulator.ros.formats import Formats
from support.px4_emulator.ros.profiles import IN, OUT
from support.px4_emulator.wire.releases import IN_TOPICS

STEADY = 1.0
"""Topics with at least so many messages a second are not sent while nobody listens."""


class Arrival(NamedTuple):
    """A message to a vehicle, and when it was sent [ns since 1970]."""

    sent_ns: int
    topic: str
    message: Any


def ignore(message: Any) -> None:
    """Stand where rclpy wants a callback."""


class Endpoints:
    """What one vehicle has on DDS; a writer exists from its first message on."""

    def __init__(self, node: Node, vehicle: Px4Emulator) -> None:
        self._node, self._vehicle = node, vehicle
        self._publishers: dict[str, tuple[Publisher, Converter] | None] = {}
        release = vehicle.firmware.release
        self._steady = {name for name, rate in release.rates.items() if rate.steady >= STEADY}
        self._subscriptions = {topic: self._subscription(topic) for topic in IN_TOPICS}
        self._formats = Formats(node, vehicle)

    def arrivals(self) -> list[Arrival]:
        """Take what has arrived on the topics, in order."""
        found = [one for topic in self._subscriptions for one in self._taken(topic)]
        return sorted(found, key=lambda one: one.sent_ns)

    def serve(self) -> None:
        """Take the questions for formats."""
        self._formats.turn()

    def send(self, sent: list[Sent]) -> None:
        """Publish what a vehicle sent."""
        for topic, message, _ in sent:
            if topic not in self._publishers:
                self._publishers[topic] = self._publisher(topic)
            found = self._publishers[topic]
            if found is None:
                continue
            publisher, convert = found
            if topic not in self._steady or publisher.get_subscription_count():
                publisher.publish(convert(message))

    def close(self) -> None:
        """Leave the graph."""
        for found in self._publishers.values():
            if found is not None:
                self._node.destroy_publisher(found[0])
        for subscription in self._subscriptions.values():
            self._node.destroy_subscription(subscription)
        self._formats.close()

    def _subscription(self, topic: str) -> Subscription:
        name = self._vehicle.topic_name(topic, 'in')
        return self._node.create_subscription(message_class(topic), name, ignore, IN)

    def _publisher(self, topic: str) -> tuple[Publisher, Converter] | None:
        """Return a writer, None for messages that the tests' px4_msgs has not."""
        kind = message_class(topic)
        if kind is None:
            return None
        publisher = self._node.create_publisher(kind, self._vehicle.topic_name(topic), OUT)
        return publisher, Converter(kind)

    def _taken(self, topic: str) -> Iterator[Arrival]:
        subscription = self._subscriptions[topic]
        kind, take = subscription.msg_type, subscription.handle.take_message
        while (taken := take(kind, False)) is not None:
            message, info = taken
            yield Arrival(info['source_timestamp'] or time.time_ns(), topic, message)
