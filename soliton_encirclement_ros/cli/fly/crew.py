"""Which vehicles an order is for, and the wait until all of them are known."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.fly.gate import Faults
from soliton_encirclement_ros.cli.fly.sighting import Sightings
from soliton_encirclement_ros.cli.operator.stop_session import SETTLED

GATE_TIME = 10.0
"""Time in which all checks of the gate must begin to hold [s]."""

Check = Callable[[Sequence[str], Sightings], Faults]
"""Returns what is wrong with vehicles."""

Show = Callable[[Faults], bool]
"""Shows what is wrong; returns whether the operator wants to end."""


ENDED = 'ended by the operator'


class Passed(NamedTuple):
    """Which vehicles stood at the gate, and what was wrong with them at the end."""

    names: list[str]
    faults: Faults


def find(node: FlyNode, names: Sequence[str], within: float) -> list[str]:
    """Wait until the bridges of some vehicles report; return the names.

    Args:
        node: The operator.
        names: The vehicles; empty: all that are found.
        within: Longest time to wait [s].
    """
    for name in names:
        node.expect(name)
    began = changed = time.monotonic()
    known: list[str] = []
    while time.monotonic() - began < within:
        node.turn()
        found, now = list(names) or node.vehicles, time.monotonic()
        if found != known:
            known, changed = found, now
        seen = node.seen()
        is_complete = bool(known) and all(seen[name].is_live for name in known)
        if is_complete and (names or now - changed >= SETTLED + (changed - began)):
            break
    return known


def pass_gate(node: FlyNode, names: Sequence[str], check: Check, show: Show) -> Passed:
    """Wait until nothing is wrong with vehicles any more, or for too long.

    Args:
        node: The operator.
        names: The vehicles; empty: all that are found.
        check: Returns what is wrong.
        show: Shows it.
    """
    began = time.monotonic()
    known = find(node, names, GATE_TIME)
    while True:
        node.turn()
        faults = check(known, node.seen())
        if show(faults):
            return Passed(known, {name: [ENDED] for name in known})
        if not faults or time.monotonic() - began >= GATE_TIME:
            return Passed(known, faults)
