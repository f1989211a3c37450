"""``swarm fly status``: what every bridge reports, once or until ctrl-C."""


from rich.console import Console
from velocity_mobility_ros.core.interrupt import Interrupt

from soliton_encirclement_ros.cli.fly.conclusion import NOBODY, counted
from soliton_encirclement_ros.cli.fly.execution import find
from soliton_encirclement_ros.cli.fly.fleet import Whom, unknown_fleet
from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.fly.sighting import UNSEEN, Sightings
from soliton_encirclement_ros.cli.operator.whom import Meant
from soliton_encirclement_ros.cli.output import print_error, print_json, say
from soliton_encirclement_ros.cli.views.fly_table import as_json, status_table
from soliton_encirclement_ros.cli.views.fly_view import FlyView
from soliton_encirclement_ros.cli.views.terminal_tables import print_table, wide_console

AGENT_TIME = 1.2
"""Longest time to wait also for the agents, which report once a second [s]."""


def show_once(node: FlyNode, meant: Meant, within: float, wants_json: bool) -> int:
    """Print the state of all vehicles; return 1 if one is silent or not known to be the last.

    Args:
        node: The operator.
        meant: The vehicles.
        within: Longest time to wait until they report [s].
        wants_json: Whether to print JSON instead of a table.
    """
    if wants_json:
        node.listen_to_odometry((*meant.named, *meant.expected))
    fleet = find(node, meant, within)
    began = node.now()
    while node.now() - began < AGENT_TIME and not all(map(node.hears_agent, fleet.names)):
        node.turn()
    seen = sightings_of(fleet, node.seen())
    if wants_json:
        print_json(as_json(seen))
    elif seen:
        print_table(status_table(seen, {}), wide_console(False))
        say(f'{sum(one.is_live for one in seen.values())} of {counted(fleet)} report')
    if not seen:
        print_error(NOBODY)
    elif not fleet.is_complete:
        print_error(unknown_fleet(fleet.names))
    is_well = bool(seen) and all(one.is_live for one in seen.values())
    return 0 if is_well and fleet.is_complete else 1


def sightings_of(fleet: Whom, seen: Sightings) -> Sightings:
    """Return what is known about each vehicle of a fleet, heard or not."""
    return {name: seen.get(name, UNSEEN) for name in fleet.names}


def watch(node: FlyNode, meant: Meant, console: Console, interrupt: Interrupt) -> int:
    """Show the state of all vehicles until ctrl-C; where there is no terminal, each change."""

    def look() -> Sightings:
        return sightings_of(node.whom(meant), node.seen())

    with FlyView(console, look, interrupt) as view:
        while not interrupt:
            node.turn()
            view.sightings(look())
    return 0
