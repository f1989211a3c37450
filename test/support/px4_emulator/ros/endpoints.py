"""The topics and the service of one emulated vehicle on DDS.

No executor spins: what has arrived is taken at the loop's own period, with the time at which DDS
received it. So a vehicle hears everything when it was said, also if its process comes late.
"""

import importlib
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.service import Service
from rclpy.subscription import Subscription
from support.px4_emulator.emulator import Px4Emulator, Sent
from support.px4_emulator.ros.conversion import Converter, message_class
from support.px4_emulator.ros.formats import Formats
from support.px4_emulator.ros.profiles import IN, OUT
from support.px4_emulator.wire.releases import IN_TOPICS, namespace

STEADY = 1.0
"""Topics with at least so many messages a second are not sent while nobody listens."""


class Arrival(NamedTuple):
    """A message to a vehicle, and when DDS received it [ns since 1970]."""

    received_ns: int
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
        self._service = self._make_service() if release.has_service else None
        self._formats = Formats(node, vehicle)

    def arrivals(self) -> list[Arrival]:
        """Take what has arrived on the topics, in order."""
        found = [one for topic in self._subscriptions for one in self._taken(topic)]
        return sorted(found, key=lambda one: one.received_ns)

    def serve(self) -> None:
        """Take the calls of the service, and the questions for formats."""
        self._formats.turn()
        if self._service is None:
            return
        kind = self._service.srv_type
        while True:
            request, header = self._service.handle.service_take_request(kind.Request)
            if request is None:
                return
            self._vehicle.call_service(request.request, self._answer(kind.Response, header))

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
        if self._service is not None:
            self._node.destroy_service(self._service)
            self._service = None
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

    def _make_service(self) -> Service:
        kind = importlib.import_module('px4_msgs.srv').VehicleCommand
        name = f'{namespace(self._vehicle.settings.instance)}/fmu/vehicle_command'
        return self._node.create_service(kind, name, ignore)

    def _taken(self, topic: str) -> Iterator[Arrival]:
        subscription = self._subscriptions[topic]
        kind, take = subscription.msg_type, subscription.handle.take_message
        while (taken := take(kind, False)) is not None:
            message, info = taken
            yield Arrival(info['received_timestamp'] or time.time_ns(), topic, message)

    def _answer(self, kind: type, header: Any) -> Callable[[SimpleNamespace], None]:
        convert = Converter(message_class('vehicle_command_ack'))

        def reply(ack: SimpleNamespace) -> None:
            if self._service is not None:
                self._service.send_response(kind(reply=convert(ack)), header)

        return reply
