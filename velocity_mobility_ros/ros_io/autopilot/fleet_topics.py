"""The two topics of a fleet with autopilots: orders of operators, and reports of bridges.

Both are latched, so that whoever is found late hears the last message too.
"""

from collections.abc import Iterable

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

from velocity_mobility_ros.autopilot.fleet_orders import SAFE, FleetOrder, fields_of, read_order
from velocity_mobility_ros.ros_io.node_time import ns_to_time
from velocity_mobility_ros.ros_io.polling import read_items

FLY_ORDERS = 'swarm/fly_orders'
"""Orders of operators to the bridges of a fleet, in its namespace."""

BRIDGE_STATES = 'swarm/bridge_states'
"""``bridge_state`` of all vehicles of a fleet on one topic, in its namespace."""

ORDER = 'fly order'
"""Name of every status that is an order."""

FLEET_INPUT = QoSProfile(
    depth=200, reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL, history=HistoryPolicy.KEEP_LAST,
)  # fmt: skip
"""Deep enough that no message of another sender is lost between two looks."""


def fleet_topic(namespace: str, name: str) -> str:
    """Return the full name of a topic of the fleet that a vehicle is in.

    Args:
        namespace: Of the vehicle, such as ``/fleet/uav_1``.
        name: The topic, such as ``swarm/fly_orders``.
    """
    return f'{namespace.rpartition("/")[0]}/{name}'


def orders_message(orders: Iterable[FleetOrder], now_ns: int) -> DiagnosticArray:
    """Return copies of orders as a message, sent at a time [ns since 1970]."""
    message = DiagnosticArray(status=[_status(order) for order in orders])
    message.header.stamp = ns_to_time(now_ns)
    return message


def _status(order: FleetOrder) -> DiagnosticStatus:
    level = DiagnosticStatus.WARN if order.request in SAFE else DiagnosticStatus.OK
    members = ', '.join(order.members) or 'everybody'
    return DiagnosticStatus(
        level=level, name=ORDER, message=f'{order.request.value}: {members}',
        hardware_id=order.source,
        values=[KeyValue(key=key, value=value) for key, value in fields_of(order).items()],
    )  # fmt: skip


def read_orders(data: bytes) -> tuple[list[FleetOrder], list[str]]:
    """Return the orders in a serialized message, and why others are refused."""
    return read_items(data, ORDER, read_order)
