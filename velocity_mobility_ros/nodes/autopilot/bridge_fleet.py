"""One bridge as part of its fleet: takes the orders of operators, hears the other bridges."""

import math
import os
import platform
import time
from collections.abc import Callable, Mapping

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.serialization import deserialize_message

from velocity_mobility_ros.autopilot.bridge.bridge_records import OperatorFacts
from velocity_mobility_ros.autopilot.engage.records import Outputs, Request
from velocity_mobility_ros.autopilot.fleet import orders, peers
from velocity_mobility_ros.autopilot.fleet.orders import OrderMemory
from velocity_mobility_ros.autopilot.fleet.peers import Peer, Peers
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

Ask = Callable[[Request, OperatorFacts], Outputs]
"""Makes a step of the bridge with a request."""


class BridgeFleet:
    """What one vehicle hears on the topics of its fleet."""

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
        space = node.get_namespace()
        self._name, self._ask, self._refuse = space.rpartition('/')[2], ask, refuse
        self._stated = sorted(filter(None, map(str.strip, stated.split(','))))
        self._id = f'{os.getpid()}@{platform.node()[:60]}'
        self._orders_topic = fleet_topic(space, FLY_ORDERS)
        self._memory, self._armed_at = OrderMemory(), -math.inf
        self._peers: Peers = {}
        states = fleet_topic(space, BRIDGE_STATES)
        self.publisher = make_publisher(node, DiagnosticStatus, states, LATCHED)
        self._take_states = node.poll(DiagnosticStatus, states, FLEET_INPUT)
        make_subscription(
            node, DiagnosticArray, self._orders_topic, self._on_orders, FLEET_INPUT, raw=True
        )

    def armed(self, is_armed: bool) -> None:
        """Note whether the vehicle is armed: no order from before counts then."""
        if not is_armed:
            self._armed_at = -math.inf
        elif self._armed_at == -math.inf:
            self._armed_at = time.monotonic()

    @property
    def operator(self) -> OperatorFacts:
        """What is known of the operator now."""
        return OperatorFacts(age=orders.operator_age(self._memory, time.monotonic()))

    def values(self) -> Mapping[str, str]:
        """Return who is there, and what the last order was and became."""
        now, told = time.monotonic(), self._memory.answered
        for data in self._take_states():
            self._hear(deserialize_message(data, DiagnosticStatus), now)
        self._peers = peers.remembered(self._peers, now)
        fleet = self._stated or sorted({self._name, *self._peers})
        silent = peers.silent(self._peers, now)
        return {
            'bridge_id': self._id,
            'fleet': ','.join(fleet),
            'fleet_is_stated': str(bool(self._stated)).lower(),
            'hears': ','.join(sorted(set(self._peers) - set(silent))),
            'silent': '; '.join(f'{name}: {what}' for name, what in silent.items()),
            'order_id': told.order_id,
            'order': told.kind,
            'order_by': told.source,
            'order_accepted': str(told.accepted).lower(),
            'order_answer': told.text,
        }

    def _hear(self, status: DiagnosticStatus, now: float) -> None:
        name = status.hardware_id.rpartition('/')[2]
        if name and name != self._name:
            values = {pair.key: pair.value for pair in status.values}
            is_armed = values.get('armed') != 'false'
            peer = Peer(now, values.get('state', ''), is_armed)
            self._peers = peers.with_peer(self._peers, name, peer)

    def _on_orders(self, data: bytes) -> None:
        found, reasons = read_orders(data)
        for reason in reasons:
            self._refuse(self._orders_topic, reason)
        for order in found:
            if order.is_for(self._name):
                self._take(order)

    def _take(self, order: orders.FleetOrder) -> None:
        taken = orders.received(
            self._memory, order, time.monotonic(), time.time_ns(), self._armed_at
        )
        self._memory = taken.memory
        if taken.request is None:
            return
        facts = OperatorFacts(taken.together, 0.0)
        out = self._ask(taken.request, facts)
        if taken.request is not Request.GO or out.refused:
            self._memory = orders.answered(self._memory, order, not out.refused, out.reason)
