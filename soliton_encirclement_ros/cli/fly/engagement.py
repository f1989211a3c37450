"""The synchronised start of a swarm in the air: all track zero velocity, then one release."""

from collections.abc import Sequence

from velocity_mobility_ros.autopilot.engage.states import State

from soliton_encirclement_ros.cli.fly.execution import Execution
from soliton_encirclement_ros.cli.fly.fleet_link import FleetLink
from soliton_encirclement_ros.cli.fly.fly_order import ENGAGE, ENGAGING, HOLD
from soliton_encirclement_ros.cli.fly.gate import HOLDING
from soliton_encirclement_ros.cli.fly.standing import Each, Standings, unseen
from soliton_encirclement_ros.cli.fly.takeoff import Flown
from soliton_encirclement_ros.cli.operator.whom import Meant


def engage(node: FleetLink, names: Sequence[str], within: float, each: Each) -> Flown:
    """Let the bridges of vehicles track their agents, which are stopped; all or none.

    If one refuses or fails, all hold again that did not track before; whoever does not is named.

    Args:
        node: The operator.
        names: The vehicles.
        within: Longest time to wait until all track [s].
        each: Shows how the order stands.
    """
    before = _states(node, names)
    execution = Execution(node, ENGAGE, Meant(named=tuple(names)))
    flown = Flown(list(names), {}, execution.run(within, each, at_first_failure=True))
    if flown.is_done:
        return flown
    fresh = [name for name in names if before.get(name) is not State.TRACK]
    return flown._replace(held_again=_hold_again(node, fresh))


def _hold_again(node: FleetLink, names: Sequence[str]) -> Standings:
    """Let vehicles hold that their bridges fly; one that a pilot has taken is his.

    Returns:
        How that stands.
    """
    states = _states(node, names)
    flown = tuple(name for name, state in states.items() if state in (*HOLDING, *ENGAGING))
    if not flown:
        return {}
    return Execution(node, HOLD, Meant(named=flown)).run(HOLD.within, unseen)


def _states(node: FleetLink, names: Sequence[str]) -> dict[str, State | None]:
    """Return what the bridges of vehicles do, of those that report."""
    seen = node.seen()
    return {
        name: report.state for name in names if name in seen and (report := seen[name].report)
    }
