"""Subscriptions and clients whose messages wait until the node asks for them, at its own period.

Ten agents at 50 Hz send 500 states per second to each of them, of which each needs 10 per tick. An
executor would wake up for every single one.

No executor sees the client of a service either, so that it works as well while none spins: a node
that hands over its vehicle before it ends still needs answers.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.client import Client
from rclpy.duration import Duration
from rclpy.publisher import Publisher
from rclpy.qos import QoSProfile
from rclpy.serialization import deserialize_message
from rclpy.subscription import Subscription

from velocity_mobility_ros.core.user_errors import MalformedMessageError, MobilityError, shown
from velocity_mobility_ros.ros_io.endpoints import make_subscription
from velocity_mobility_ros.ros_io.live_parameters import TunableNode

Item = TypeVar('Item')

MAX_TAKEN = 10_000
"""Messages taken at once, at most: a sender may be faster than its reader."""


AGAIN, LAST_WORDS = 0.2, 2.0
"""Period in which the last message of a command is repeated, and for how long at most [s]."""


def repeat_until_acknowledged(publisher: Publisher, publish: Callable[[], object]) -> bool:
    """Wait until all reliable subscribers have the last message, and repeat it meanwhile.

    Waiting is not enough: whoever has missed a message asks for it when the next one comes, or at
    the heartbeat of the middleware, with Fast DDS every 3 s.

    Args:
        publisher: Who has published it.
        publish: Publishes it again.

    Returns:
        Whether all have it.
    """
    end = time.monotonic() + LAST_WORDS
    while not publisher.wait_for_all_acked(Duration(seconds=AGAIN)):
        if time.monotonic() > end:
            return False
        publish()
    return True


class Arrival(NamedTuple):
    """A serialized message that was waiting.

    Attributes:
        data: The message.
        received_ns: When the middleware received it [ns since 1970].
        publisher: Who sent it; empty if ROS does not say (Jazzy).
        number: Which message of the publisher it is, None if the middleware does not count.
    """

    data: bytes
    received_ns: int
    publisher: bytes
    number: int | None


def arrivals(subscription: Subscription, kind: type) -> Iterator[Arrival]:
    """Take the waiting messages of a subscription that no executor sees.

    Args:
        subscription: The subscription, with serialized messages.
        kind: Class of its messages.
    """
    for data, info in _take_messages(subscription, kind):
        publisher = (info.get('publisher_gid') or {}).get('data', b'')
        received_ns = info['received_timestamp'] or time.time_ns()
        yield Arrival(data, received_ns, publisher, info['publication_sequence_number'])


def deserialized(data: bytes, kind: type) -> Any:
    """Return a message of a class.

    Raises:
        MalformedMessageError: It is no message of this class.
    """
    try:
        return deserialize_message(data, kind)
    except Exception as error:
        raise MalformedMessageError(f'{len(data)} bytes are no {kind.__name__}') from error


def received(subscription: Subscription, kind: type) -> Iterator[Any]:
    """Take the waiting messages as ``arrivals``, each as an object; damaged ones are left out."""
    for arrival in arrivals(subscription, kind):
        try:
            message = deserialized(arrival.data, kind)
        except MalformedMessageError:
            continue  # whoever listens to a whole fleet has no one to report it to
        yield message


def read_items(
    data: bytes, name: str, read: Callable[[str, Mapping[str, str]], Item]
) -> tuple[list[Item], list[str]]:
    """Return the items in a serialized DiagnosticArray, and why others are refused.

    Args:
        data: The message; each status is an item.
        name: Of every status.
        read: Makes an item of its source and key values, or raises a MobilityError.
    """
    items, reasons = list[Item](), list[str]()
    try:
        statuses = deserialized(data, DiagnosticArray).status
    except MalformedMessageError as error:
        return items, [str(error)]
    for status in statuses:
        if status.name != name:
            reasons.append(f'name = {shown(status.name, 40)} must be {name!r}')
            continue
        try:
            values = {pair.key: pair.value for pair in status.values}
            items.append(read(status.hardware_id, values))
        except MobilityError as error:
            reasons.append(str(error))
    return items, reasons


def _take_messages(subscription: Subscription, kind: type) -> Iterator[tuple[bytes, Any]]:
    """Take the waiting messages of a subscription, with the message info of each."""
    take = subscription.handle.take_message
    for _ in range(MAX_TAKEN):
        taken = take(kind, True)
        if taken is None:
            return
        yield taken


class PollingNode(TunableNode):
    """A node that hides some subscriptions and clients from its executor."""

    def __init__(self, name: str, **options: object) -> None:
        """Create the node, as ``TunableNode``."""
        self._polled: set[Subscription] = set()
        self._polled_clients: set[Client] = set()
        super().__init__(name, **options)

    @property
    def subscriptions(self) -> Iterator[Subscription]:
        """The subscriptions that wake an executor."""
        for subscription in super().subscriptions:
            if subscription not in self._polled:
                yield subscription

    @property
    def clients(self) -> Iterator[Client]:
        """The clients that wake an executor."""
        for client in super().clients:
            if client not in self._polled_clients:
                yield client

    def hide_client(self, client: Client) -> None:
        """Keep executors from taking the responses of a client."""
        self._polled_clients.add(client)

    def hide(self, subscription: Subscription) -> None:
        """Keep executors from taking the messages of a subscription."""
        self._polled.add(subscription)

    def destroy_subscription(self, subscription: Subscription) -> bool:
        """Destroy a subscription, hidden or not."""
        self._polled.discard(subscription)
        return super().destroy_subscription(subscription)

    def poll(self, kind: type, topic: str, profile: QoSProfile) -> Callable[[], list[bytes]]:
        """Subscribe, and return a function that takes the waiting serialized messages.

        Args:
            kind: Class of the messages.
            topic: Name of the topic.
            profile: Quality of service; its depth must hold all messages of a period.
        """
        subscription = self.hidden(kind, topic, profile)

        def take() -> list[bytes]:
            return [data for data, _ in _take_messages(subscription, kind)]

        return take

    def hidden(self, kind: type, topic: str, profile: QoSProfile) -> Subscription:
        """Subscribe as ``poll``; who does takes the serialized messages with ``arrivals``."""
        subscription = make_subscription(self, kind, topic, lambda _: None, profile, raw=True)
        self.hide(subscription)
        return subscription

    def hidden_fixed(self, kind: type, topic: str, profile: QoSProfile) -> Subscription:
        """Subscribe as ``hidden``, with a quality of service that no parameter changes."""
        subscription = self.create_subscription(kind, topic, lambda _: None, profile, raw=True)
        self.hide(subscription)
        return subscription


class PolledClient:
    """One call at a time: a new one makes the answer to the last one void."""

    def __init__(self, node: PollingNode, kind: type, service: str) -> None:
        """Open the client.

        Args:
            node: The node.
            kind: Class of the service.
            service: Its name.
        """
        self._client = node.create_client(kind, service)
        node.hide_client(self._client)
        self._number: int | None = None
        self._done: Callable[[Any], None] | None = None

    @property
    def name(self) -> str:
        """The full name of the service."""
        return str(self._client.service_name)

    @property
    def is_ready(self) -> bool:
        """Whether the service has a server."""
        return bool(self._client.service_is_ready())

    def call(self, fields: Mapping[str, Any], done: Callable[[Any], None]) -> None:
        """Send a request.

        Args:
            fields: Its fields by name.
            done: Gets the response, when it is asked for.
        """
        request = self._client.srv_type.Request(**fields)
        with self._client.handle:
            self._number = self._client.handle.send_request(request)
        self._done = done

    def poll(self) -> None:
        """Pass on the response if it has come."""
        for number, response in self._take_responses():
            if number == self._number and self._done is not None:
                done, self._number, self._done = self._done, None, None
                done(response)

    def _take_responses(self) -> Iterator[tuple[int, Any]]:
        kind = self._client.srv_type.Response
        while True:
            with self._client.handle:
                header, response = self._client.handle.take_response(kind)
            if header is None:
                return
            yield header.request_id.sequence_number, response
