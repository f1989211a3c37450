"""What an operator can order, and by which reports of a vehicle it is carried out."""

from collections.abc import Callable
from typing import NamedTuple

from velocity_mobility_ros.autopilot.engage.records import Request
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.autopilot.fleet.orders import ASKED, AT_ONCE
from velocity_mobility_ros.autopilot.outputs import Action

from soliton_encirclement_ros.cli.fly.vehicle_report import VehicleReport


class FlyOrder(NamedTuple):
    """One order.

    Attributes:
        request: What the bridge is asked for.
        aim: What the vehicles then do, in words.
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


def _lands(report: VehicleReport) -> bool:
    return report.state is State.LANDING or _is_disarmed(report)


HANDED_OVER = frozenset({State.HANDOVER})
ENGAGING = frozenset({State.PRECHECK, State.SET_OFFBOARD})

AGREE = FlyOrder(
    Request.TAKE_OFF, 'are ready to arm', lambda one: one.agrees, ENGAGING | {State.ARMING}, 40.0,
    start=ASKED,
)  # fmt: skip
"""The first half of a take-off of several; the second one is their release."""

TAKE_OFF = FlyOrder(
    Request.TAKE_OFF, 'hold in the air',
    lambda one: one.state is State.HOLD and one.armed is True,
    ENGAGING | {State.ARMING, State.TAKE_OFF}, 90.0,
)  # fmt: skip
CANCEL = FlyOrder(
    Request.CANCEL, 'stay on the ground', _is_disarmed, frozenset(), 5.0
)
ENGAGE = FlyOrder(
    Request.ENGAGE, 'track', lambda one: one.state is State.TRACK, ENGAGING | {State.HOLD}, 30.0
)
HOLD = FlyOrder(Request.HOLD, 'hold', _holds, HANDED_OVER | {State.BRAKE}, 15.0)
LAND = FlyOrder(
    Request.LAND, 'stand, disarmed', _is_disarmed, HANDED_OVER | {State.LANDING}, 180.0
)
RETURN = FlyOrder(Request.RETURN, 'return', _lands, HANDED_OVER, 15.0)
DISARM = FlyOrder(Request.DISARM, 'are disarmed', _is_disarmed, HANDED_OVER, 15.0)
KILL = FlyOrder(
    Request.KILL, 'have stopped motors', _is_disarmed, frozenset({State.KILLING}), 5.0, 2
)
RESET = FlyOrder(
    Request.RESET, 'have no fault', lambda one: one.state not in (State.FAULT, None),
    frozenset(), 5.0,
)  # fmt: skip
