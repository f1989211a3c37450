"""The synchronised start of a swarm in the air: all track zero velocity, then one release."""

from collections.abc import Sequence
from functools import partial

from soliton_encirclement_ros.cli.fly.crew import Show, pass_gate
from soliton_encirclement_ros.cli.fly.execution import Execution
from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.fly.fly_order import ENGAGE, ENGAGING, HOLD
from soliton_encirclement_ros.cli.fly.gate import HOLDING, GateSettings, engage_faults
from soliton_encirclement_ros.cli.fly.standing import NO_ANSWER, Each, Standings, unseen
from soliton_encirclement_ros.cli.fly.takeoff import Flown


def engage(
    node: FlyNode, names: Sequence[str], settings: GateSettings, within: float,
    show: Show, each: Each,
) -> Flown:  # fmt: skip
    """Let the bridges of vehicles track their agents, which are stopped; all or none.

    If one refuses or fails, all hold again; whoever does not is named.

    Args:
        node: The operator.
        names: The vehicles; empty: all that are found.
        settings: Bounds of the gate.
        within: Longest time to wait until all track [s].
        show: Shows what is wrong at the gate.
        each: Shows how the order stands.
    """
    passed = pass_gate(node, names, partial(engage_faults, settings), show)
    if passed.faults or not passed.names:
        return Flown(passed.names, passed.faults, {})
    execution = Execution(node, ENGAGE, passed.names)
    flown = Flown(passed.names, {}, execution.run(within, each, at_first_failure=True))
    if flown.is_done:
        return flown
    execution.wait_for_answers(NO_ANSWER)
    return flown._replace(held_again=_hold_again(node, passed.names))


def _hold_again(node: FlyNode, names: Sequence[str]) -> Standings:
    """Let vehicles hold that their bridges fly; one that a pilot has taken is his.

    Returns:
        How that stands.
    """
    seen = node.seen()
    flown = [
        name for name in names
        if seen[name].report is not None and seen[name].report.state in (*HOLDING, *ENGAGING)
    ]  # fmt: skip
    return Execution(node, HOLD, flown).run(HOLD.within, unseen) if flown else {}
