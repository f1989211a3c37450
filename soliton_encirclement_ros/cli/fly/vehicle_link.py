"""What one vehicle says to the operator's node, and the services of its bridge."""

import math
import time
from collections.abc import Callable

from diagnostic_msgs.msg import DiagnosticStatus
from nav_msgs.msg import Odometry
from rclpy.client import Client
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from std_srvs.srv import Trigger
from velocity_mobility_ros.core.cdr import first_stamp_ns
from velocity_mobility_ros.ros_io.polling import PollingNode, arrivals
from velocity_mobility_ros.ros_io.vehicle_topics import BRIDGE_STATE, ODOM

from soliton_encirclement_ros.cli.fly.sighting import Sighting
from soliton_encirclement_ros.cli.fly.vehicle_report import VehicleReport, read_report

REPORTS = QoSProfile(
    depth=20, reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL, history=HistoryPolicy.KEEP_LAST,
)  # fmt: skip
"""Deep enough that no state between two looks is missed."""

NEWEST = QoSProfile(
    depth=1, reliability=ReliabilityPolicy.BEST_EFFORT, history=HistoryPolicy.KEEP_LAST
)
"""Of the odometry only the newest counts."""

NS = 1e-9


class VehicleLink:
    """One vehicle."""

    def __init__(
        self, node: PollingNode, namespace: str, heard: Callable[[VehicleReport], None]
    ) -> None:
        """Listen to it.

        Args:
            node: The operator's node.
            namespace: Full namespace of the vehicle.
            heard: Takes every report of its bridge.
        """
        self._node, self._namespace, self._heard = node, namespace, heard
        self._topic = f'{namespace}/{BRIDGE_STATE}'
        self._clients: dict[str, Client] = {}
        self._report: VehicleReport | None = None
        self._reports, self._reported_at = 0, -math.inf
        self._odometry_at, self._offset = -math.inf, math.nan
        node.create_subscription(DiagnosticStatus, self._topic, self._on_report, REPORTS)
        self._odometry = node.create_subscription(
            Odometry, f'{namespace}/{ODOM}', _never_called, NEWEST, raw=True
        )
        node.hide(self._odometry)

    def _on_report(self, status: DiagnosticStatus) -> None:
        values = {pair.key: pair.value for pair in status.values}
        self._report = read_report(status.message, values)
        self._reports += 1
        self._reported_at = time.monotonic()
        self._heard(self._report)

    def update(self) -> None:
        """Take the odometry that has arrived."""
        for arrival in arrivals(self._odometry, Odometry):
            stamp_ns = first_stamp_ns(arrival.data)
            self._offset = (stamp_ns - arrival.received_ns) * NS
            self._odometry_at = time.monotonic() - (time.time_ns() - arrival.received_ns) * NS

    def seen(self) -> Sighting:
        """Return what is known now."""
        now = time.monotonic()
        return Sighting(
            self._report,
            self._reports,
            now - self._reported_at,
            self._node.count_publishers(self._topic),
            now - self._odometry_at,
            self._offset,
        )

    def client(self, service: str) -> Client:
        """Return a client of a service of its bridge."""
        if service not in self._clients:
            self._clients[service] = self._node.create_client(
                Trigger, f'{self._namespace}/{service}'
            )
        return self._clients[service]


def _never_called(message: bytes) -> None:
    """Stand where rclpy wants a callback."""
