"""Subscribes to every wanted topic that appears, as raw bytes, and reports unknown types.

Threading: one thread.
"""

from collections.abc import Callable, Collection
from functools import partial
from operator import itemgetter
from typing import Protocol

from rclpy._rclpy_pybind11 import RCLError
from rclpy.qos import QoSProfile
from velocity_mobility_ros.ros_io.polling import PollingNode

from soliton_encirclement_ros.nodes.message_types import message_class
from soliton_encirclement_ros.nodes.raw_subscription import (
    RawSubscription,
    offered,
    profile_text,
    without_repetition,
)


class WantedTopics(Protocol):
    """The user of the subscriptions."""

    def wants(self, topic: str) -> bool:
        """Return whether to subscribe to a topic."""

    def learn(self, kind: str) -> bool:
        """Register a type; return whether its definition is known."""

    def add_topic(self, topic: str, kind: str, profile: QoSProfile) -> None:
        """Register a topic with a new subscription."""

    def take(self, topic: str, kind: str, data: bytes, received_ns: int | None = None) -> None:
        """Take a serialized message, and when it was received [ns]; None: just now."""


class TopicDiscovery:
    """All subscribed topics, each with the quality of service on offer."""

    def __init__(
        self,
        node: PollingNode,
        listener: WantedTopics,
        keep_all: bool,
        report: Callable[[str], None],
        unrepeated: Collection[str] = (),
    ) -> None:
        """Start without subscriptions.

        Args:
            node: The node that spins.
            listener: The user of the subscriptions.
            keep_all: Whether reliable publishers wait for the listener; then the executor takes
                every message at once, otherwise they wait for ``take_arrived``.
            report: Takes a line about topics that are not received, or not as before.
            unrepeated: Last part of the names of topics whose publishers are never asked for
                what was lost.
        """
        self._node, self._listener, self._report = node, listener, report
        self._keep_all = keep_all
        self._unrepeated = unrepeated
        self._seen: set[tuple[str, str]] = set()
        self._refused: set[str] = set()
        self._kinds: dict[str, str] = {}
        self._subscriptions: dict[str, RawSubscription] = {}

    def profile(self, topic: str) -> QoSProfile:
        """Return the quality of service with which a topic is subscribed."""
        return self._subscriptions[topic].profile

    def lost(self, topic: str) -> int:
        """Return how many messages of a topic are known to be lost."""
        return self._subscriptions[topic].lost

    def take_arrived(self) -> None:
        """Let the listener take all messages that have arrived, in order of their arrival."""
        found = [
            (arrival.received_ns, topic, arrival.data)
            for topic, subscription in self._subscriptions.items()
            for arrival in subscription.arrived()
        ]
        for received_ns, topic, data in sorted(found, key=itemgetter(0)):
            self._listener.take(topic, self._kinds[topic], data, received_ns)

    def search(self) -> None:
        """Subscribe to every wanted topic that has appeared, update existing subscriptions."""
        for topic, kinds in self._node.get_topic_names_and_types():
            wanted = self._listener.wants(topic)
            for kind in kinds:
                if wanted and (topic, kind) not in self._seen:
                    self._add(topic, kind)
        for topic, subscription in self._subscriptions.items():
            subscription.settle()
            is_refused = subscription.refused
            profile = self._on_offer(topic, self._kinds[topic]) if is_refused else None
            if profile is not None and subscription.adapt(self._requested(topic, profile)):
                self._report(
                    f'{topic}: a new publisher offers less; now subscribed as '
                    f'{profile_text(subscription.profile)}'
                )

    def _on_offer(self, topic: str, kind: str) -> QoSProfile | None:
        """Return what the other nodes offer that publish a type on a topic, None without any.

        The graph names the types that are subscribed, too: they decide nothing.
        """
        me = (self._node.get_name(), self._node.get_namespace())
        found = self._node.get_publishers_info_by_topic(topic)
        profiles = [
            i.qos_profile for i in found
            if i.topic_type == kind and (i.node_name, i.node_namespace) != me
        ]  # fmt: skip
        return offered(profiles, self._keep_all) if profiles else None

    def _requested(self, topic: str, offer: QoSProfile) -> QoSProfile:
        """Return what to request of publishers that offer a profile."""
        is_unrepeated = topic.rpartition('/')[2] in self._unrepeated
        return without_repetition(offer) if is_unrepeated else offer

    def _add(self, topic: str, kind: str) -> None:
        profile = self._on_offer(topic, kind)
        if profile is None:
            return
        self._seen.add((topic, kind))
        message_type = message_class(kind)
        if message_type is None or not self._listener.learn(kind):
            self._refuse(topic, kind, 'has no known definition')
        elif topic in self._subscriptions:
            self._report(
                f'{topic}: also published as {kind}; only {self._kinds[topic]} is recorded'
            )
        else:
            self._subscribe(topic, kind, message_type, profile)

    def _refuse(self, topic: str, kind: str, reason: str) -> None:
        """Report a type that cannot be recorded, once."""
        if kind not in self._refused:
            self._refused.add(kind)
            self._report(f'{topic}: {kind} {reason}; not recorded')

    def _subscribe(self, topic: str, kind: str, message_type: type, profile: QoSProfile) -> None:
        take = partial(self._listener.take, topic, kind) if self._keep_all else None
        try:
            self._subscriptions[topic] = RawSubscription(
                self._node, topic, message_type, self._requested(topic, profile), take
            )
        except RCLError:
            self._report(f'{topic}: this process uses another type than {kind}; not recorded')
            return
        except Exception as error:  # a broken package can raise anything
            self._refuse(topic, kind, f'is installed but cannot be used ({type(error).__name__})')
            return
        self._kinds[topic] = kind
        self._listener.add_topic(topic, kind, profile)
