"""Subscribes to every wanted topic that appears, as raw bytes, and reports unknown types.

A subscription has the quality of service that publishers offer, and deserialises nothing.

It would not match a later publisher with a weaker offer. In that case a second, weaker
subscription begins, and for a while both exist: messages received by both count once, so there is
neither a gap nor a duplicate. Threading: one thread.

Lost messages are counted by the gaps in the numbers of each publisher. The event of the middleware
for them is of no use: rmw_fastrtps before June 2026 (pull request 890) can take one while Fast DDS
reports the next, and then both wait for each other for ever, with Python's interpreter lock held.
"""

import importlib
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Protocol

from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.subscription import Subscription

from velocity_mobility_ros.ros_io.polling import Arrival, PollingNode, arrivals


def message_class(kind: str) -> type | None:
    """Return the class of a type, such as ``nav_msgs/msg/Odometry``; None if not installed."""
    package, _, name = kind.partition('/msg/')
    if not package.isidentifier():  # others on the network choose the text
        return None
    try:
        return getattr(importlib.import_module(f'{package}.msg'), name, None)
    except ImportError:
        return None


def definition(kind: str) -> str | None:
    """Return the text of a type's .msg file, None where none is installed."""
    package, _, name = kind.partition('/msg/')
    prefixes = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    for prefix in [*filter(None, prefixes), sys.prefix]:
        path = Path(prefix, 'share', package, 'msg', f'{name}.msg')
        try:
            return path.read_text(encoding='utf-8')
        except (OSError, ValueError):
            continue  # not here, or no text: the next prefix
    return None


try:
    from rclpy.event_handler import SubscriptionEventCallbacks
except ImportError:  # Humble
    from rclpy.qos_event import SubscriptionEventCallbacks

DEPTH = 1000
"""Messages of a topic that wait while the disk is slow."""

HANDOVER = 2.0
"""Wall time [s] in which the new subscription finds all publishers."""


def offered(profiles: Sequence[QoSProfile], keep_all: bool) -> QoSProfile:
    """Return the strictest quality of service that all publishers offer, the weakest for none.

    Args:
        profiles: The offered profiles.
        keep_all: Whether a reliable publisher waits for the recorder. In lockstep it must; in a
            flight no publisher waits for a recorder.
    """
    reliable = {p.reliability for p in profiles} == {ReliabilityPolicy.RELIABLE}
    latched = {p.durability for p in profiles} == {DurabilityPolicy.TRANSIENT_LOCAL}
    return QoSProfile(
        depth=DEPTH,
        history=HistoryPolicy.KEEP_ALL if reliable and keep_all else HistoryPolicy.KEEP_LAST,
        reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE,
    )


def without_repetition(profile: QoSProfile) -> QoSProfile:
    """Return a profile whose publishers need not track what has arrived."""
    return QoSProfile(
        depth=profile.depth, history=HistoryPolicy.KEEP_LAST,
        reliability=ReliabilityPolicy.BEST_EFFORT, durability=DurabilityPolicy.VOLATILE,
    )  # fmt: skip


def profile_text(profile: QoSProfile) -> str:
    """Return the relevant settings of a profile."""
    reliable = profile.reliability == ReliabilityPolicy.RELIABLE
    latched = profile.durability == DurabilityPolicy.TRANSIENT_LOCAL
    return ('reliable' if reliable else 'best effort') + (', latched' if latched else '')


MAX_PUBLISHERS = 10_000
"""Publishers of a topic whose numbers are kept: those that have gone are among them."""


class SequenceGaps:
    """Counts what is missing between the numbers of each publisher's messages."""

    def __init__(self) -> None:
        """Begin with nothing received."""
        self._last: dict[bytes, int] = {}
        self.lost = 0

    def see(self, arrival: Arrival) -> None:
        """Count what is missing before a message."""
        if not arrival.publisher or arrival.number is None:
            return
        if arrival.publisher not in self._last and len(self._last) >= MAX_PUBLISHERS:
            self.forget()
        previous = self._last.get(arrival.publisher, arrival.number - 1)
        self._last[arrival.publisher] = arrival.number
        self.lost += max(0, arrival.number - previous - 1)

    def forget(self) -> None:
        """Begin anew with the next message of each publisher."""
        self._last.clear()


class RawSubscription:
    """Raw subscription to one topic."""

    def __init__(
        self,
        node: PollingNode,
        topic: str,
        kind: type,
        profile: QoSProfile,
        take: Callable[[bytes], None] | None = None,
    ) -> None:
        """Subscribe.

        Args:
            node: The node that spins.
            topic: Name of the topic.
            kind: Class of its messages.
            profile: Quality of service to request.
            take: Called with every serialized message; None: they wait for ``arrived``.

        Raises:
            RCLError: This process uses the topic with another type.
        """
        self._node, self._topic, self._kind, self._take = node, topic, kind, take
        self._delivered: tuple[Counter[int], Counter[int]] | None = None
        self._gaps = (SequenceGaps(), SequenceGaps())
        self._number = 0
        self._old: Subscription | None = None
        self._old_until = 0.0
        self.profile = profile
        self.refused = False
        self._subscription = self._subscribe()

    @property
    def lost(self) -> int:
        """How many messages are known to be missing between the received ones.

        Only those that wait for ``arrived`` are counted, and only where ROS names the publisher.
        """
        return sum(gaps.lost for gaps in self._gaps)

    def arrived(self) -> Iterator[Arrival]:
        """Take the messages that have arrived."""
        newest = self._number % 2
        for number, subscription in ((1 - newest, self._old), (newest, self._subscription)):
            if subscription is None:
                continue
            for arrival in arrivals(subscription, self._kind):
                self._gaps[number].see(arrival)
                if self._is_first(number, arrival.data):
                    yield arrival

    def adapt(self, profile: QoSProfile) -> bool:
        """Request another profile from now on; return whether it differs."""
        self.settle()
        if self._old is not None:
            return False
        self.refused = False
        if profile_text(profile) == profile_text(self.profile):
            return False
        self.profile = profile
        self._old, self._old_until = self._subscription, time.monotonic() + HANDOVER
        self._delivered = (Counter(), Counter())
        self._number += 1
        self._subscription = self._subscribe()
        return True

    def settle(self) -> None:
        """End the older of two subscriptions once the younger has matched all publishers."""
        if self._old is not None and time.monotonic() > self._old_until:
            self._node.destroy_subscription(self._old)
            self._old, self._delivered = None, None
            self._gaps[1 - self._number % 2].forget()

    def _subscribe(self) -> Subscription:
        events = SubscriptionEventCallbacks(
            incompatible_qos=self._on_refused, use_default_callbacks=False
        )
        take = partial(self._deliver, self._number % 2)
        subscription = self._node.create_subscription(
            self._kind, self._topic, take, self.profile, raw=True, event_callbacks=events
        )
        if self._take is None:
            self._node.hide(subscription)
        return subscription

    def _deliver(self, number: int, data: bytes) -> None:
        if self._is_first(number, data):
            self._take(data)

    def _is_first(self, number: int, data: bytes) -> bool:
        """Return whether the other subscription has not delivered the same message yet."""
        if self._delivered is None:
            return True
        key = hash(data)
        self._delivered[number][key] += 1
        return self._delivered[number][key] > self._delivered[1 - number][key]

    def _on_refused(self, event: object) -> None:
        del event
        self.refused = True


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
        arrivals = [
            (arrival.received_ns, topic, arrival.data)
            for topic, subscription in self._subscriptions.items()
            for arrival in subscription.arrived()
        ]
        for received_ns, topic, data in sorted(arrivals, key=itemgetter(0)):
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
            if profile is not None and subscription.adapt(self._profile_for(topic, profile)):
                self._report(
                    f'{topic}: a new publisher offers less; now subscribed as '
                    f'{profile_text(subscription.profile)}'
                )

    def _on_offer(self, topic: str, kind: str) -> QoSProfile | None:
        """Return what the other nodes offer that publish a type on a topic, None without any.

        The graph names the types that are subscribed, too: they decide nothing.
        """
        me = (self._node.get_name(), self._node.get_namespace())
        publishers = self._node.get_publishers_info_by_topic(topic)
        profiles = [
            i.qos_profile for i in publishers
            if i.topic_type == kind and (i.node_name, i.node_namespace) != me
        ]  # fmt: skip
        return offered(profiles, self._keep_all) if profiles else None

    def _profile_for(self, topic: str, offer: QoSProfile) -> QoSProfile:
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
                self._node, topic, message_type, self._profile_for(topic, profile), take
            )
        except rclpy_implementation.RCLError:
            self._report(f'{topic}: this process uses another type than {kind}; not recorded')
            return
        except Exception as error:  # a broken package can raise anything
            self._refuse(topic, kind, f'is installed but cannot be used ({type(error).__name__})')
            return
        self._kinds[topic] = kind
        self._listener.add_topic(topic, kind, profile)
