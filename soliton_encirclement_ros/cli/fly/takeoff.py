"""The take-off of a swarm: stopped agents, the readiness gate, then all at once."""

from collections.abc import Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from soliton_encirclement_ros.cli.fly.crew import Show, pass_gate
from soliton_encirclement_ros.cli.fly.execution import Execution
from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.fly.fly_order import HOLD, TAKE_OFF
from soliton_encirclement_ros.cli.fly.gate import Faults, GateSettings, takeoff_faults
from soliton_encirclement_ros.cli.fly.standing import (
    NO_ANSWER,
    Each,
    Progress,
    Standings,
    not_done,
    of,
    unseen,
)


class Flown(NamedTuple):
    """What has become of an order that passes a gate.

    Attributes:
        names: The vehicles.
        faults: What kept them at the gate; then nothing was asked of any.
        standings: How the order stands; empty if it was not given.
        held_again: How the order to hold again stands, where the swarm was not engaged.
    """

    names: list[str]
    faults: Faults
    standings: Standings
    held_again: Standings = MappingProxyType({})

    @property
    def failed(self) -> list[str]:
        """The vehicles that do not do as ordered."""
        return not_done(self.standings)

    @property
    def is_done(self) -> bool:
        """Whether all do as ordered."""
        return bool(self.standings) and not self.failed


def take_off(
    node: FlyNode, names: Sequence[str], settings: GateSettings, within: float,
    show: Show, each: Each,
) -> Flown:  # fmt: skip
    """Let vehicles take off together, if all of them are ready.

    If one refuses or fails, those whose motors do not turn yet stay on the ground, and those that
    are on their way up finish it and hold.

    Args:
        node: The operator.
        names: The vehicles; empty: all that are found.
        settings: Bounds of the gate.
        within: Longest time to wait until they hold [s].
        show: Shows what is wrong at the gate.
        each: Shows how the order stands.
    """
    passed = pass_gate(node, names, partial(takeoff_faults, settings), show)
    if passed.faults or not passed.names:
        return Flown(passed.names, passed.faults, {})
    execution = Execution(node, TAKE_OFF, passed.names)
    found = execution.run(within, each, at_first_failure=True)
    if not_done(found):
        execution.wait_for_answers(NO_ANSWER)
        _keep_on_the_ground(node, found)
        found = execution.run(within, each)
    return Flown(passed.names, {}, found)


def _keep_on_the_ground(node: FlyNode, found: Standings) -> None:
    """End the take-off of vehicles that are not armed, also if the operator has interrupted it."""
    seen = node.seen()
    waiting = [
        name for name in of(found, Progress.UNDER_WAY)
        if seen[name].report is not None and seen[name].report.armed is not True
    ]  # fmt: skip
    if waiting:
        Execution(node, HOLD, waiting).run(HOLD.within, unseen)
