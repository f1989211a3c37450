"""Raw subscription (no deserialisation) with the quality of service that publishers offer.

It would not match a later publisher with a weaker offer. In that case a second, weaker
subscription begins, and for a while both exist: messages received by both count once, so there is
neither a gap nor a duplicate. Threading: one thread.

Lost messages are counted by the gaps in the numbers of each publisher. The event of the middleware
for them is of no use: rmw_fastrtps before June 2026 (pull request 890) can take one while Fast DDS
reports the next, and then both wait for each other for ever, with Python's interpreter lock held.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.subscription import Subscription
from velocity_mobility_ros.ros_io.polling import Arrival, PollingNode, arrivals

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
        before = self._last.get(arrival.publisher, arrival.number - 1)
        self._last[arrival.publisher] = arrival.number
        self.lost += max(0, arrival.number - before - 1)

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
        for which, subscription in ((1 - newest, self._old), (newest, self._subscription)):
            if subscription is None:
                continue
            for arrival in arrivals(subscription, self._kind):
                self._gaps[which].see(arrival)
                if self._is_first(which, arrival.data):
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

    def _deliver(self, which: int, data: bytes) -> None:
        if self._is_first(which, data):
            self._take(data)

    def _is_first(self, which: int, data: bytes) -> bool:
        """Return whether the other subscription has not delivered the same message yet."""
        if self._delivered is None:
            return True
        key = hash(data)
        self._delivered[which][key] += 1
        return self._delivered[which][key] > self._delivered[1 - which][key]

    def _on_refused(self, event: object) -> None:
        del event
        self.refused = True
