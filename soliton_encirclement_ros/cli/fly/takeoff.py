"""The take-off of a swarm: all are asked, all agree, then one word releases them.

Whatever ends before that word, the operator's process included, leaves everybody on the ground.
"""

from collections.abc import Sequence
from types import MappingProxyType
from typing import NamedTuple

from soliton_encirclement_ros.cli.fly.execution import Execution
from soliton_encirclement_ros.cli.fly.fleet_link import FleetLink
from soliton_encirclement_ros.cli.fly.fly_order import AGREE, CANCEL, TAKE_OFF
from soliton_encirclement_ros.cli.fly.gate import Faults
from soliton_encirclement_ros.cli.fly.standing import (
    Each,
    Progress,
    Standings,
    not_done,
    of,
    unseen,
)
from soliton_encirclement_ros.cli.operator.whom import Meant


class Flown(NamedTuple):
    """What has become of an order that passes a gate.

    Attributes:
        names: The vehicles.
        faults: What kept them at the gate; then nothing was asked of any.
        standings: How the order stands; empty if it was not given.
        held_again: How the order to hold again stands, where the swarm was not engaged.
        is_released: Whether a take-off was released.
    """

    names: list[str]
    faults: Faults
    standings: Standings
    held_again: Standings = MappingProxyType({})
    is_released: bool = False

    @property
    def failed(self) -> list[str]:
        """The vehicles that do not do as ordered."""
        return not_done(self.standings)

    @property
    def is_done(self) -> bool:
        """Whether all do as ordered."""
        return bool(self.standings) and not self.failed


def take_off(node: FleetLink, names: Sequence[str], within: float, each: Each) -> Flown:
    """Let vehicles take off together.

    If one refuses before the release, nobody arms. If one fails after it, those whose motors do
    not turn yet stay on the ground, and those that are on their way up finish it and hold.

    Args:
        node: The operator.
        names: The vehicles.
        within: Longest time to wait until they hold [s].
        each: Shows how the order stands; returns whether the operator wants to end.
    """
    meant, ends = Meant(named=tuple(names)), _Ends(each)
    execution = Execution(node, AGREE, meant)
    found = execution.run(AGREE.within, ends, at_first_failure=True)
    if ends.wanted or not_done(found):
        Execution(node, CANCEL, meant).run(CANCEL.within, unseen)
        return Flown(list(names), {}, found)
    execution.release(TAKE_OFF)
    found = execution.run(within, ends, at_first_failure=True)
    if not_done(found):
        _keep_on_the_ground(node, found)
        found = execution.run(within, each)
    return Flown(list(names), {}, found, is_released=True)


class _Ends:
    """Remembers that the operator wants to end, also if all was done at the same moment."""

    def __init__(self, each: Each) -> None:
        self._each, self.wanted = each, False

    def __call__(self, found: Standings) -> bool:
        self.wanted = self._each(found) or self.wanted
        return self.wanted


def _keep_on_the_ground(node: FleetLink, found: Standings) -> None:
    """End the take-off of vehicles that are not armed; a bridge refuses that in the air."""
    waiting = tuple(of(found, Progress.UNDER_WAY))
    if waiting:
        Execution(node, CANCEL, Meant(named=waiting)).run(CANCEL.within, unseen)
