"""A node that knows the members of a fleet: whom discovery finds, and whom they have heard.

Nothing spins: topics are polled and the graph is asked.
"""

import math
import time

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from rclpy.subscription import Subscription
from velocity_mobility_ros.ros_io.polling import PollingNode, arrivals
from velocity_mobility_ros.ros_io.silence import UNKNOWN_NODE

from soliton_encirclement_ros.cli.operator.member_reports import (
    MemberReport,
    member_report,
    members_named,
)
from soliton_encirclement_ros.cli.operator.operating import bare_node
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY,
    AGENT,
    DIAGNOSTICS,
    MEMBERS,
    MORE_MEMBERS,
    SAFETY,
    STOP,
    TARGET,
    Fleet,
)

STATUSES = QoSProfile(
    depth=2000, reliability=ReliabilityPolicy.RELIABLE, history=HistoryPolicy.KEEP_LAST
)
"""All members of a large swarm may report at once."""

MEMBER_NODES = (AGENT, TARGET, ADVERSARY, SAFETY)

LOOK_PERIOD = 0.2
"""Time between two looks at the graph [s]: each takes some milliseconds."""


class MembersNode(PollingNode):
    """Listens to a fleet."""

    def __init__(self, name: str, fleet: Fleet) -> None:
        """Begin to listen.

        Args:
            name: Name of the node.
            fleet: The fleet.
        """
        super().__init__(name, **bare_node())
        self._fleet = fleet
        self._orders_topic = self.resolve_topic_name(fleet.full_name(STOP))
        self._statuses = self._hidden_input(DiagnosticArray, DIAGNOSTICS, STATUSES)
        self.reports: dict[str, MemberReport] = {}
        self._counted: frozenset[str] = frozenset()
        self._members, self._looked_at = frozenset[str](), -math.inf

    def _hidden_input(self, kind: type, topic: str, profile: QoSProfile) -> Subscription:
        """Subscribe to serialized messages that are only polled."""
        found = self.create_subscription(kind, topic, _never_called, profile, raw=True)
        self.hide(found)
        return found

    def update(self) -> None:
        """Take what has arrived."""
        for arrival in arrivals(self._statuses, DiagnosticArray):
            for status in deserialize_message(arrival.data, DiagnosticArray).status:
                values = {pair.key: pair.value for pair in status.values}
                report = member_report(values, status.message)
                if report is not None:
                    self.reports[status.hardware_id] = report
                elif MEMBERS in values and self._has(f'/{status.hardware_id}'):
                    self._counted = members_named(values)

    def members(self) -> list[str]:
        """Return the namespaces of all members that are known, without the first slash.

        Discovery tells about nodes, their subscriptions and their messages at different times, so
        each counts: a member's node, its subscription to orders, whoever reports, and whoever is
        heard by one that reports or by the monitor. Another listener, such as a plotter, is none.
        """
        now = time.monotonic()
        if now - self._looked_at >= LOOK_PERIOD:
            self._looked_at, self._members = now, self._in_graph()
        told = {f'/{space}' for space in self.reports if self._has(f'/{space}')}
        told |= {self._fleet.namespace_of(name) for name in self.told() - {MORE_MEMBERS}}
        return sorted(space.strip('/') for space in self._members | told)

    def told(self) -> frozenset[str]:
        """Return the short names of members that others have heard."""
        own = (one.heard for space, one in self.reports.items() if self._has(f'/{space}'))
        return self._counted.union(*own)

    @property
    def is_agreed(self) -> bool:
        """Whether the members that are known are all: several know of each other, of nobody else.

        One that hears nobody may be alone, or out of the reach of the others.
        """
        told = self.told()
        return len(self.members()) > 1 and bool(told) and MORE_MEMBERS not in told

    def _in_graph(self) -> frozenset[str]:
        """Return the full namespaces of the members that discovery has found."""
        listeners = self.get_subscriptions_info_by_topic(self._orders_topic)
        spaces = {one.node_namespace for one in listeners if one.node_name in MEMBER_NODES}
        nodes = self.get_node_names_and_namespaces()
        spaces |= {space for name, space in nodes if name in MEMBER_NODES and self._has(space)}
        shared = ('/', self._fleet.namespace_of(''))
        return frozenset(space for space in spaces if space not in shared)

    def unidentified(self) -> int:
        """Return how many listeners to orders discovery has not named yet."""
        listeners = self.get_subscriptions_info_by_topic(self._orders_topic)
        return sum(one.node_name == UNKNOWN_NODE for one in listeners)

    def _has(self, space: str) -> bool:
        """Return whether a namespace is directly in that of the fleet."""
        return space.rpartition('/')[0] == self._fleet.namespace

    def of_members(self) -> dict[str, MemberReport]:
        """Return the reports of the members of the fleet."""
        return {one: report for one, report in self.reports.items() if self._has(f'/{one}')}


def _never_called(message: bytes) -> None:
    """Stand where rclpy wants a callback."""
