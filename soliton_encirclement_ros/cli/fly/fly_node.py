"""The node of an operator who flies: says orders, and hears the bridges of a fleet."""

import math
import os
import time
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple
from uuid import uuid4

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from nav_msgs.msg import Odometry
from rclpy.serialization import deserialize_message
from rclpy.subscription import Subscription
from velocity_mobility_ros.autopilot.engage.records import Request
from velocity_mobility_ros.autopilot.fleet.orders import (
    AT_ONCE,
    BEAT,
    RELEASED,
    VALID_FOR,
    FleetOrder,
)
from velocity_mobility_ros.core.cdr import first_stamp_ns
from velocity_mobility_ros.ros_io.fleet_topics import (
    BRIDGE_STATES,
    FLEET_INPUT,
    FLY_ORDERS,
    order_message,
)
from velocity_mobility_ros.ros_io.polling import arrivals
from velocity_mobility_ros.ros_io.qos import COMMAND_INPUT, LATCHED
from velocity_mobility_ros.ros_io.vehicle_topics import ODOM

from soliton_encirclement_ros.cli.fly.fleet import by_number
from soliton_encirclement_ros.cli.fly.sighting import FRESH, UNSEEN, Sighting
from soliton_encirclement_ros.cli.fly.vehicle_report import VehicleReport, read_report
from soliton_encirclement_ros.cli.operator.operator_node import OperatorNode, operator_name
from soliton_encirclement_ros.core.states.fleet_names import Fleet

TURN = 0.01
"""Time between two looks at what has arrived [s]."""

KEPT = 40
"""Reports of each vehicle that are kept."""

NS = 1e-9


class _Vehicle:
    """What one vehicle has said."""

    def __init__(self) -> None:
        self.reports: deque[tuple[int, VehicleReport]] = deque(maxlen=KEPT)
        self.count, self.at = 0, -math.inf
        self.bridges: dict[str, float] = {}

    def hear(self, report: VehicleReport, now: float) -> None:
        self.count, self.at = self.count + 1, now
        self.reports.append((self.count, report))
        self.bridges = {one: at for one, at in self.bridges.items() if now - at <= FRESH}
        self.bridges[report.bridge_id] = now


class _Given(NamedTuple):
    """An order, and when it was given by the steady clock here [s]."""

    order: FleetOrder
    at: float


class FlyNode(OperatorNode):
    """One operator, who also speaks to the bridges."""

    def __init__(self, fleet: Fleet) -> None:
        """Listen to a fleet; nothing waits for that."""
        super().__init__(fleet)
        self._voice = self.create_publisher(
            DiagnosticArray, fleet.full_name(FLY_ORDERS), LATCHED
        )
        self._states = self.create_subscription(
            DiagnosticStatus, fleet.full_name(BRIDGE_STATES), _never_called, FLEET_INPUT, raw=True
        )
        self.hide(self._states)
        self._vehicles: dict[str, _Vehicle] = {}
        self._odometry: dict[str, _Odometry] = {}
        self._given: dict[str, _Given] = {}
        self._copy, self._said_at = 0, -math.inf

    def give(self, request: Request, members: Iterable[str], start: str = AT_ONCE) -> str:
        """Give an order, now and again while it is valid; return which one it is.

        Args:
            request: What is ordered.
            members: Names of the vehicles that it is for; empty: all, also those found later.
            start: For a take-off: whether it waits for its release.
        """
        order_id = f'{os.getpid()}-{uuid4().hex[:12]}'
        order = FleetOrder(
            order_id, request, tuple(members), operator_name('swarm fly'), time.time_ns(),
            start=start,
        )  # fmt: skip
        self._given = {
            key: one for key, one in self._given.items()
            if not set(one.order.members) <= set(order.members) or not one.order.members
        } if order.members else {}  # fmt: skip
        self._given[order_id] = _Given(order, time.monotonic())
        self._say()
        return order_id

    def release(self, order_id: str) -> None:
        """Release the take-off of an order: all that have agreed arm."""
        given = self._given[order_id]
        order = given.order._replace(start=RELEASED, valid_for=VALID_FOR + self._age(given))
        self._given[order_id] = given._replace(order=order)
        self._say()

    def turn(self) -> None:
        """Wait for a moment, take what has arrived, and say the orders again if it is time."""
        time.sleep(TURN)
        self.update()
        now = time.monotonic()
        for arrival in arrivals(self._states, DiagnosticStatus):
            self._hear(deserialize_message(arrival.data, DiagnosticStatus), now)
        for odometry in self._odometry.values():
            odometry.update()
        if self._given and now - self._said_at >= BEAT:
            self._say()

    def listen_to_odometry(self, names: Iterable[str]) -> None:
        """Judge also how the odometry of vehicles arrives here."""
        for name in names:
            if name not in self._odometry:
                topic = self._fleet.member_topic(name, ODOM)
                subscription = self.create_subscription(
                    Odometry, topic, _never_called, COMMAND_INPUT, raw=True
                )
                self.hide(subscription)
                self._odometry[name] = _Odometry(subscription)

    def seen(self) -> dict[str, Sighting]:
        """Return what is known now about each vehicle that has reported, or is told of."""
        told: dict[str, str] = {}
        for vehicle in self._vehicles.values():
            told = told_by(vehicle.reports[-1][1]) | told
        names = sorted({*self._vehicles, *told}, key=by_number)
        return {name: self._sighting(name, told.get(name, '')) for name in names}

    def reports_since(self, name: str, number: int) -> list[VehicleReport]:
        """Return the reports of a vehicle after the one with a number."""
        vehicle = self._vehicles.get(name)
        return [one for count, one in vehicle.reports if count > number] if vehicle else []

    def report_count(self, name: str) -> int:
        """Return how many reports of a vehicle have come."""
        return self._vehicles[name].count if name in self._vehicles else 0

    def _sighting(self, name: str, told: str) -> Sighting:
        vehicle, odometry = self._vehicles.get(name), self._odometry.get(name)
        agent = self.reports.get(self._fleet.namespace_of(name).strip('/'))
        seen = UNSEEN._replace(told=told)
        if agent is not None:
            seen = seen._replace(stopped=agent.stop_text, evades=agent.evades)
        if odometry is not None:
            seen = seen._replace(odometry_age=odometry.age, odometry_offset=odometry.offset)
        if vehicle is None:
            return seen
        now = time.monotonic()
        return seen._replace(
            report=vehicle.reports[-1][1],
            reports=vehicle.count,
            age=now - vehicle.at,
            bridges=sum(now - at <= FRESH for at in vehicle.bridges.values()),
        )

    def _hear(self, status: DiagnosticStatus, now: float) -> None:
        space, _, name = status.hardware_id.rpartition('/')
        if name and space == self._fleet.namespace:
            values = {pair.key: pair.value for pair in status.values}
            vehicle = self._vehicles.setdefault(name, _Vehicle())
            vehicle.hear(read_report(status.message, values), now)

    def _age(self, given: _Given) -> float:
        return time.monotonic() - given.at

    def _say(self) -> None:
        """Publish all orders that are still valid."""
        self._said_at, self._copy = time.monotonic(), self._copy + 1
        self._given = {
            key: one for key, one in self._given.items() if self._age(one) <= one.order.valid_for
        }
        message = DiagnosticArray()
        for given in self._given.values():
            order = given.order._replace(age=self._age(given), copy=self._copy)
            one = order_message(order, time.time_ns())
            message.header = one.header
            message.status += one.status
        self._voice.publish(message)


class _Odometry:
    """How the odometry of a vehicle arrives."""

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


def told_by(report: VehicleReport) -> dict[str, str]:
    """Return what a bridge says of the others that it hears, or has heard, by name."""
    found = (one.partition(': ') for one in filter(None, report.silent.split('; ')))
    silent = {name: f'last heard by another bridge: {what}' for name, _, what in found}
    return silent | dict.fromkeys(report.hears, 'another bridge hears it')


def _never_called(message: bytes) -> None:
    """Stand where rclpy wants a callback."""
