"""One bridge on the topics of its fleet: takes the orders of operators, hears other bridges."""

import os
import platform
import time
from collections.abc import Callable, Mapping

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.serialization import deserialize_message

from velocity_mobility_ros.autopilot.bridge.bridge_records import OperatorFacts
from velocity_mobility_ros.autopilot.fleet.member import Ask, FleetMember
from velocity_mobility_ros.ros_io.endpoints import make_publisher, make_subscription
from velocity_mobility_ros.ros_io.fleet_topics import (
    BRIDGE_STATES,
    FLEET_INPUT,
    FLY_ORDERS,
    fleet_topic,
    read_orders,
)
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.qos import LATCHED


class BridgeFleet:
    """What one vehicle hears on the topics of its fleet.

    Attributes:
        publisher: Publishes on the topic of all bridges.
    """

    def __init__(
        self, node: PollingNode, stated: str, ask: Ask, refuse: Callable[[str, str], None]
    ) -> None:
        """Open the topics.

        Args:
            node: The bridge's node.
            stated: Names of all vehicles of the fleet, separated by commas; empty: not known.
            ask: Makes a step of the bridge with a request.
            refuse: Takes topic and reason of a refused message.
        """
        space, self._refuse = node.get_namespace(), refuse
        member_id = f'{os.getpid()}@{platform.node()[:60]}'
        self._member = FleetMember(space.rpartition('/')[2], member_id, stated, ask)
        self._orders_topic, states = (
            fleet_topic(space, name) for name in (FLY_ORDERS, BRIDGE_STATES)
        )
        self.publisher = make_publisher(node, DiagnosticStatus, states, LATCHED)
        self._take_states = node.poll(DiagnosticStatus, states, FLEET_INPUT)
        make_subscription(
            node, DiagnosticArray, self._orders_topic, self._on_orders, FLEET_INPUT, raw=True
        )

    def armed(self, is_armed: bool) -> None:
        """Note whether the vehicle is armed: no order from before counts then."""
        self._member.armed(is_armed, time.monotonic())

    @property
    def operator(self) -> OperatorFacts:
        """What is known of the operator now."""
        return self._member.operator(time.monotonic())

    def values(self) -> Mapping[str, str]:
        """Return who is there, and what the last order was and became."""
        now = time.monotonic()
        for data in self._take_states():
            status = deserialize_message(data, DiagnosticStatus)
            values = {pair.key: pair.value for pair in status.values}
            self._member.hear(status.hardware_id.rpartition('/')[2], values, now)
        return self._member.values(now)

    def _on_orders(self, data: bytes) -> None:
        found, reasons = read_orders(data)
        for reason in reasons:
            self._refuse(self._orders_topic, reason)
        self._member.take(found, time.monotonic(), time.time_ns())
