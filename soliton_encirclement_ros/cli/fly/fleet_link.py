"""An operator's link to a fleet, without ROS: the orders that it sends, and the reports.

``FlyNode`` is the one over ROS.
"""

import math
import os
import time
from abc import abstractmethod
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from uuid import uuid4

from soliton_encirclement_ros.cli.fly.fleet_state import (
    FRESH, NOT_HEARD, AddressedFleet, Snapshot, VehicleReport, addressed_fleet, by_number,
    read_report
)
from soliton_encirclement_ros.cli.operator.addressees import Addressees
from soliton_encirclement_ros.core.states.swarm_topics import MAX_MEMBERS
from velocity_mobility_ros.autopilot.engage.engage_records import Request
from velocity_mobility_ros.autopilot.fleet_orders import (
    ASKING_FOR, AT_ONCE, BEAT, RELEASED, VALID_FOR, FleetOrder
)
from velocity_mobility_ros.core.user_errors import NAME

MAX_REPORTS = 40
"""Reports of each vehicle that are kept."""

BLANK = dict.fromkeys(('reason', 'mode', 'waits_for', 'warnings', 'silent'), '')
"""Texts of earlier reports that are not kept: they may be long."""


class _Vehicle:
    """The reports of one vehicle."""

    def __init__(self) -> None:
        self.reports: deque[tuple[int, VehicleReport]] = deque(maxlen=MAX_REPORTS)
        self.count, self.at = 0, -math.inf
        self.bridges: dict[str, float] = {}

    def hear(self, report: VehicleReport, now: float) -> None:
        self.count, self.at = self.count + 1, now
        if self.reports:  # of earlier ones, only what they say of orders is read
            number, before = self.reports[-1]
            self.reports[-1] = number, before._replace(fleet=(), hears=(), **BLANK)
        self.reports.append((self.count, report))
        self.bridges = {key: at for key, at in self.bridges.items() if now - at <= FRESH}
        self.bridges[report.bridge_id] = now


class _Given(NamedTuple):
    """An order, and when it was given [s]."""

    order: FleetOrder
    at: float


class FleetLink:
    """Publishes the orders of an operator, and stores the reports of bridges."""

    def begin(self, operator: str) -> None:
        """Start without orders and vehicles.

        Args:
            operator: Name of the operator.
        """
        self._operator = operator
        self._vehicles: dict[str, _Vehicle] = {}
        self._given: dict[str, _Given] = {}
        self._copy, self._said_at = 0, -math.inf

    def now(self) -> float:
        """Return the time [monotonic s]."""
        return time.monotonic()

    def wall_ns(self) -> int:
        """Return the clock of this computer [ns since 1970]."""
        return time.time_ns()

    @abstractmethod
    def turn(self) -> None:
        """Sleep briefly, read all received messages, and repeat the orders when due."""

    @abstractmethod
    def publish_orders(self, orders: Sequence[FleetOrder]) -> None:
        """Publish orders, all in one message."""

    def listen_to_odometry(self, names: Iterable[str]) -> None:
        """Subscribe to the odometry of vehicles, to measure its age and clock offset."""

    def give(self, request: Request, members: Iterable[str], start: str = AT_ONCE) -> str:
        """Publish an order, and repeat it while it is valid; return its id.

        Args:
            request: What is ordered.
            members: Names of the vehicles that it is for; empty: all, also those found later.
            start: For a take-off: whether it waits for its release.
        """
        order_id = f'{os.getpid()}-{uuid4().hex[:12]}'
        valid_for = VALID_FOR if start == AT_ONCE else ASKING_FOR
        order = FleetOrder(
            order_id, request, tuple(members), self._operator, self.wall_ns(), start=start,
            valid_for=valid_for,
        )  # fmt: skip
        self._given = {
            key: given for key, given in self._given.items() if not _is_covered(given.order, order)
        }
        self._given[order_id] = _Given(order, self.now())
        self._say()
        return order_id

    def release(self, order_id: str) -> None:
        """Release the take-off of an order: all that have agreed arm."""
        given = self._given[order_id]
        valid_for = VALID_FOR + self.now() - given.at
        order = given.order._replace(start=RELEASED, valid_for=valid_for)
        self._given[order_id] = given._replace(order=order)
        self._say()

    def say_again(self) -> None:
        """Repeat the orders, when due."""
        if self._given and self.now() - self._said_at >= BEAT:
            self._say()

    def hear(self, name: str, message: str, values: Mapping[str, str]) -> None:
        """Store a report of a bridge; one without a valid name does not count.

        Args:
            name: The vehicle.
            message: The text of the report.
            values: Its key values.
        """
        has_room = name in self._vehicles or len(self._vehicles) < MAX_MEMBERS
        if has_room and NAME.fullmatch(name):
            vehicle = self._vehicles.setdefault(name, _Vehicle())
            vehicle.hear(read_report(message, values), self.now())

    def snapshots(self) -> dict[str, Snapshot]:
        """Return a snapshot of each vehicle that has reported, or that another bridge reports."""
        by_others: dict[str, str] = {}
        for vehicle in self._vehicles.values():
            by_others = reports_on_others(vehicle.reports[-1][1]) | by_others
        names = sorted({*self._vehicles, *by_others}, key=by_number)
        return {name: self.snapshot(name, by_others.get(name, '')) for name in names}

    def agents(self) -> frozenset[str]:
        """Return the vehicles of which an agent has reported, here or to another agent."""
        return frozenset()

    def addressed_fleet(self, meant: Addressees) -> AddressedFleet:
        """Return the vehicles that an order is for, by the reports so far."""
        return addressed_fleet(meant, self.snapshots(), self.agents())

    def snapshot(self, name: str, by_others: str) -> Snapshot:
        """Return a snapshot of one vehicle; ``by_others``: what other bridges report of it."""
        vehicle, snapshot = self._vehicles.get(name), NOT_HEARD._replace(by_others=by_others)
        if vehicle is None:
            return snapshot
        now, report = self.now(), vehicle.reports[-1][1]
        return snapshot._replace(
            report=report,
            fence=report.fence,
            reports=vehicle.count,
            age=now - vehicle.at,
            bridges=sum(now - at <= FRESH for at in vehicle.bridges.values()),
        )

    def reports_since(self, name: str, number: int) -> list[VehicleReport]:
        """Return the reports of a vehicle after the one with a number."""
        vehicle = self._vehicles.get(name)
        return [report for count, report in vehicle.reports if count > number] if vehicle else []

    def report_count(self, name: str) -> int:
        """Return how many reports of a vehicle have come."""
        return self._vehicles[name].count if name in self._vehicles else 0

    def _say(self) -> None:
        """Publish all orders that are still valid."""
        now = self._said_at = self.now()
        self._copy += 1
        self._given = {
            key: given
            for key, given in self._given.items()
            if now - given.at <= given.order.valid_for
        }
        self.publish_orders([
            given.order._replace(age=now - given.at, copy=self._copy)
            for given in self._given.values()
        ])  # fmt: skip


def _is_covered(before: FleetOrder, order: FleetOrder) -> bool:
    """Return whether a later order is for all that an earlier one is for."""
    if not order.members:
        return True
    return bool(before.members) and set(before.members) <= set(order.members)


def reports_on_others(report: VehicleReport) -> dict[str, str]:
    """Return texts on the vehicles that a bridge hears or has heard, by name."""
    entries = (text.partition(': ') for text in filter(None, report.silent.split('; ')))
    silent = {name: f'last heard by another bridge: {what}' for name, _, what in entries}
    return silent | dict.fromkeys(report.hears, 'another bridge hears it')
