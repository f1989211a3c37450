"""What the ROS graph says about a PX4: is it there, does it listen, does anything not fit.

PX4 publishes best effort: a reliable subscription gets nothing, without an error. Its node has no
name of its own, and its types no valid hash, so only names of topics and profiles can be compared.
"""

import math
import time
from collections.abc import Collection, Iterator, Mapping, Sequence

from rclpy.node import Node
from rclpy.publisher import Publisher

from velocity_mobility_ros.autopilot.bridge.bridge_records import LinkFacts
from velocity_mobility_ros.autopilot.px4.topics import other_namespaces, version_trouble
from velocity_mobility_ros.core.network import memory_gap
from velocity_mobility_ros.core.ros_environment import discovery_text
from velocity_mobility_ros.ros_io.autopilot.link_graph import (
    FIRST_PERIOD,
    PERIOD,
    SEARCH,
    Settling,
)
from velocity_mobility_ros.ros_io.silence import fit, own_subscriptions

OUT = '/fmu/out/'


class Px4Graph:
    """Looks at the graph once a second.

    Attributes:
        namespace: PX4's own.
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
        self.namespace, self.other_release = namespace, ''
        self._node, self._versions, self._installed = node, versions, installed
        self._publishers, self._topics = publishers, topics
        self._next, self._facts = 0.0, LinkFacts(is_matched=False)
        self._begun, self._seen = time.monotonic(), math.inf
        self._listeners = Settling()

    def facts(self, missing: Collection[str]) -> LinkFacts:
        """Return what is known of the link.

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
        # Another bridge may be found after the vehicle, and has to be known first.
        is_matched = self._listeners.has_settled(
            all(one.get_subscription_count() > 0 for one in self._publishers)
        )
        setpoints = self._publishers[0].topic_name
        facts = LinkFacts(is_matched, self._node.count_publishers(setpoints))
        if not missing:
            self._seen, self.other_release = math.inf, ''
            return facts
        names = [
            name
            for name, _ in self._node.get_topic_names_and_types()
            if OUT in name and self._node.count_publishers(name)
        ]
        self.other_release = version_trouble(self.namespace, self._versions, names)
        trouble = self.other_release or next(self._wrong_profiles(), '')
        absent = '' if trouble else self._absent(names) or self._mute(names, missing)
        return facts._replace(trouble=trouble, absent=absent)

    def _absent(self, names: Collection[str]) -> str:
        """Return that there is no such vehicle, empty if there is or might appear soon."""
        status = self._topics[0]
        if status in names or time.monotonic() - self._begun < SEARCH:
            return ''
        there = ', '.join(map(repr, other_namespaces(self.namespace, names)))
        if there:
            return (
                f'no PX4 publishes {status}; there are PX4s with px4_namespace {there}: set '
                'px4_namespace'
            )
        return (
            f'no PX4 publishes {status}: is the uXRCE-DDS agent running, and the client started? '
            f'({discovery_text()})'
        )

    def _mute(self, names: Collection[str], missing: Collection[str]) -> str:
        """Return that nothing arrives on a topic: the middleware drops what is too long."""
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
                if any(not fit(one.qos_profile, wanted.qos_profile) for one in offered):
                    yield (
                        f'{name} is subscribed with a quality of service that PX4 does not offer '
                        f'({wanted.qos_profile.reliability.name.lower()}): remove its '
                        'qos_overrides'
                    )
