"""Orders that every member confirms, and the heartbeat of an operator."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from soliton_encirclement_ros.cli.operator.addressees import (
    is_confirmed, is_final, members_in_scope, refusing_stamp_ns, short_name, unconfirmed_reason
)
from soliton_encirclement_ros.cli.operator.operator_nodes import (
    TURN, UNKNOWN_SETTLE_TIME, OperatorNode, discovery_gaps, operator_name
)
from soliton_encirclement_ros.core.emergency_stop import (
    EVERYBODY, HEARTBEAT, HEARTBEAT_ENDS, StopMessage, StopOrder
)
from velocity_mobility_ros.core.environment.ros_environment import is_alone
from velocity_mobility_ros.ros_io.polling import repeat_until_acknowledged

NOT_FOUND = 'not found'

BEATS = 5
"""Heartbeats within the timeout."""

LONGEST_BEAT = 0.5
"""Longest time [s] between two heartbeats."""


class StopOutcome(NamedTuple):
    """The result of an order.

    Attributes:
        confirmed: Short names of the members that have confirmed it.
        missing: Those that have not, and why.
        seconds: Time until the last confirmation [s].
        is_complete: Whether these are all.
    """

    confirmed: list[str]
    missing: dict[str, str]
    seconds: float
    is_complete: bool = True


class StopExecution:
    """An order to stop or to release, followed until every addressed member has confirmed it.

    A stop is published at once, and reaches members that are discovered later; only its result
    is awaited.
    """

    def __init__(
        self, node: OperatorNode, scopes: Sequence[str], stop: bool, source: str,
        expected: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """Give the order.

        Args:
            node: The operator.
            scopes: Members, or ``EVERYBODY`` alone.
            stop: Whether to stop; else to release.
            source: Who gives it, as members report it.
            expected: Members that have to confirm it besides those that are found; empty: those
                that the members know of.
        """
        self._node, self._scopes, self._expected = node, scopes, expected
        self._orders = {scope: node.orders.give(scope, stop, source) for scope in scopes}
        self._began = self._confirmed_at = self._known_at = time.monotonic()
        self.is_over = False

    def look(self) -> StopOutcome:
        """Return its result, by the reports received so far."""
        node, now, known = self._node, time.monotonic(), self._node.members()
        waiting = node.unnamed_listeners() | _not_found(known, self._expected)
        is_open, is_found = bool(waiting), True
        for scope, order in self._orders.items():
            members = members_in_scope(known, scope)
            self._orders[scope] = order = _renewed_order(node, order, members)
            waiting |= _open_answers(node, order, members)
            is_open |= not all(is_final(node.reports.get(member), order) for member in members)
            is_found &= bool(members)
        is_complete = are_all_known(node, self._scopes, self._expected)
        is_sure = is_found or self._is_sure_of_nobody(is_open, now)
        self._confirmed_at = self._confirmed_at if is_found and not is_open else now
        self.is_over = is_complete and not is_open and is_sure
        wanted = {name for scope in self._scopes for name in members_in_scope(known, scope)}
        done = sorted(short_name(member) for member in wanted if short_name(member) not in waiting)
        return StopOutcome(done, waiting, self._confirmed_at - self._began, is_complete)

    def _is_sure_of_nobody(self, is_open: bool, now: float) -> bool:
        """Return whether names without a match belong to no member: all others are known.

        Members on other computers may still be discovered.

        Args:
            is_open: Whether somebody else has not confirmed the order yet.
            now: The time [s].
        """
        node = self._node
        is_known = not is_open and node.is_agreed and is_alone() and not discovery_gaps(node)
        if not is_known:
            self._known_at = now
        return now - self._known_at > UNKNOWN_SETTLE_TIME


def give_order(
    node: OperatorNode, scopes: Sequence[str], stop: bool, within: float, source: str = '',
    expected: Sequence[str] = (),
) -> StopOutcome:  # fmt: skip
    """Give an order, and wait until every addressed member has confirmed it.

    Args:
        node: The operator.
        scopes: Members, or ``EVERYBODY`` alone.
        stop: Whether to stop; else to release.
        within: Longest time [s] to wait.
        source: Who gives it; empty: ``swarm stop``.
        expected: Members that have to confirm it; see ``StopExecution``.
    """
    if not stop:
        _listen(node, scopes, expected, 0.5 * within)
    execution = StopExecution(node, scopes, stop, source or operator_name(), expected)
    began = time.monotonic()
    while True:
        time.sleep(TURN)
        node.update()
        outcome = execution.look()
        if execution.is_over or time.monotonic() - began >= within:
            return outcome


def cancel_unmatched_stops(node: OperatorNode, outcome: StopOutcome) -> list[str]:
    """Release stopped names that no member has; return them.

    Where it is not known who exists, the order stays for whoever is found later.
    """
    if not node.is_agreed:
        return []
    nobody = [name for name, reason in outcome.missing.items() if reason == NOT_FOUND]
    for name in nobody:
        node.orders.give(name, False, operator_name())
    if nobody:
        repeat_until_acknowledged(node.orders.publish(), node.orders.publish)
    return nobody


def are_all_known(node: OperatorNode, scopes: Sequence[str], expected: Sequence[str]) -> bool:
    """Return whether all addressees are known: by name, or since members hear each other."""
    return EVERYBODY not in scopes or bool(expected) or node.is_agreed


def _not_found(known: Sequence[str], expected: Sequence[str]) -> dict[str, str]:
    """Return the expected members that are not found, each with this reason."""
    present = {short_name(member) for member in known}
    return {name: NOT_FOUND for name in expected if name not in present}


def _listen(
    node: OperatorNode, scopes: Sequence[str], expected: Sequence[str], within: float
) -> None:
    """Learn which orders are in force: a release must be newer, by whatever clocks they are.

    Until all members have said it; on a busy machine that takes its time.

    Args:
        node: The operator.
        scopes: Members, or ``EVERYBODY`` alone.
        expected: Members that are known to exist.
        within: Longest time [s] to wait.
    """
    began = time.monotonic()
    while time.monotonic() - began < within:
        time.sleep(TURN)
        node.update()
        known = [member for scope in scopes for member in members_in_scope(node.members(), scope)]
        is_heard = bool(known) and all(member in node.reports for member in known)
        if is_heard and not _not_found(known, expected) and are_all_known(node, scopes, expected):
            break
    newest = max((report.stamp_ns for report in node.member_reports().values()), default=0)
    for scope in scopes:
        node.orders.note(StopOrder(scope, True, newest, 'a member'))


def _renewed_order(node: OperatorNode, order: StopOrder, members: Sequence[str]) -> StopOrder:
    """Return an order, one to stop with a newer stamp if a release with a newer one counts.

    That may be by a clock that is ahead, or by another operator meanwhile: a stop wins.
    """
    reports = [node.reports[member] for member in members if member in node.reports]
    newer = refusing_stamp_ns(reports, order)
    node.orders.note(StopOrder(order.scope, False, newer, 'a member'))
    if not order.stop or node.orders.latch.orders[order.scope].stop:
        return order
    return node.orders.give(order.scope, order.stop, order.source)


def _open_answers(node: OperatorNode, order: StopOrder, members: Sequence[str]) -> dict[str, str]:
    """Return why members have not confirmed an order, by short name."""
    if order.scope and not members:
        return {order.scope: NOT_FOUND}
    return {
        short_name(member): unconfirmed_reason(node.reports.get(member), order)
        for member in members
        if not is_confirmed(node.reports.get(member), order)
    }


def hold(
    node: OperatorNode, timeout: float, ends: Callable[[], bool], say: Callable[[str], None]
) -> bool:
    """Send heartbeats until asked to end; return whether another operator has asked for it.

    Args:
        node: The operator.
        timeout: Time [s] without a heartbeat after which members stop.
        ends: Returns whether this operator wants to end.
        say: Prints a line.
    """
    beat = StopMessage(HEARTBEAT, source=operator_name(), timeout=timeout)
    before = -1
    while not ends():
        node.update()
        if node.orders.is_end_asked:
            end = partial(node.orders.publish, [StopMessage(HEARTBEAT_ENDS, source=beat.source)])
            repeat_until_acknowledged(end(), end)
            return True
        node.orders.publish([beat])
        armed = len(_watching(node))
        if armed != before:
            before = armed
            say(f'{armed} members watch the heartbeat (timeout {timeout:g} s)')
        time.sleep(min(LONGEST_BEAT, timeout / BEATS))
    return False


def end_holds(node: OperatorNode, within: float) -> list[str]:
    """Ask all operators to end their heartbeats; return the members that still watch one."""
    node.orders.ask_to_end_holds(operator_name())
    began = time.monotonic()
    while True:
        time.sleep(TURN)
        node.update()
        passed = time.monotonic() - began
        watching = _watching(node)
        heard = all(member in node.reports for member in node.members())
        if passed >= within or (heard and node.is_agreed and not watching):
            return watching


def _watching(node: OperatorNode) -> list[str]:
    """Return the members that watch a heartbeat."""
    reports = node.member_reports()
    return [short_name(name) for name, report in reports.items() if report.heartbeats]
