"""What the ROS graph says of an autopilot with services: is it there, does anybody else send?"""

import math
import time
from collections.abc import Callable, Sequence

from rclpy.node import Node
from rclpy.publisher import Publisher

from velocity_mobility_ros.autopilot.bridge.bridge_records import LinkFacts
from velocity_mobility_ros.core.ros_environment import discovery_text
from velocity_mobility_ros.ros_io.polled_client import PolledClient
from velocity_mobility_ros.ros_io.silence import published_as

PERIOD, FIRST_PERIOD = 1.0, 0.2
"""Wall time between two looks, and while the vehicle is not there yet [s]."""

SEARCH = 1.5
"""Wall time from the start on after which a vehicle that is not there is missed [s]."""


SETTLING = 1.0
"""Wall time for which a vehicle is in the graph until all that speak to it are known too [s]."""


class Settling:
    """Tells whether something has been there for long enough, and without a break."""

    def __init__(self) -> None:
        """Nothing has been there yet."""
        self._since = math.inf

    def has_settled(self, is_there: bool) -> bool:
        """Return whether it is there, and has been for ``SETTLING``."""
        now = time.monotonic()
        self._since = min(self._since, now) if is_there else math.inf
        return now - self._since >= SETTLING


class LinkGraph:
    """Looks at the graph once a second."""

    def __init__(
        self,
        node: Node,
        setpoints: Publisher,
        services: Sequence[PolledClient],
        absence: Callable[[], str],
    ) -> None:
        """Look at nothing yet.

        Args:
            node: The node.
            setpoints: What is sent to the autopilot.
            services: Services that it needs.
            absence: Returns why nothing is heard, in words.
        """
        self._node, self._setpoints, self._services = node, setpoints, services
        self._absence, self._begun = absence, time.monotonic()
        self._next, self._facts = 0.0, LinkFacts(is_matched=False)
        self._listeners = Settling()

    def facts(self, is_heard: bool) -> LinkFacts:
        """Return what is known of the link.

        Args:
            is_heard: Whether messages arrive: then no reason is searched why they do not.
        """
        now = time.monotonic()
        if now >= self._next:
            self._facts = self._look(is_heard)
            is_known = is_heard and self._facts.is_matched
            self._next = now + (PERIOD if is_known else FIRST_PERIOD)
        return self._facts

    def _look(self, is_heard: bool) -> LinkFacts:
        is_heard_by = self._setpoints.get_subscription_count() > 0
        is_there = is_heard_by and all(one.is_ready for one in self._services)
        # Another bridge may be found after the vehicle, and has to be known first.
        is_matched = self._listeners.has_settled(is_there)
        commanders = self._node.count_publishers(self._setpoints.topic_name)
        is_missed = not is_heard and time.monotonic() - self._begun > SEARCH
        return LinkFacts(is_matched, commanders, absent=self._absence() if is_missed else '')


def absence(node: Node, topic: str, kind: str, parameter: str, hint: str) -> str:
    """Return that nobody publishes a topic, and where it is published instead; else empty.

    Args:
        node: The node.
        topic: Full name of the topic.
        kind: Its type, such as ``mavros_msgs/msg/State``.
        parameter: Parameter that names the prefix of the topic.
        hint: What to look at, as a question.
    """
    if node.count_publishers(topic):
        return ''
    last = topic.rpartition('/')[2]
    others = [name.removesuffix(f'/{last}') for name in published_as(node, kind)]
    if others:
        return f'nobody publishes {topic}, but {parameter} {", ".join(others)} is there: set it'
    return f'nobody publishes {topic}: {hint} ({discovery_text()})'
