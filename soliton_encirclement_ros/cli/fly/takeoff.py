"""``swarm fly takeoff`` and ``swarm fly engage`` from their first word to their exit code.

The gate comes before everything: an order that it refuses changes nothing, and vehicles that fly
fly on. For a take-off all are asked, all agree, then one word releases them. Whatever ends before
that word, the operator's process included, leaves everybody on the ground. A swarm in the air
starts at once: all track zero velocity, then one release.
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
    ShowStatuses, find, not_done, of, show_nothing
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
        statuses: How the order stands; empty if it was not given.
        held_again: How the order to hold again stands, where the swarm was not engaged.
        is_released: Whether a take-off was released.
    """

    names: list[str]
    statuses: OrderStatuses
    held_again: OrderStatuses = MappingProxyType({})
    is_released: bool = False

    @property
    def failed(self) -> list[str]:
        """The vehicles that do not do as ordered."""
        return not_done(self.statuses)

    @property
    def is_done(self) -> bool:
        """Whether all do as ordered."""
        return bool(self.statuses) and not self.failed


def take_off(node: FleetLink, names: Sequence[str], within: float, each: ShowStatuses) -> FlyResult:
    """Let vehicles take off together.

    If one refuses before the release, nobody arms. If one fails after it, those whose motors do
    not turn yet stay on the ground, and those that are on their way up finish it and hold.

    Args:
        node: The operator.
        names: The vehicles.
        within: Longest time to wait until they hold [s].
        each: Shows how the order stands; returns whether the operator wants to end.
    """
    meant, asked = Addressees(named=tuple(names)), list[bool]()

    def ends(statuses: OrderStatuses) -> bool:
        """Remember that the operator wants to end, also if all was done at the same moment."""
        asked.append(each(statuses))
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
        statuses = execution.run(within, each)
    return FlyResult(list(names), statuses, is_released=True)


def engage(node: FleetLink, names: Sequence[str], within: float, each: ShowStatuses) -> FlyResult:
    """Let the bridges of vehicles track their agents, which are stopped; all or none.

    If one refuses or fails, all hold again that did not track before; whoever does not is named.

    Args:
        node: The operator.
        names: The vehicles.
        within: Longest time to wait until all track [s].
        each: Shows how the order stands.
    """
    before = _states(node, names)
    execution = Execution(node, ENGAGE, Addressees(named=tuple(names)))
    flown = FlyResult(list(names), execution.run(within, each, at_first_failure=True))
    if flown.is_done:
        return flown
    fresh = [name for name in names if before.get(name) is not State.TRACK]
    return flown._replace(held_again=_hold_again(node, fresh))


def _hold_again(node: FleetLink, names: Sequence[str]) -> OrderStatuses:
    """Let vehicles hold that their bridges fly; one that a pilot has taken is his.

    Returns:
        How that stands.
    """
    states = _states(node, names)
    flown = tuple(name for name, state in states.items() if state in (*HOLDING, *ENGAGING))
    if not flown:
        return {}
    return Execution(node, HOLD, Addressees(named=flown)).run(HOLD.within, show_nothing)


def _states(node: FleetLink, names: Sequence[str]) -> dict[str, State | None]:
    """Return the states of the bridges of vehicles, of those that report."""
    seen = node.snapshots()
    return {
        name: report.state for name in names if name in seen and (report := seen[name].report)
    }


GATE_TIME = 10.0
"""Time in which all vehicles must be found, and all checks of the gate begin to hold [s]."""

CHECK_TIME = 3.0
"""Part of it that is left for the checks, however long it takes to find the vehicles [s]."""

ENDED = 'ended by the operator'

Check = Callable[[Sequence[str], Snapshots], Faults]
"""Returns the faults of vehicles."""


class FlyRequest(NamedTuple):
    """What the operator wants to fly.

    Attributes:
        meant: The vehicles; if they are named one by one, agents are stopped for them alone.
        settings: Bounds of the gate.
        within: Longest time to wait [s].
        stops: Whether agents are stopped meanwhile.
        is_dry: Whether only to check, and to order nothing.
    """

    meant: Addressees
    settings: GateSettings
    within: float
    stops: bool = True
    is_dry: bool = False


def fly_takeoff(node: FlyNode, wanted: FlyRequest, screen: OrderScreen) -> int:
    """Stop the agents, and let the vehicles take off; return the exit code."""
    what, check = 'no take-off, nothing was armed', partial(takeoff_faults, wanted.settings)
    commanded = partial(takeoff_faults, wanted.settings._replace(may_be_commanded=True))
    with screen.view() as view:
        names = _admitted(node, wanted, what, commanded, screen, view)
    if names is None or wanted.is_dry:
        return 1 if names is None else _would(names, screen)
    if wanted.stops:
        missing = order_agents(node, True, wanted.meant.named, names).missing
        loose = {name: why for name, why in missing.items() if why != NOT_FOUND}
        if loose:
            whose = (f'{name} does not confirm the stop: {why}' for name, why in loose.items())
            screen.complain(f'no take-off: {"; ".join(whose)}')
            return 1
    with screen.view() as view:
        faults = pass_gate(node, names, check, view.faults, CHECK_TIME)
        if faults:
            if wanted.stops:
                screen.say('agents stay stopped until swarm fly engage, or swarm stop --release')
            return screen.refuse(what, names, faults)
        if _is_stopped_by_others(node, wanted, screen):
            return 1
        flown = take_off(node, names, wanted.within, view.show_statuses)
    order = TAKE_OFF if flown.is_released else AGREE
    code = screen.conclude(order, flown.statuses, AddressedFleet(names, True))
    return _advise_after_takeoff(node, flown, code, screen)


def _admitted(
    node: FlyNode, wanted: FlyRequest, what: str, check: Check, screen: OrderScreen, view: FlyView
) -> list[str] | None:
    """Return the vehicles that pass the gate, None if one does not; say why not."""
    began = time.monotonic()
    find_time = GATE_TIME - CHECK_TIME
    found = find_vehicles(node, wanted.meant, find_time, view.is_ended)
    if not found.names:
        screen.complain(NOBODY)
        return None
    if not found.is_complete:
        screen.complain(f'{what}: {unknown_fleet(found.names)}')
        return None
    if wanted.stops:
        learn_stops(node, wanted.meant.named, found.names)
    if _is_stopped_by_others(node, wanted, screen):
        return None
    left = GATE_TIME - (time.monotonic() - began)
    faults = pass_gate(node, found.names, check, view.faults, left)
    if faults:
        screen.refuse(what, found.names, faults)
        return None
    return found.names


def pass_gate(
    node: FlyNode, names: Sequence[str], check: Check, show: Callable[[Faults], bool],
    within: float,
) -> Faults:  # fmt: skip
    """Wait until nothing is wrong with vehicles any more, or for too long; return what is wrong.

    Args:
        node: The operator.
        names: The vehicles.
        check: Returns what is wrong.
        show: Shows it; returns whether the operator wants to end.
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


def _would(names: Sequence[str], screen: OrderScreen) -> int:
    """Say that nothing keeps vehicles, and that nothing was done."""
    screen.say(f'ready: {named(names)} ({len(names)} of {len(names)}); nothing was ordered')
    return 0


def _advise_after_takeoff(
    node: FlyNode, flown: FlyResult, code: int, screen: OrderScreen
) -> int:
    """Print where the vehicles are, and what to do next; return the exit code."""
    if flown.is_done and flown.is_released:
        screen.say('next: swarm fly engage starts them together; swarm fly land ends the flight')
        return code
    screen.say(whereabouts(flown.names, node.snapshots()))
    if not flown.is_released:
        screen.complain('no take-off: nobody was released, so no motor turns')
        return 1
    seen = node.snapshots()
    reports = {name: seen[name].report for name in flown.failed if name in seen}
    rest = [name for name, one in reports.items() if one is not None and one.armed is False]
    again = f', or mend the rest and swarm fly takeoff {" ".join(rest)}' if rest else ''
    screen.say(f'next: swarm fly status, swarm fly land{again}')
    return code


def fly_engage(node: FlyNode, wanted: FlyRequest, screen: OrderScreen) -> int:
    """Stop the agents, let the bridges track them, and release them; return the exit code."""
    check = partial(engage_faults, wanted.settings)
    with screen.view() as view:
        names = _admitted(node, wanted, 'not engaged, nothing was changed', check, screen, view)
    if names is None or wanted.is_dry:
        return 1 if names is None else _would(names, screen)
    fly = _flying(node, names)
    if wanted.stops:
        loose = unconfirmed_stops(order_agents(node, True, wanted.meant.named, names), names)
        for name, why in loose.items():
            screen.complain(f'{name}: its agent does not confirm the stop: {why}')
        if loose:
            return _not_engaged(node, wanted, names, fly, screen)
    with screen.view() as view:
        faults = pass_gate(node, names, check, view.faults, CHECK_TIME)  # all agents have reported
        if faults:
            screen.refuse('not engaged', names, faults)
            return _not_engaged(node, wanted, names, fly, screen)
        flown = engage(node, names, wanted.within, view.show_statuses)
    code = screen.conclude(ENGAGE, flown.statuses, AddressedFleet(names, True))
    if not flown.is_done:
        for name in not_done(flown.held_again):
            screen.complain(f'{name} does not hold again: {flown.held_again[name].text}')
        return _not_engaged(node, wanted, names, fly, screen)
    return _release(node, wanted, names, screen) if wanted.stops else code


def _flying(node: FlyNode, names: Sequence[str]) -> list[str]:
    """Return the vehicles that follow their agents now: they go on if the rest does not come."""
    seen = node.snapshots()
    return [
        name for name in names
        if (report := seen[name].report) and report.state is State.TRACK and not seen[name].stopped
    ]  # fmt: skip


def _not_engaged(
    node: FlyNode, wanted: FlyRequest, names: Sequence[str], fly: Sequence[str],
    screen: OrderScreen,
) -> int:
    """Let those fly on that flew before; return 1."""
    if not wanted.stops:
        return 1
    if fly:
        screen.complain(f'not engaged; {named(fly)} flew before and may go on')
        _release(node, wanted, names, screen)
    else:
        screen.complain('not engaged, the agents stay stopped: mend it and engage anew, or land')
    return 1


def _release(
    node: FlyNode, wanted: FlyRequest, names: Sequence[str], screen: OrderScreen
) -> int:
    """Release the agents, unless others have stopped them meanwhile; return the exit code."""
    if _is_stopped_by_others(node, wanted, screen):
        return 1
    confirmed, missing, *_ = order_agents(node, False, wanted.meant.named, names)
    if confirmed:
        of_all = f'{len(confirmed)} of {len(confirmed) + len(missing)}'
        screen.say(f'released: {named(confirmed)} ({of_all})')
    for name, why in missing.items():
        screen.complain(f'{name} not released: {why}')
    return 1 if missing else 0


def _is_stopped_by_others(node: FlyNode, wanted: FlyRequest, screen: OrderScreen) -> bool:
    """Return whether an emergency stop is in force, and say so."""
    orders, reports = node.orders.latch.orders.values(), node.member_reports()
    found = foreign_stops(orders, reports, wanted.meant.named) if wanted.stops else []
    if found:
        screen.complain(
            f'an emergency stop is in force, by {"; ".join(found)}: swarm stop --release first'
        )
    return bool(found)
