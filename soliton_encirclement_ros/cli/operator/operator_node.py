"""The node of an operator: gives orders, and reads who is there and who obeys.

Nothing spins: topics are polled and the graph is asked.
"""

import os
import platform

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from velocity_mobility_ros.ros_io.polling import PollingNode, arrivals

from soliton_encirclement_ros.cli.operator.member_reports import MemberReport, member_report
from soliton_encirclement_ros.core.states.fleet_names import Fleet
from soliton_encirclement_ros.core.states.swarm_topics import DIAGNOSTICS, STOP
from soliton_encirclement_ros.nodes.stop.stop_topic import StopTopic

STATUSES = QoSProfile(
    depth=2000, reliability=ReliabilityPolicy.RELIABLE, history=HistoryPolicy.KEEP_LAST
)
"""All members of a large swarm may report at once."""


def operator_name() -> str:
    """Return who gives orders here, as members show it."""
    user = os.environ.get('USER') or os.environ.get('LOGNAME') or f'user {os.getuid()}'
    return f'{user}@{platform.node()[:60]} (swarm stop, process {os.getpid()})'


class OperatorNode(PollingNode):
    """One operator."""

    def __init__(self, fleet: Fleet) -> None:
        """Listen to a fleet."""
        super().__init__(
            f'swarm_stop_{os.getpid()}', enable_rosout=False, start_parameter_services=False
        )
        self._fleet = fleet
        self.refusals: list[str] = []
        self.orders = StopTopic(self, fleet, '', lambda _, reason: self.refusals.append(reason))
        self._statuses = self.create_subscription(
            DiagnosticArray, DIAGNOSTICS, self.refusals.append, STATUSES, raw=True
        )
        self.hide(self._statuses)
        self.reports: dict[str, MemberReport] = {}

    def update(self) -> None:
        """Take what has arrived."""
        self.orders.update()
        for arrival in arrivals(self._statuses, DiagnosticArray):
            for status in deserialize_message(arrival.data, DiagnosticArray).status:
                values = {pair.key: pair.value for pair in status.values}
                report = member_report(values, status.message)
                if report is not None:
                    self.reports[status.hardware_id] = report

    def members(self) -> list[str]:
        """Return who listens to orders and has a namespace of its own, without the first slash."""
        found = self.get_subscriptions_info_by_topic(self.orders.topic)
        shared = ('/', self._fleet.namespace_of(''))
        spaces = {one.node_namespace for one in found if not one.node_name.startswith('_')}
        return sorted(space.strip('/') for space in spaces if space not in shared)

    def of_members(self) -> dict[str, MemberReport]:
        """Return the reports of the members of the fleet."""
        return {one: self.reports[one] for one in self.members() if one in self.reports}

    def fleets(self) -> list[str]:
        """Return the namespaces of all fleets that somebody can stop, ``/`` for the root."""
        ending = f'/{STOP}'
        topics = [topic for topic, _ in self.get_topic_names_and_types()]
        spaces = {topic.removesuffix(ending) for topic in topics if topic.endswith(ending)}
        return sorted(space or '/' for space in spaces - {self._fleet.namespace})
