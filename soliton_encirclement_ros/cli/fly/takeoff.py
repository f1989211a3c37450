"""``swarm fly takeoff`` and ``swarm fly engage``: gate, orders, exit code.

The gate comes first: an order that it refuses changes nothing, and vehicles in the air fly on. A
take-off asks all vehicles, and is released by one message once all agree. If anything ends before
that message, the operator's process included, all stay on the ground. A swarm in the air starts
together: all track zero velocity, then one message releases the agents.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from soliton_encirclement_ros.cli.fly.agent_stop import (
    foreign_stops, learn_stops, order_agents, unconfirmed_stops
)
from soliton_encirclement_ros.cli.fly.fleet_link import FleetLink
from soliton_encirclement_ros.cli.fly.fleet_state import AddressedFleet, Snapshots, unknown_fleet
from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.fly.fly_order import (
    AGREE, CANCEL, ENGAGE, ENGAGING, HOLD, TAKE_OFF, Execution, OrderProgress, OrderStatuses,
    ShowStatuses, find_vehicles, not_done, show_nothing, vehicles_with
)
from soliton_encirclement_ros.cli.fly.fly_view import NOBODY, FlyView, whereabouts
from soliton_encirclement_ros.cli.fly.gate import (
    HOLDING, Faults, GateSettings, engage_faults, takeoff_faults
)
from soliton_encirclement_ros.cli.fly.order_screen import OrderScreen
from soliton_encirclement_ros.cli.operator.addressees import Addressees
from soliton_encirclement_ros.cli.operator.stop_session import NOT_FOUND
from soliton_encirclement_ros.core.files import named
from velocity_mobility_ros.autopilot.engage.engage_records import State


class FlyResult(NamedTuple):
    """The result of an order that passes a gate.

    Attributes:
        names: The vehicles.
        statuses: Status of the order; empty if it was not given.
        held_again: Status of the order to hold again, where the swarm was not engaged.
        is_released: Whether a take-off was released.
    """

    names: list[str]
    statuses: OrderStatuses
    held_again: OrderStatuses = MappingProxyType({})
    is_released: bool = False

    @property
    def failed(self) -> list[str]:
        """The vehicles with which the order is not done."""
        return not_done(self.statuses)

    @property
    def is_done(self) -> bool:
        """Whether the order is done with all."""
        return bool(self.statuses) and not self.failed


def take_off(
    node: FleetLink, names: Sequence[str], within: float, show: ShowStatuses
) -> FlyResult:
    """Let vehicles take off together.

    If one refuses before the release, nobody arms. If one fails after it, those whose motors do
    not turn yet stay on the ground, and those that are on their way up finish it and hold.

    Args:
        node: The operator.
        names: The vehicles.
        within: Longest time to wait until they hold [s].
        show: Shows the status; returns whether the operator wants to end.
    """
    meant, asked = Addressees(named=tuple(names)), list[bool]()

    def ends(statuses: OrderStatuses) -> bool:
        """Remember that the operator wants to end, also if all was done at the same moment."""
        asked.append(show(statuses))
        return any(asked)

    execution = Execution(node, AGREE, meant)
    statuses = execution.run(AGREE.within, ends, at_first_failure=True)
    if any(asked) or not_done(statuses):
        Execution(node, CANCEL, meant).run(CANCEL.within, show_nothing)
        return FlyResult(list(names), statuses)
    execution.release(TAKE_OFF)
    statuses = execution.run(within, ends, at_first_failure=True)
    if not_done(statuses):
        waiting = tuple(vehicles_with(statuses, OrderProgress.UNDER_WAY))
        if waiting:  # a bridge refuses to end a take-off in the air
            Execution(node, CANCEL, Addressees(named=waiting)).run(CANCEL.within, show_nothing)
        statuses = execution.run(within, show)
    return FlyResult(list(names), statuses, is_released=True)


def engage(node: FleetLink, names: Sequence[str], within: float, show: ShowStatuses) -> FlyResult:
    """Let the bridges of vehicles track their stopped agents; all or none.

    If one refuses or fails, those that did not track before hold again.

    Args:
        node: The operator.
        names: The vehicles.
        within: Longest time to wait until all track [s].
        show: Shows the status.
    """
    before = _states(node, names)
    execution = Execution(node, ENGAGE, Addressees(named=tuple(names)))
    result = FlyResult(list(names), execution.run(within, show, at_first_failure=True))
    if result.is_done:
        return result
    fresh = [name for name in names if before.get(name) is not State.TRACK]
    return result._replace(held_again=_hold_again(node, fresh))


def _hold_again(node: FleetLink, names: Sequence[str]) -> OrderStatuses:
    """Let the vehicles hold that their bridges fly, not those that a pilot has taken over.

    Returns:
        The status of that order.
    """
    states = _states(node, names)
    flying = tuple(name for name, state in states.items() if state in (*HOLDING, *ENGAGING))
    if not flying:
        return {}
    return Execution(node, HOLD, Addressees(named=flying)).run(HOLD.within, show_nothing)


def _states(node: FleetLink, names: Sequence[str]) -> dict[str, State | None]:
    """Return the states of the bridges of vehicles, of those that report."""
    vehicles = node.snapshots()
    return {
        name: report.state
        for name in names
        if name in vehicles and (report := vehicles[name].report)
    }


GATE_TIME = 10.0
"""Time in which all vehicles must be found, and all checks of the gate begin to hold [s]."""

CHECK_TIME = 3.0
"""Part of it that is left for the checks, however long it takes to find the vehicles [s]."""

ENDED = 'ended by the operator'

Check = Callable[[Sequence[str], Snapshots], Faults]
"""Returns the faults of vehicles."""


class FlyRequest(NamedTuple):
    """A take-off or an engagement, as the operator requests it.

    Attributes:
        meant: The vehicles; if they are named one by one, agents are stopped for them alone.
        settings: Bounds of the gate.
        within: Longest time to wait [s].
        stops: Whether agents are stopped meanwhile.
        is_dry: Whether only to check, without orders.
    """

    meant: Addressees
    settings: GateSettings
    within: float
    stops: bool = True
    is_dry: bool = False


def fly_takeoff(node: FlyNode, request: FlyRequest, screen: OrderScreen) -> int:
    """Stop the agents, and let the vehicles take off; return the exit code."""
    what, check = 'no take-off, nothing was armed', partial(takeoff_faults, request.settings)
    commanded = partial(takeoff_faults, request.settings._replace(may_be_commanded=True))
    with screen.view() as view:
        names = _admit(node, request, what, commanded, screen, view)
    if names is None or request.is_dry:
        return 1 if names is None else _say_ready(names, screen)
    if request.stops:
        missing = order_agents(node, True, request.meant.named, names).missing
        loose = {name: why for name, why in missing.items() if why != NOT_FOUND}
        if loose:
            whose = (f'{name} does not confirm the stop: {why}' for name, why in loose.items())
            screen.complain(f'no take-off: {"; ".join(whose)}')
            return 1
    with screen.view() as view:
        faults = pass_gate(node, names, check, view.faults, CHECK_TIME)
        if faults:
            if request.stops:
                screen.say('agents stay stopped until swarm fly engage, or swarm stop --release')
            return screen.refuse(what, names, faults)
        if _is_stopped_by_others(node, request, screen):
            return 1
        result = take_off(node, names, request.within, view.show_statuses)
    order = TAKE_OFF if result.is_released else AGREE
    code = screen.conclude(order, result.statuses, AddressedFleet(names, True))
    return _advise_after_takeoff(node, result, code, screen)


def _admit(
    node: FlyNode, request: FlyRequest, what: str, check: Check, screen: OrderScreen, view: FlyView
) -> list[str] | None:
    """Return the vehicles that pass the gate; None, and errors, if one does not."""
    began = time.monotonic()
    find_time = GATE_TIME - CHECK_TIME
    fleet = find_vehicles(node, request.meant, find_time, view.is_ended)
    if not fleet.names:
        screen.complain(NOBODY)
        return None
    if not fleet.is_complete:
        screen.complain(f'{what}: {unknown_fleet(fleet.names)}')
        return None
    if request.stops:
        learn_stops(node, request.meant.named, fleet.names)
    if _is_stopped_by_others(node, request, screen):
        return None
    left = GATE_TIME - (time.monotonic() - began)
    faults = pass_gate(node, fleet.names, check, view.faults, left)
    if faults:
        screen.refuse(what, fleet.names, faults)
        return None
    return fleet.names


def pass_gate(
    node: FlyNode, names: Sequence[str], check: Check, show: Callable[[Faults], bool],
    within: float,
) -> Faults:  # fmt: skip
    """Wait until vehicles have no faults, at most for a time; return the remaining faults.

    Args:
        node: The operator.
        names: The vehicles.
        check: Returns the faults.
        show: Shows them; returns whether the operator wants to end.
        within: Longest time to wait [s].
    """
    node.listen_to_odometry(names)
    began = time.monotonic()
    while True:
        node.turn()
        faults = check(names, node.snapshots())
        if show(faults):
            return {name: [ENDED] for name in names}
        if not faults or time.monotonic() - began >= within:
            return faults


def _say_ready(names: Sequence[str], screen: OrderScreen) -> int:
    """Print that all vehicles are ready, and that no order was given."""
    screen.say(f'ready: {named(names)} ({len(names)} of {len(names)}); nothing was ordered')
    return 0


def _advise_after_takeoff(
    node: FlyNode, result: FlyResult, code: int, screen: OrderScreen
) -> int:
    """Print where the vehicles are, and what to do next; return the exit code."""
    if result.is_done and result.is_released:
        screen.say('next: swarm fly engage starts them together; swarm fly land ends the flight')
        return code
    screen.say(whereabouts(result.names, node.snapshots()))
    if not result.is_released:
        screen.complain('no take-off: nobody was released, so no motor turns')
        return 1
    vehicles = node.snapshots()
    reports = {name: vehicles[name].report for name in result.failed if name in vehicles}
    grounded = [name for name, report in reports.items() if report and report.armed is False]
    again = f', or mend the rest and swarm fly takeoff {" ".join(grounded)}' if grounded else ''
    screen.say(f'next: swarm fly status, swarm fly land{again}')
    return code


def fly_engage(node: FlyNode, request: FlyRequest, screen: OrderScreen) -> int:
    """Stop the agents, let the bridges track them, and release them; return the exit code."""
    check = partial(engage_faults, request.settings)
    with screen.view() as view:
        names = _admit(node, request, 'not engaged, nothing was changed', check, screen, view)
    if names is None or request.is_dry:
        return 1 if names is None else _say_ready(names, screen)
    following = _flying(node, names)
    if request.stops:
        loose = unconfirmed_stops(order_agents(node, True, request.meant.named, names), names)
        for name, why in loose.items():
            screen.complain(f'{name}: its agent does not confirm the stop: {why}')
        if loose:
            return _not_engaged(node, request, names, following, screen)
    with screen.view() as view:
        faults = pass_gate(node, names, check, view.faults, CHECK_TIME)  # all agents have reported
        if faults:
            screen.refuse('not engaged', names, faults)
            return _not_engaged(node, request, names, following, screen)
        result = engage(node, names, request.within, view.show_statuses)
    code = screen.conclude(ENGAGE, result.statuses, AddressedFleet(names, True))
    if not result.is_done:
        for name in not_done(result.held_again):
            screen.complain(f'{name} does not hold again: {result.held_again[name].text}')
        return _not_engaged(node, request, names, following, screen)
    return _release(node, request, names, screen) if request.stops else code


def _flying(node: FlyNode, names: Sequence[str]) -> list[str]:
    """Return the vehicles that follow their agents now: they go on if the others cannot."""
    vehicles = node.snapshots()
    return [
        name for name in names
        if (report := vehicles[name].report) and report.state is State.TRACK
        and not vehicles[name].stopped
    ]  # fmt: skip


def _not_engaged(
    node: FlyNode, request: FlyRequest, names: Sequence[str], following: Sequence[str],
    screen: OrderScreen,
) -> int:
    """Release the vehicles that followed their agents before; return 1."""
    if not request.stops:
        return 1
    if following:
        screen.complain(f'not engaged; {named(following)} flew before and may go on')
        _release(node, request, names, screen)
    else:
        screen.complain('not engaged, the agents stay stopped: mend it and engage anew, or land')
    return 1


def _release(
    node: FlyNode, request: FlyRequest, names: Sequence[str], screen: OrderScreen
) -> int:
    """Release the agents, unless others have stopped them meanwhile; return the exit code."""
    if _is_stopped_by_others(node, request, screen):
        return 1
    confirmed, missing, *_ = order_agents(node, False, request.meant.named, names)
    if confirmed:
        of_all = f'{len(confirmed)} of {len(confirmed) + len(missing)}'
        screen.say(f'released: {named(confirmed)} ({of_all})')
    for name, why in missing.items():
        screen.complain(f'{name} not released: {why}')
    return 1 if missing else 0


def _is_stopped_by_others(node: FlyNode, request: FlyRequest, screen: OrderScreen) -> bool:
    """Return whether an emergency stop is in force, and print it."""
    orders, reports = node.orders.latch.orders.values(), node.member_reports()
    sources = foreign_stops(orders, reports, request.meant.named) if request.stops else []
    if sources:
        screen.complain(
            f'an emergency stop is in force, by {"; ".join(sources)}: swarm stop --release first'
        )
    return bool(sources)
