"""``swarm fly takeoff`` and ``swarm fly engage`` from their first word to their exit code."""

from typing import NamedTuple

from velocity_mobility_ros.core.interrupt import Interrupt

from soliton_encirclement_ros.cli.fly.conclusion import conclude, refuse, say
from soliton_encirclement_ros.cli.fly.crew import GATE_TIME, find
from soliton_encirclement_ros.cli.fly.engagement import engage
from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.fly.fly_order import ENGAGE, TAKE_OFF
from soliton_encirclement_ros.cli.fly.gate import GateSettings
from soliton_encirclement_ros.cli.fly.standing import not_done
from soliton_encirclement_ros.cli.fly.swarm_stop import (
    foreign_stops,
    release_agents,
    stop_agents,
    unstopped,
)
from soliton_encirclement_ros.cli.fly.takeoff import Flown, take_off
from soliton_encirclement_ros.cli.views.fly_view import FlyView
from soliton_encirclement_ros.cli.views.run_report import print_error
from soliton_encirclement_ros.cli.views.terminal_tables import wide_console
from soliton_encirclement_ros.core.files.name_list import named


class Wanted(NamedTuple):
    """What the operator wants to fly.

    Attributes:
        names: The vehicles that are expected; empty: all that are found.
        single: Vehicles that were named one by one: the stop of the agents is for them alone.
        settings: Bounds of the gate.
        within: Longest time to wait [s].
        stops: Whether agents are stopped meanwhile.
    """

    names: list[str]
    single: list[str]
    settings: GateSettings
    within: float
    stops: bool = True


def fly_takeoff(node: FlyNode, wanted: Wanted, interrupt: Interrupt) -> int:
    """Stop the agents, and let the vehicles take off; return the exit code."""
    names = find(node, wanted.names, GATE_TIME)
    if _is_stopped_by_others(node, wanted):
        return 1
    if wanted.stops and (disobedient := stop_agents(node, wanted.single).missing):
        absent = {name for name, why in disobedient.items() if why == 'not found'}
        for name in disobedient.keys() - absent:
            print_error(f'no take-off: {name} does not confirm the stop: {disobedient[name]}')
        if disobedient.keys() - absent:
            return 1
    with FlyView(wide_console(False), node.seen, interrupt) as view:
        flown = take_off(node, names, wanted.settings, wanted.within, view.faults, view.standings)
    if not flown.standings:
        return _refused('no take-off, nothing was armed', flown, wanted)
    code = conclude(TAKE_OFF, flown.standings)
    _advise_after_takeoff(flown)
    return code


def _refused(what: str, flown: Flown, wanted: Wanted) -> int:
    """Print what kept the vehicles at the gate; return the exit code."""
    code = refuse(what, flown.names, flown.faults)
    if wanted.stops and flown.names:
        say('agents stay stopped until swarm fly engage, or swarm stop --release')
    return code


def _advise_after_takeoff(flown: Flown) -> None:
    """Print what to do next."""
    if flown.is_done:
        say('next: swarm fly engage starts them together; swarm fly land ends the flight')
        return
    up = [name for name in flown.names if name not in flown.failed]
    rest = ' '.join(flown.failed)
    if up:
        say(f'{named(up)} hold: swarm fly land, or mend the rest and swarm fly takeoff {rest}')
    else:
        say('nobody is in the air that was asked: see swarm fly status')


def fly_engage(node: FlyNode, wanted: Wanted, interrupt: Interrupt) -> int:
    """Stop the agents, let the bridges track them, and release them; return the exit code."""
    names = find(node, wanted.names, GATE_TIME)
    if _is_stopped_by_others(node, wanted):
        return 1
    if wanted.stops:
        loose = unstopped(stop_agents(node, wanted.single), names)
        faults = {name: [f'its agent does not confirm the stop: {why}']
                  for name, why in loose.items()}  # fmt: skip
        if faults:
            return refuse('not engaged', names, faults)
    with FlyView(wide_console(False), node.seen, interrupt) as view:
        flown = engage(node, names, wanted.settings, wanted.within, view.faults, view.standings)
    if not flown.standings:
        return _refused('not engaged', flown, wanted)
    code = conclude(ENGAGE, flown.standings)
    if not flown.is_done:
        _say_not_released(flown)
        return code
    return _release(node, wanted) if wanted.stops else code


def _say_not_released(flown: Flown) -> None:
    """Print that the agents stay stopped, and which vehicles do not hold again."""
    loose = not_done(flown.held_again)
    for name in loose:
        print_error(f'{name} does not hold again: {flown.held_again[name].text}')
    rest = f'{named(loose)} not confirmed to hold' if loose else 'all hold again'
    print_error(f'the swarm is not released: {rest}; mend it and engage anew, or land')


def _release(node: FlyNode, wanted: Wanted) -> int:
    """Release the agents; return the exit code."""
    outcome = release_agents(node, wanted.single)
    if outcome.confirmed:
        say(f'released: {named(outcome.confirmed)}')
    for name, why in outcome.missing.items():
        print_error(f'{name} not released: {why}')
    return 1 if outcome.missing else 0


def _is_stopped_by_others(node: FlyNode, wanted: Wanted) -> bool:
    """Return whether an emergency stop is in force, and say so."""
    orders, reports = node.orders.latch.orders.values(), node.of_members()
    found = foreign_stops(orders, reports, wanted.single) if wanted.stops else []
    if found:
        print_error(
            f'an emergency stop is in force, by {"; ".join(found)}: swarm stop --release first'
        )
    return bool(found)
