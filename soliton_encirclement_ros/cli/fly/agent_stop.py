"""The stop of the agents during a take-off, and its release, which starts them together."""

import time
from collections.abc import Collection, Iterable, Mapping, Sequence

from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.operator.addressees import (
    MemberReport, members_in_scope, short_name
)
from soliton_encirclement_ros.cli.operator.operator_nodes import UNKNOWN_SETTLE_TIME, operator_name
from soliton_encirclement_ros.cli.operator.stop_session import StopOutcome, give_order
from soliton_encirclement_ros.core.emergency_stop import EVERYBODY, ITSELF, StopOrder

VERB = 'swarm fly'

STOP_TIME = 5.0
"""Longest time to wait until agents confirm a stop, and until they are found [s]."""

RELEASE_TIME = 10.0


def stop_scopes(names: Sequence[str]) -> list[str]:
    """Return the scopes of a stop: some vehicles, or everybody, the target included."""
    return list(names) or [EVERYBODY]


def order_agents(
    node: FlyNode, stop: bool, names: Sequence[str], vehicles: Sequence[str]
) -> StopOutcome:
    """Let agents command zero velocity, or release them; return who has confirmed it.

    Args:
        node: The operator.
        stop: Whether to stop; else to release.
        names: Whose agents it is for; empty: those of everybody, and the target.
        vehicles: Whose agents have to confirm it.
    """
    orders = node.orders.latch.orders.values()
    scopes = stop_scopes(names) if stop else release_scopes(orders, names)
    within = STOP_TIME if stop else RELEASE_TIME
    return give_order(node, scopes, stop, within, operator_name(VERB), vehicles)


def release_scopes(orders: Iterable[StopOrder], names: Sequence[str]) -> list[str]:
    """Return the scopes of a release, everybody last: by that order all start together.

    A take-off has stopped either everybody or vehicles by name, whoever is released now.

    Args:
        orders: All orders that are known.
        names: The vehicles; empty: everybody.
    """
    ours = [order.scope for order in orders if order.stop and is_ours(order)]
    if names:
        return [*names, *([EVERYBODY] if EVERYBODY in ours else [])]
    return [*filter(None, ours), EVERYBODY]


def is_ours(order: StopOrder) -> bool:
    """Return whether an order was given by a take-off or an engagement."""
    return f'({VERB},' in order.source


def foreign_stops(
    orders: Collection[StopOrder], reports: Mapping[str, MemberReport], names: Sequence[str]
) -> list[str]:
    """Return who has stopped members for another reason than a take-off, as texts.

    Args:
        orders: All orders that are known.
        reports: What members report, by namespace.
        names: The members that it is about; empty: all.
    """
    scopes = {EVERYBODY, *names}
    others = [order for order in orders if order.stop and not is_ours(order)]
    sources = [order.source for order in others if not names or order.scope in scopes]
    stopped = _stopped(reports, names)
    silent = ['a missing heartbeat of swarm stop --hold' for _, text in stopped if SILENCE in text]
    unknown = [f'an order that {member} obeys' for member in unheard_stops(orders, reports, names)]
    return list(dict.fromkeys([*sources, *silent, *unknown]))


SILENCE = 'no heartbeat of'
"""Stands in the text of a member that a missing heartbeat has stopped."""


def unheard_stops(
    orders: Iterable[StopOrder], reports: Mapping[str, MemberReport], names: Sequence[str]
) -> list[str]:
    """Return the members that are stopped by an order that has not arrived here yet.

    Args:
        orders: All orders that are known.
        reports: What members report, by namespace.
        names: The members that it is about; empty: all.
    """
    newest = {order.scope: order.stamp_ns for order in orders}
    by_order = [member for member, text in _stopped(reports, names)
                if ITSELF not in text and SILENCE not in text]  # fmt: skip
    known = {
        member: max(newest.get(k, 0) for k in (EVERYBODY, short_name(member)))
        for member in by_order
    }
    return [short_name(member) for member in by_order if reports[member].stamp_ns > known[member]]


def _stopped(reports: Mapping[str, MemberReport], names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the stopped ones among some members, and their faults."""
    about = {member for name in stop_scopes(names) for member in members_in_scope(reports, name)}
    return [(member, reports[member].text) for member in sorted(about) if reports[member].stopped]


def learn_stops(node: FlyNode, names: Sequence[str], vehicles: Sequence[str]) -> None:
    """Listen until it is known which agents are stopped, and by which orders.

    An agent that nobody finds for a while is not waited for.

    Args:
        node: The operator.
        names: The members that it is about; empty: all.
        vehicles: The vehicles whose agents are to report.
    """
    began = time.monotonic()
    while (passed := time.monotonic() - began) < STOP_TIME:
        node.turn()
        present = {short_name(member) for member in node.members()}
        waits = [name for name in vehicles if name in present and not node.hears_agent(name)]
        is_open = bool(set(vehicles) - present) and passed < UNKNOWN_SETTLE_TIME
        orders = node.orders.latch.orders.values()
        if not (waits or is_open or unheard_stops(orders, node.member_reports(), names)):
            return


def unconfirmed_stops(outcome: StopOutcome, names: Sequence[str]) -> dict[str, str]:
    """Return the vehicles whose agent does not confirm the stop, and why."""
    return {
        name: outcome.missing.get(name, 'no agent found')
        for name in names
        if name not in outcome.confirmed
    }
