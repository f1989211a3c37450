"""Paths of a topic, from publishers that keep their last message and from others.

A subscription that asks for kept messages is not served by publishers that keep none, which warn
of it. So there is one that asks for nothing, and, once a publisher keeps its messages, another
one; what such a publisher sends to both counts once.
"""

import time

from nav_msgs.msg import Path
from rclpy.qos import DurabilityPolicy
from rclpy.subscription import Subscription

from velocity_mobility_ros.ros_io.endpoints import make_subscription
from velocity_mobility_ros.ros_io.polling import PollingNode, arrivals
from velocity_mobility_ros.ros_io.qos import COMMAND, LATCHED
from velocity_mobility_ros.ros_io.serialized.layouts import deserialized

PATH = 'path'

SEARCH_PERIOD = 0.5
"""Wall time [s] between two searches for publishers that keep their messages."""

ECHO_TIME = 2.0
"""Wall time [s] within which the same message from the other subscription is an echo."""


class PathInput:
    """The newest path, taken at the period of a node."""

    def __init__(self, node: PollingNode) -> None:
        """Subscribe to ``path``."""
        self._node = node
        first = make_subscription(node, Path, PATH, _never_called, COMMAND, raw=True)
        node.hide(first)
        self._subscriptions: list[Subscription] = [first]
        self._next_search = time.monotonic()
        self._last: tuple[int, bytes, float] = (0, b'', 0.0)

    def take(self) -> Path | None:
        """Return the newest path that has arrived since the last call, None if there is none.

        Raises:
            MalformedMessageError: It is no path.
        """
        self._search()
        newest = None
        for i, subscription in enumerate(self._subscriptions):
            for arrival in arrivals(subscription, Path):
                if self._is_new(i, arrival.data):
                    newest = arrival.data
        return None if newest is None else deserialized(newest, Path)

    def _is_new(self, source: int, data: bytes) -> bool:
        """Take note of a message; return whether it is no echo."""
        before, known, when = self._last
        now = time.monotonic()
        if source != before and data == known and now - when < ECHO_TIME:
            return False
        self._last = source, data, now
        return True

    def _search(self) -> None:
        """Subscribe to kept messages as soon as somebody keeps some."""
        now = time.monotonic()
        if len(self._subscriptions) > 1 or now < self._next_search:
            return
        self._next_search = now + SEARCH_PERIOD
        topic = self._node.resolve_topic_name(PATH)
        for info in self._node.get_publishers_info_by_topic(topic):
            if info.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL:
                kept = self._node.create_subscription(Path, PATH, _never_called, LATCHED, raw=True)
                self._node.hide(kept)
                self._subscriptions.append(kept)
                return


def _never_called(message: bytes) -> None:
    """Stand where rclpy wants a callback."""
