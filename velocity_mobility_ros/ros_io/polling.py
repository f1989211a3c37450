"""Subscriptions whose messages wait until the node asks for them, at its own period.

Ten agents at 50 Hz send 500 states per second to each of them, of which each needs 10 per tick. An
executor would wake up for every single one.
"""

from collections.abc import Callable, Iterator
from typing import Any

from rclpy.qos import QoSProfile
from rclpy.subscription import Subscription

from velocity_mobility_ros.ros_io.endpoints import make_subscription
from velocity_mobility_ros.ros_io.live_parameters import TunableNode

MAX_TAKEN = 10_000
"""Messages taken at once, at most: a sender may be faster than its reader."""


class PollingNode(TunableNode):
    """A node that hides some of its subscriptions from its executor."""

    def __init__(self, name: str, **options: object) -> None:
        """Create the node, as ``TunableNode``."""
        self._polled: list[Subscription] = []
        super().__init__(name, **options)

    @property
    def subscriptions(self) -> Iterator[Subscription]:
        """The subscriptions that wake an executor."""
        for subscription in super().subscriptions:
            if subscription not in self._polled:
                yield subscription

    def poll(self, kind: type, topic: str, profile: QoSProfile) -> Callable[[], Iterator[bytes]]:
        """Subscribe, and return what takes the serialized messages that have arrived, if any.

        Args:
            kind: Class of the messages.
            topic: Name of the topic.
            profile: Quality of service; its depth must hold all messages of a period.
        """
        subscription = make_subscription(self, kind, topic, _never_called, profile, raw=True)
        self._polled.append(subscription)
        handle = subscription.handle

        def take() -> Iterator[bytes]:
            for _ in range(MAX_TAKEN):
                found = handle.take_message(kind, True)
                if found is None:
                    return
                yield found[0]

        return take


def _never_called(message: Any) -> None:
    """Stand where rclpy wants a callback."""
