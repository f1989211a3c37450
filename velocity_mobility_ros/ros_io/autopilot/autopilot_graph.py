"""What the ROS graph says of an autopilot: is it there, does it listen, does anybody else send?

PX4 publishes best effort: a reliable subscription gets nothing, without an error. Its node has no
name of its own, and its types no valid hash, so only names of topics and profiles can be compared.
"""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence

from rclpy.node import Node
from rclpy.publisher import Publisher

from velocity_mobility_ros.autopilot.bridge import LinkFacts
from velocity_mobility_ros.autopilot.protocols.px4_requests import other_namespaces, version_fault
from velocity_mobility_ros.core.environment.network import memory_gap
from velocity_mobility_ros.core.environment.ros_environment import discovery_text
from velocity_mobility_ros.ros_io.graph_faults import fit, own_subscriptions, published_as
from velocity_mobility_ros.ros_io.polling import PolledClient

PERIOD, FIRST_PERIOD = 1.0, 0.2
"""Wall time between two looks, and while the vehicle is not there yet [s]."""

SEARCH = 1.5
"""Wall time from the start on after which a vehicle that is not there is missed [s]."""


SETTLING = 1.0
"""Wall time for which a vehicle is in the graph until all that speak to it are known too [s]."""


class LinkGraph(ABC):
    """Looks at the graph once a second."""

    def __init__(
        self, node: Node, publishers: Sequence[Publisher], services: Sequence[PolledClient] = ()
    ) -> None:
        """Look at nothing yet.

        Args:
            node: The node.
            publishers: What is sent to the autopilot, the setpoints first.
            services: Services that it needs.
        """
        self._node, self._publishers, self._services = node, publishers, services
        self._start, self._there_since = time.monotonic(), math.inf
        self._next, self._facts = 0.0, LinkFacts(is_matched=False)

    def facts(self, missing: Collection[str]) -> LinkFacts:
        """Return the state of the link.

        Args:
            missing: Full names of needed topics on which nothing arrives; if there are none, only
                listeners and senders are counted.
        """
        now = time.monotonic()
        if now >= self._next:
            self._facts = self._look(missing)
            is_known = not missing and self._facts.is_matched
            self._next = now + (PERIOD if is_known else FIRST_PERIOD)
        return self._facts

    def _look(self, missing: Collection[str]) -> LinkFacts:
        is_heard = all(publisher.get_subscription_count() > 0 for publisher in self._publishers)
        is_there = is_heard and all(client.is_ready for client in self._services)
        # Another bridge may be found after the vehicle, and has to be known first.
        now = time.monotonic()
        self._there_since = min(self._there_since, now) if is_there else math.inf
        is_matched = now - self._there_since >= SETTLING
        commanders = self._node.count_publishers(self._publishers[0].topic_name)
        return LinkFacts(is_matched, commanders, *self._search(missing))

    def _is_missed(self) -> bool:
        """Return whether a vehicle that is not there should be by now."""
        return time.monotonic() - self._start >= SEARCH

    @abstractmethod
    def _search(self, missing: Collection[str]) -> tuple[str, str]:
        """Return the fault, and why the vehicle is missing; empty: none, it is there."""


class ServiceGraph(LinkGraph):
    """The graph about an autopilot with services."""

    def __init__(
        self, node: Node, setpoints: Publisher, services: Sequence[PolledClient], kind: str,
        parameter: str, hint: str,
    ) -> None:  # fmt: skip
        """Look at nothing yet.

        Args:
            node: The node.
            setpoints: What is sent to the autopilot.
            services: Services that it needs.
            kind: Type of the topic by which it is known, such as ``mavros_msgs/msg/State``.
            parameter: Parameter that names the prefix of the topic.
            hint: What to look at if nobody publishes it, as a question.
        """
        super().__init__(node, [setpoints], services)
        self._kind, self._parameter, self._hint = kind, parameter, hint

    def _search(self, missing: Collection[str]) -> tuple[str, str]:
        """Return the text of a topic without publisher, and where it is published instead."""
        topic = next(iter(missing), '')
        if not topic or not self._is_missed() or self._node.count_publishers(topic):
            return '', ''
        last = topic.rpartition('/')[2]
        others = [
            name.removesuffix(f'/{last}') for name in published_as(self._node, self._kind)
        ]
        if not others:
            return '', f'nobody publishes {topic}: {self._hint} ({discovery_text()})'
        hint = f'{self._parameter} {", ".join(others)} is there: set it'
        return '', f'nobody publishes {topic}, but {hint}'


OUT = '/fmu/out/'


class Px4Graph(LinkGraph):
    """The graph about a PX4.

    Attributes:
        other_release: That px4_msgs does not belong to the firmware, in words; empty: it may.
    """

    def __init__(
        self,
        node: Node,
        namespace: str,
        versions: Mapping[str, int],
        installed: str,
        publishers: Sequence[Publisher],
        topics: Sequence[str],
    ) -> None:
        """Look at nothing yet.

        Args:
            node: The node.
            namespace: PX4's own.
            versions: MESSAGE_VERSION by message.
            installed: The releases to which px4_msgs belongs, in words.
            publishers: What is sent to PX4, the setpoints first.
            topics: Full names of what comes from it, its status first.
        """
        super().__init__(node, publishers)
        self.other_release, self._namespace = '', namespace
        self._versions, self._installed, self._topics = versions, installed, topics
        self._seen = math.inf

    def _search(self, missing: Collection[str]) -> tuple[str, str]:
        if not missing:
            self._seen, self.other_release = math.inf, ''
            return '', ''
        names = [
            name
            for name, _ in self._node.get_topic_names_and_types()
            if OUT in name and self._node.count_publishers(name)
        ]
        self.other_release = version_fault(self._namespace, self._versions, names)
        fault = self.other_release or next(self._wrong_profiles(), '')
        return fault, '' if fault else self._absent(names) or self._mute(names, missing)

    def _absent(self, names: Collection[str]) -> str:
        """Return the text of a missing vehicle, empty if it is there or may appear soon."""
        status = self._topics[0]
        if status in names or not self._is_missed():
            return ''
        others = ', '.join(map(repr, other_namespaces(self._namespace, names)))
        if others:
            return (
                f'no PX4 publishes {status}; there are PX4s with px4_namespace {others}: set '
                'px4_namespace'
            )
        return (
            f'no PX4 publishes {status}: is the uXRCE-DDS agent running, and the client started? '
            f'({discovery_text()})'
        )

    def _mute(self, names: Collection[str], missing: Collection[str]) -> str:
        """Return the text of topics on which nothing arrives: too long messages are dropped."""
        mute = [name for name in missing if name in names]
        self._seen = min(self._seen, time.monotonic()) if mute else math.inf
        if time.monotonic() - self._seen < SEARCH:
            return ''
        gap = ' '.join(filter(None, ('', memory_gap(self._node.context.get_domain_id()))))
        return (
            f'{mute[0]} is published, but nothing arrives: does PX4 still run, and does px4_msgs '
            f'({self._installed}) belong to its firmware?{gap}'
        )

    def _wrong_profiles(self) -> Iterator[str]:
        for name in self._topics:
            offered = self._node.get_publishers_info_by_topic(name)
            for wanted in own_subscriptions(self._node, name):
                if any(not fit(offer.qos_profile, wanted.qos_profile) for offer in offered):
                    yield (
                        f'{name} is subscribed with a quality of service that PX4 does not offer '
                        f'({wanted.qos_profile.reliability.name.lower()}): remove its '
                        'qos_overrides'
                    )
