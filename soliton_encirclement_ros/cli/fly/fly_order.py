"""Orders of an operator: how one is given at once, followed, and carried out by each vehicle.

An order is done, under way, or failed and why, by what the vehicles report.
"""

import enum
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from soliton_encirclement_ros.cli.fly.fleet_link import FleetLink
from soliton_encirclement_ros.cli.fly.fleet_state import (
    FRESH, NOT_HEARD, AddressedFleet, Snapshot, VehicleReport, silence
)
from soliton_encirclement_ros.cli.operator.addressees import Addressees
from velocity_mobility_ros.autopilot.autopilot_requests import Action
from velocity_mobility_ros.autopilot.engage.engage_records import Request, State
from velocity_mobility_ros.autopilot.fleet_orders import ASKED, AT_ONCE


class FlyOrder(NamedTuple):
    """One order.

    Attributes:
        request: What the bridge is asked for.
        aim: What the vehicles then do, as text.
        is_done: Returns whether a report shows it.
        on_the_way: States in which a bridge carries it out.
        within: Longest time to wait for it, unless the operator says otherwise [s].
        calls: How often it is asked for: the second time confirms the first.
        start: For a take-off: whether it waits for its release.
    """

    request: Request
    aim: str
    is_done: Callable[[VehicleReport], bool]
    on_the_way: frozenset[State]
    within: float
    calls: int = 1
    start: str = AT_ONCE


def _is_disarmed(report: VehicleReport) -> bool:
    return report.armed is False


def _holds(report: VehicleReport) -> bool:
    """Return whether the bridge holds the vehicle, or the autopilot does so on its behalf."""
    by_autopilot = report.state is State.EXTERNAL and report.reason.endswith(Action.HOLD.value)
    return report.state is State.HOLD or by_autopilot or _is_disarmed(report)


HANDED_OVER = frozenset({State.HANDOVER})
ENGAGING = frozenset({State.PRECHECK, State.SET_OFFBOARD})

AGREE = FlyOrder(
    Request.TAKE_OFF, 'are ready to arm', lambda report: report.agrees,
    ENGAGING | {State.ARMING}, 40.0, start=ASKED,
)  # fmt: skip
"""The first half of a take-off of several; the second one is their release."""

TAKE_OFF = FlyOrder(
    Request.TAKE_OFF, 'hold in the air',
    lambda report: report.state is State.HOLD and report.armed is True,
    ENGAGING | {State.ARMING, State.TAKE_OFF}, 90.0,
)  # fmt: skip
CANCEL = FlyOrder(
    Request.CANCEL, 'stay on the ground', _is_disarmed, frozenset(), 5.0
)
ENGAGE = FlyOrder(
    Request.ENGAGE, 'track', lambda report: report.state is State.TRACK,
    ENGAGING | {State.HOLD}, 30.0,
)  # fmt: skip
HOLD = FlyOrder(Request.HOLD, 'hold', _holds, HANDED_OVER | {State.BRAKE}, 15.0)
LAND = FlyOrder(
    Request.LAND, 'stand, disarmed', _is_disarmed, HANDED_OVER | {State.LANDING}, 180.0
)
RETURN = FlyOrder(
    Request.RETURN, 'return', lambda report: report.state is State.LANDING or _is_disarmed(report),
    HANDED_OVER, 15.0,
)  # fmt: skip
DISARM = FlyOrder(Request.DISARM, 'are disarmed', _is_disarmed, HANDED_OVER, 15.0)
KILL = FlyOrder(
    Request.KILL, 'have stopped motors', _is_disarmed, frozenset({State.KILLING}), 5.0, 2
)
RESET = FlyOrder(
    Request.RESET, 'have no fault', lambda report: report.state not in (State.FAULT, None),
    frozenset(), 5.0,
)  # fmt: skip


NO_ANSWER = 3.0
"""Time after which an order counts as not answered, to say so [s]."""


class OrderProgress(enum.Enum):
    """How far an order is."""

    UNDER_WAY = 'under way'
    DONE = 'done'
    FAILED = 'failed'


class OrderStatus(NamedTuple):
    """How an order stands with a vehicle, and a line about it."""

    progress: OrderProgress
    text: str


class Attempt(NamedTuple):
    """The state of an order with one vehicle.

    Attributes:
        age: Time since the order was given [s].
        accepted: The answer of the bridge; None: none yet.
        answer: Its text.
        overruled: The later order that the bridge has answered since, as text; empty: none.
        seen: What is known now.
    """

    age: float = 0.0
    accepted: bool | None = None
    answer: str = ''
    overruled: str = ''
    seen: Snapshot = NOT_HEARD


def order_status(order: FlyOrder, attempt: Attempt) -> OrderStatus:
    """Return how an order stands with a vehicle.

    Only reports that have the answer count: what a vehicle did before proves nothing. A refusal is
    no failure where the vehicle is already as ordered: one that stands needs not land.
    """
    report = attempt.seen.report
    if report is None or attempt.seen.age > FRESH:
        return _waits(attempt, silence(attempt.seen))
    if attempt.accepted is None:
        return _waits(attempt, f'{report.state_text}; its bridge does not answer')
    if order.is_done(report):
        return OrderStatus(OrderProgress.DONE, report.reason)
    if attempt.overruled:
        text = f'{report.state_text}; overruled by {attempt.overruled}'
        return OrderStatus(OrderProgress.FAILED, text)
    if not attempt.accepted:
        return OrderStatus(OrderProgress.FAILED, f'refused: {attempt.answer}')
    if report.state not in order.on_the_way:
        return OrderStatus(OrderProgress.FAILED, f'{report.state_text} ({report.reason})')
    return OrderStatus(OrderProgress.UNDER_WAY, f'{report.state_text} ({report.reason})')


def _waits(attempt: Attempt, reason: str) -> OrderStatus:
    """Return the status of an order without an answer, with the reason if that lasts."""
    text = reason if attempt.age > NO_ANSWER else 'asked'
    return OrderStatus(OrderProgress.UNDER_WAY, text)


OrderStatuses = Mapping[str, OrderStatus]
"""How an order stands, by name of the vehicle."""

ShowStatuses = Callable[[OrderStatuses], bool]
"""Shows how an order stands; returns whether the operator wants to end."""


def vehicles_with(statuses: OrderStatuses, progress: OrderProgress) -> list[str]:
    """Return the vehicles with this progress of an order."""
    return [name for name, status in statuses.items() if status.progress is progress]


def not_done(statuses: OrderStatuses) -> list[str]:
    """Return the vehicles that do not do as ordered."""
    return [name for name, status in statuses.items() if status.progress is not OrderProgress.DONE]


def show_nothing(statuses: OrderStatuses) -> bool:
    """Show nothing, and never end."""
    del statuses
    return False


ABSENT = 15.0
"""Time after which a vehicle of which nothing is heard is not waited for any longer [s]."""

LATEST_REPEAT = 1.0
"""Time after which an order is confirmed although somebody has not answered the first time [s]."""


class Execution:
    """One order.

    Attributes:
        fleet: The vehicles whose answers are waited for.
        order_id: Which order it is.
        began: When it was given [monotonic s].
    """

    def __init__(
        self, node: FleetLink, order: FlyOrder, meant: Addressees, patience: float = ABSENT
    ) -> None:
        """Give the order; whoever is found later hears it, too.

        Args:
            node: The operator.
            order: The order.
            meant: Its addressees.
            patience: How long to wait for a vehicle of which nothing is heard [s].
        """
        self._node, self._order, self._meant = node, order, meant
        self._patience = patience
        self._give(meant.named)
        self._rounds = 1
        self.began = self._node.now()
        self.fleet = AddressedFleet([], False)

    def _give(self, members: Sequence[str]) -> None:
        self._attempts: dict[str, Attempt] = {}
        self._read: dict[str, int] = {}
        self.order_id = self._node.give(self._order.request, members, self._order.start)

    def release(self, order: FlyOrder) -> None:
        """Release a take-off on which all agree, and go on with what then has to be done."""
        self._node.release(self.order_id)
        self._order = order

    def run(
        self, within: float, each: ShowStatuses, at_first_failure: bool = False
    ) -> OrderStatuses:
        """Go on until the order is carried out or has failed everywhere; return how it stands.

        Args:
            within: Longest time from now on [s].
            each: Shows how it stands.
            at_first_failure: Whether to return as soon as it has failed with one vehicle.
        """
        began = self._node.now()
        while True:
            statuses = self.step()
            is_late = self._node.now() - began >= within
            has_failed = at_first_failure and bool(vehicles_with(statuses, OrderProgress.FAILED))
            if each(statuses) or is_late or has_failed or self.is_over(statuses):
                return statuses

    def step(self) -> OrderStatuses:
        """Take what has arrived; return how the order stands with each vehicle."""
        self._node.turn()
        return self.statuses()

    def statuses(self) -> OrderStatuses:
        """Return how the order stands with each vehicle, by what has arrived."""
        seen = self._node.snapshots()
        self.fleet = self._node.addressed_fleet(self._meant)
        age = self._node.now() - self.began
        for name in self.fleet.names:
            self._attempts[name] = self._updated(name)
        if self._order.calls > self._rounds:
            self._repeat(age)
        return {
            name: order_status(
                self._order,
                self._attempts.get(name, Attempt())._replace(age=age, seen=seen.get(name, NOT_HEARD)),
            )
            for name in self.fleet.names
        }

    def is_over(self, statuses: OrderStatuses) -> bool:
        """Return whether no vehicle is waited for any more."""
        waiting = vehicles_with(statuses, OrderProgress.UNDER_WAY)
        if self._node.now() - self.began > self._patience:
            waiting = [name for name in waiting if self._node.report_count(name)]
            return not waiting
        return self.fleet.is_complete and not waiting

    def _updated(self, name: str) -> Attempt:
        """Return the attempt with a vehicle after its latest reports."""
        attempt = self._attempts.get(name, Attempt())
        for report in self._node.reports_since(name, self._read.get(name, 0)):
            is_ours = report.order_id == self.order_id
            if is_ours:
                attempt = attempt._replace(
                    accepted=report.order_accepted, answer=report.order_answer, overruled=''
                )
            elif attempt.accepted is not None and report.order_accepted:
                attempt = attempt._replace(overruled=f'{report.order} of {report.order_by}')
        self._read[name] = self._node.report_count(name)
        return attempt

    def _repeat(self, age: float) -> None:
        """Give an order again that has to be confirmed, to whoever has refused the first one."""
        waits = any(attempt.accepted is None for attempt in self._attempts.values())
        refused = [name for name, attempt in self._attempts.items() if attempt.accepted is False]
        if refused and (not waits or age > LATEST_REPEAT):
            self._rounds += 1
            self._give(refused)


def find(
    node: FleetLink, meant: Addressees, within: float, ends: Callable[[], bool] = lambda: False
) -> AddressedFleet:
    """Wait until all addressed vehicles report; return them.

    Args:
        node: The operator.
        meant: The addressees.
        within: Longest time to wait [s].
        ends: Returns whether the operator wants to end.
    """
    began = node.now()
    while True:
        node.turn()
        seen = node.snapshots()
        fleet = node.addressed_fleet(meant)
        is_live = all(name in seen and seen[name].is_live for name in fleet.names)
        is_over = ends() or node.now() - began >= within
        if (fleet.is_complete and is_live) or is_over:
            return fleet
