"""The topic of the emergency stop: all members subscribe, nodes with an order publish.

A publisher exists only where an order was given, or is kept for those that start later; it sends
all orders that its node knows, so that its last message is complete. Messages are polled, so that
a heartbeat wakes no node.

A message is a DiagnosticArray whose every status is one item. Orders are ERROR (stop) and OK
(release), heartbeats WARN, so that tools colour them.
"""

import math
import time
from collections.abc import Callable, Sequence

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.publisher import Publisher
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

from soliton_encirclement_ros.core import emergency_stop
from soliton_encirclement_ros.core.emergency_stop import (
    END_HOLD, HEARTBEAT, HEARTBEAT_ENDS, TO_RELEASE, TO_STOP, StopMessage, StopOrder, fields_of,
    is_premature, message_of_order, next_stamp_ns, order_of, read_stop
)
from soliton_encirclement_ros.core.states.swarm_topics import STOP, Fleet
from velocity_mobility_ros.ros_io.endpoints import LATCHED
from velocity_mobility_ros.ros_io.node_time import ns_to_time
from velocity_mobility_ros.ros_io.polling import PollingNode, arrivals, read_items

NAME = 'emergency stop'
"""Name of every status."""

LEVELS = {TO_STOP: DiagnosticStatus.ERROR, TO_RELEASE: DiagnosticStatus.OK}


def stop_message(words: Sequence[StopMessage], now_ns: int) -> DiagnosticArray:
    """Return a message with some items, sent at a time [ns since 1970]."""
    message = DiagnosticArray(status=[_status(word) for word in words])
    message.header.stamp = ns_to_time(now_ns)
    return message


def _status(word: StopMessage) -> DiagnosticStatus:
    scope = word.scope or 'everybody'
    return DiagnosticStatus(
        level=LEVELS.get(word.kind, DiagnosticStatus.WARN),
        name=NAME,
        message=f'{word.kind} {scope}' if word.kind in LEVELS else word.kind,
        hardware_id=word.source,
        values=[KeyValue(key=key, value=value) for key, value in fields_of(word).items()],
    )


def read_words(data: bytes) -> tuple[list[StopMessage], list[str]]:
    """Return the valid items of a serialized message, and why others are refused."""
    return read_items(data, NAME, read_stop)


STOP_INPUT = QoSProfile(
    depth=100,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
    history=HistoryPolicy.KEEP_LAST,
)
"""Deep enough that heartbeats between two looks push no order out."""

KEEP_PERIOD = 1.0
"""Wall time [s] between two publications of orders that nobody gives anew."""

KEEPERS = 2
"""Publishers of orders that stay on the graph: one may be killed, and a node started after it."""


class StopTopic:
    """One node's view of the emergency stop."""

    def __init__(
        self, node: PollingNode, fleet: Fleet, member: str, refuse: Callable[[str, str], None]
    ) -> None:
        """Subscribe; the quality of service is fixed, so that no setting loses a stop.

        Args:
            node: The node.
            fleet: Its fleet.
            member: Name of the member, empty for a node that is none.
            refuse: Takes topic and reason of a refused message.
        """
        self._node, self._refuse = node, refuse
        self._name = fleet.full_name(STOP)
        self.topic = node.resolve_topic_name(self._name)
        self._publisher: Publisher | None = None
        self._input = node.hidden_fixed(DiagnosticArray, self._name, STOP_INPUT)
        self._began = time.monotonic()
        self.has_heard = False
        self.latch = emergency_stop.released(member)
        self.is_end_asked = False
        self._lasting: tuple[StopMessage, ...] = ()
        self._is_answer_due = False
        self._looked_at = -math.inf

    @property
    def listening_for(self) -> float:
        """Time [s] since the subscription."""
        return time.monotonic() - self._began

    def update(self) -> str:
        """Read all messages, check the heartbeats; return why to stop, empty if not.

        Messages are read first: so after a pause of the own process a heartbeat in the queue does
        not count as missing.
        """
        orders = self.latch.orders
        for arrival in arrivals(self._input, DiagnosticArray):
            self._take(arrival.data)
        if self.latch.beats:
            self.latch = emergency_stop.checked(self.latch, time.monotonic(), time.time_ns())
        if self._publisher is not None and self.latch.orders is not orders:
            self.publish()
        latch = self.latch
        is_quiet = not latch.orders and latch.silence is None and latch.own is None
        return '' if is_quiet else emergency_stop.reason_to_stop(latch)

    def give(self, scope: str, stop: bool, source: str) -> StopOrder:
        """Give an order to all members or to one; it is in force here at once."""
        self.update()
        stops = [stop for stop in (self.latch.silence, self.latch.own) if stop is not None]
        now_ns = max(time.time_ns(), *(stop.stamp_ns + 1 for stop in stops), 0)
        stamp_ns = next_stamp_ns(self.latch.orders, scope, now_ns)
        order = StopOrder(scope, stop, stamp_ns, source)
        self.latch = emergency_stop.with_order(self.latch, order)
        self.publish()
        return order

    def stop_itself(self, reason: str) -> None:
        """Stop the own member until it, or all, are released; no order to others."""
        self.latch = emergency_stop.with_own_stop(self.latch, reason, time.time_ns())

    def note(self, order: StopOrder) -> None:
        """Add an order that came by another channel; later orders are stamped after it."""
        if order.stamp_ns > 0:
            self.latch = emergency_stop.with_order(self.latch, order)

    def keep(self) -> None:
        """Publish the orders if too few do, or somebody said others; at most once a second.

        Releases as well: whoever missed one would stop a member that starts again later.
        """
        now = time.monotonic()
        if now - self._looked_at < KEEP_PERIOD:
            return
        is_due, self._is_answer_due, self._looked_at = self._is_answer_due, False, now
        if not self.latch.orders:
            return
        is_alone = self._publisher is None and self._node.count_publishers(self.topic) < KEEPERS
        if is_due or is_alone:
            self.publish()

    def ask_to_end_holds(self, source: str) -> None:
        """Ask all operators to end their heartbeats, also those that are found later."""
        self._lasting = (StopMessage(END_HOLD, source=source),)
        self.publish()

    def publish(self, words: Sequence[StopMessage] = ()) -> Publisher:
        """Publish all known orders, and further items; return the publisher."""
        if self._publisher is None:
            self._publisher = self._node.create_publisher(DiagnosticArray, self._name, LATCHED)
        orders = [message_of_order(order) for order in self.latch.orders.values()]
        self._publisher.publish(stop_message([*orders, *self._lasting, *words], time.time_ns()))
        return self._publisher

    def _take(self, data: bytes) -> None:
        self.has_heard = True
        words, reasons = read_words(data)
        for word in words:
            self._take_word(word)
        orders = [order for order in map(order_of, words) if order is not None]
        if orders:  # who said an older one is told; one that was refused may be said again
            known = self.latch.orders
            self._is_answer_due = any(known.get(each.scope, each) != each for each in orders)
        for reason in reasons:
            self._refuse(self.topic, reason)

    def _take_word(self, word: StopMessage) -> None:
        order = order_of(word)
        if order is not None:
            self._take_order(order)
        elif word.kind == HEARTBEAT:
            now = time.monotonic()
            self.latch = emergency_stop.with_heartbeat(self.latch, word.source, word.timeout, now)
        elif word.kind == HEARTBEAT_ENDS:
            self.latch = emergency_stop.without_operator(self.latch, word.source)
        else:
            self.is_end_asked = True

    def _take_order(self, order: StopOrder) -> None:
        now_ns = time.time_ns()
        if is_premature(order, self.latch.orders.get(order.scope), now_ns):
            ahead = (order.stamp_ns - now_ns) / 1e9
            reason = f'release by {order.source} is stamped {ahead:.1f} s ahead: set the clocks'
            self._refuse(self.topic, reason)
            return
        self.latch = emergency_stop.with_order(self.latch, order)
