"""The ROS node of an operator: publishes orders, and listens to the bridges of a fleet."""

import math
import time
from collections.abc import Iterable, Sequence

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from nav_msgs.msg import Odometry
from rclpy.subscription import Subscription

from soliton_encirclement_ros.cli.fly.fleet_link import FleetLink
from soliton_encirclement_ros.cli.fly.fleet_state import Snapshot
from soliton_encirclement_ros.cli.operator.addressees import short_name
from soliton_encirclement_ros.cli.operator.operator_nodes import OperatorNode, operator_name
from soliton_encirclement_ros.core.states.swarm_topics import Fleet, uav_id
from velocity_mobility_ros.autopilot.fleet_orders import FleetOrder
from velocity_mobility_ros.core.cdr import first_stamp_ns
from velocity_mobility_ros.ros_io.autopilot.fleet_topics import (
    BRIDGE_STATES, FLEET_INPUT, FLY_ORDERS, orders_message
)
from velocity_mobility_ros.ros_io.endpoints import COMMAND_INPUT, LATCHED
from velocity_mobility_ros.ros_io.polling import arrivals, received, repeat_until_acknowledged
from velocity_mobility_ros.ros_io.vehicle_topics import ODOM

TURN = 0.01
"""Time between two readings of the subscriptions [s]."""

NS = 1e-9


class FlyNode(FleetLink, OperatorNode):
    """The node of an operator who gives orders to bridges."""

    def __init__(self, fleet: Fleet, verb: str = 'swarm fly') -> None:
        """Subscribe to a fleet, without waiting for its vehicles.

        Args:
            fleet: The fleet.
            verb: The command, which vehicles report as the source of an order.
        """
        OperatorNode.__init__(self, fleet)
        self.begin(operator_name(verb))
        self._voice = self.create_publisher(
            DiagnosticArray, fleet.full_name(FLY_ORDERS), LATCHED
        )
        self._states = self.hidden_fixed(
            DiagnosticStatus, fleet.full_name(BRIDGE_STATES), FLEET_INPUT
        )
        self._odometry: dict[str, _Odometry] = {}
        self._last: Sequence[FleetOrder] = ()
        self._last_at = 0.0

    def turn(self) -> None:
        """Sleep briefly, read all received messages, and repeat the orders when due."""
        time.sleep(TURN)
        self.update()
        for status in received(self._states, DiagnosticStatus):
            space, _, name = status.hardware_id.rpartition('/')
            if name and space == self._fleet.namespace:
                self.hear(name, status.message, {pair.key: pair.value for pair in status.values})
        for odometry in self._odometry.values():
            odometry.update()
        self.say_again()

    def publish_orders(self, orders: Sequence[FleetOrder]) -> None:
        """Publish orders, all in one message."""
        self._voice.publish(orders_message(orders, time.time_ns()))
        if orders:
            self._last, self._last_at = orders, self.now()

    def _publish_last(self) -> None:
        passed = self.now() - self._last_at
        self.publish_orders([order._replace(age=order.age + passed) for order in self._last])

    def destroy_node(self) -> None:
        """End when all who listen have the last orders, slow recorders, too."""
        repeat_until_acknowledged(self._voice, self._publish_last)
        super().destroy_node()

    def listen_to_odometry(self, names: Iterable[str]) -> None:
        """Subscribe to the odometry of vehicles, to measure its age and clock offset."""
        for name in names:
            if name not in self._odometry:
                topic = self._fleet.member_topic(name, ODOM)
                self._odometry[name] = _Odometry(
                    self.hidden_fixed(Odometry, topic, COMMAND_INPUT)
                )

    def agents(self) -> frozenset[str]:
        """Return the vehicles of which an agent has reported, here or to another agent."""
        names = {*map(short_name, self.member_reports()), *self.heard_names()}
        return frozenset(name for name in names if uav_id(name) is not None)

    def hears_agent(self, name: str) -> bool:
        """Return whether the agent of a vehicle has reported."""
        return self._fleet.namespace_of(name).strip('/') in self.reports

    def snapshot(self, name: str, by_others: str) -> Snapshot:
        """Add the report of its agent, and age and clock offset of its odometry here."""
        snapshot = super().snapshot(name, by_others)
        agent = self.reports.get(self._fleet.namespace_of(name).strip('/'))
        if agent is not None:
            snapshot = snapshot._replace(
                stopped=agent.stop_text, evades=agent.evades,
                fence=min(snapshot.fence, agent.fence), has_wrong_twist=agent.has_wrong_twist,
            )  # fmt: skip
        odometry = self._odometry.get(name)
        if odometry is not None:
            snapshot = snapshot._replace(
                odometry_age=odometry.age, odometry_offset=odometry.offset
            )
        return snapshot


class _Odometry:
    """Age and clock offset of the odometry of a vehicle, as received here."""

    def __init__(self, subscription: Subscription) -> None:
        self._subscription = subscription
        self._at, self.offset = -math.inf, math.nan

    def update(self) -> None:
        for arrival in arrivals(self._subscription, Odometry):
            stamp_ns = first_stamp_ns(arrival.data)
            self.offset = (stamp_ns - arrival.received_ns) * NS
            self._at = time.monotonic() - (time.time_ns() - arrival.received_ns) * NS

    @property
    def age(self) -> float:
        return time.monotonic() - self._at
