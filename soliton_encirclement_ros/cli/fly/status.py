"""``swarm fly status``: what every bridge reports, once or until ctrl-C."""

import json
from collections.abc import Sequence

from rich.console import Console
from velocity_mobility_ros.core.interrupt import Interrupt

from soliton_encirclement_ros.cli.fly.conclusion import NOBODY
from soliton_encirclement_ros.cli.fly.crew import find
from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.views.fly_table import as_json, status_table
from soliton_encirclement_ros.cli.views.fly_view import FlyView
from soliton_encirclement_ros.cli.views.run_report import print_error
from soliton_encirclement_ros.cli.views.terminal_tables import print_table, wide_console


def show_once(node: FlyNode, names: Sequence[str], within: float, wants_json: bool) -> int:
    """Print the state of all vehicles; return 1 if there are none, or one is silent.

    Args:
        node: The operator.
        names: The vehicles; empty: all that are found.
        within: Longest time to wait until they report [s].
        wants_json: Whether to print JSON instead of a table.
    """
    find(node, names, within)
    seen = {name: one for name, one in node.seen().items() if not names or name in names}
    if wants_json:
        print(json.dumps(as_json(seen), indent=2, allow_nan=False))
    elif seen:
        print_table(status_table(seen, {}), wide_console(False))
    if not seen:
        print_error(NOBODY)
    return 0 if seen and all(one.is_live for one in seen.values()) else 1


def watch(node: FlyNode, names: Sequence[str], console: Console, interrupt: Interrupt) -> int:
    """Show the state of all vehicles until ctrl-C; where there is no terminal, each change."""
    for name in names:
        node.expect(name)
    with FlyView(console, node.seen, interrupt) as view:
        while not interrupt:
            node.turn()
            view.sightings(node.seen())
    return 0
