"""Orders with a confirmation by everybody, and the heartbeat of an operator."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rclpy.duration import Duration
from velocity_mobility_ros.core.environment.ros_environment import is_alone

from soliton_encirclement_ros.cli.operator.addressees import (
    concerned,
    is_confirmed,
    is_final,
    newer_ns,
    short_name,
    why_not,
)
from soliton_encirclement_ros.cli.operator.operator_nodes import (
    NOBODY_NEW,
    TURN,
    OperatorNode,
    operator_name,
    unfinished,
)
from soliton_encirclement_ros.core.emergency_stop import (
    EVERYBODY,
    HEARTBEAT,
    HEARTBEAT_ENDS,
    StopMessage,
    StopOrder,
)

NOT_FOUND = 'not found'

BEATS = 5
"""Heartbeats within the timeout."""

LONGEST_BEAT = 0.5
"""Longest time [s] between two heartbeats."""


class Outcome(NamedTuple):
    """What has become of an order.

    Attributes:
        confirmed: Short names of the members that have confirmed it.
        missing: Those that have not, and why.
        seconds: Until the last one confirmed it [s].
        is_complete: Whether these are all.
    """

    confirmed: list[str]
    missing: dict[str, str]
    seconds: float
    is_complete: bool = True


class StopExecution:
    """An order to stop or to release, followed until everybody concerned has confirmed it.

    A stop leaves at once, and goes on to whoever is found later; only the answer waits.
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
            source: Who gives it.
            expected: Members that have to confirm it besides those that are found; empty: those
                that the members know of.
        """
        self._node, self._scopes, self._expected = node, scopes, expected
        self._orders = {scope: node.orders.give(scope, stop, source) for scope in scopes}
        self._began = self._confirmed_at = self._known_at = time.monotonic()
        self.is_over = False

    def look(self) -> Outcome:
        """Return what has become of it, by what has arrived."""
        node, now, known = self._node, time.monotonic(), self._node.members()
        waiting = node.unidentified() | _absent(known, self._expected)
        is_open, is_found = bool(waiting), True
        for scope, order in self._orders.items():
            there = concerned(known, scope)
            self._orders[scope] = order = _given_again(node, order, there)
            waiting |= _unconfirmed(node, order, there)
            is_open |= not all(is_final(node.reports.get(one), order) for one in there)
            is_found &= bool(there)
        is_complete = is_whole(node, self._scopes, self._expected)
        is_sure = is_found or self._is_sure_of_nobody(is_open, now)
        self._confirmed_at = self._confirmed_at if is_found and not is_open else now
        self.is_over = is_complete and not is_open and is_sure
        wanted = {name for scope in self._scopes for name in concerned(known, scope)}
        done = sorted(short_name(one) for one in wanted if short_name(one) not in waiting)
        return Outcome(done, waiting, self._confirmed_at - self._began, is_complete)

    def _is_sure_of_nobody(self, is_open: bool, now: float) -> bool:
        """Return whether names that are not found are nobody's: the rest is known.

        Where other computers are looked for, somebody may still come.

        Args:
            is_open: Whether somebody else has not confirmed the order yet.
            now: The time [s].
        """
        node = self._node
        is_known = not is_open and node.is_agreed and is_alone() and not unfinished(node)
        if not is_known:
            self._known_at = now
        return now - self._known_at > NOBODY_NEW


def give_order(
    node: OperatorNode, scopes: Sequence[str], stop: bool, within: float, source: str = '',
    expected: Sequence[str] = (),
) -> Outcome:  # fmt: skip
    """Give an order, and wait until everybody concerned has confirmed it.

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


def take_back(node: OperatorNode, outcome: Outcome) -> list[str]:
    """Release members to whom a stop was given and whom nobody knows; return their names.

    Where it is not known who exists, the order stays for whoever is found later.
    """
    if not node.is_agreed:
        return []
    nobody = [name for name, reason in outcome.missing.items() if reason == NOT_FOUND]
    for name in nobody:
        node.orders.give(name, False, operator_name())
    if nobody:
        node.orders.publish().wait_for_all_acked(Duration(seconds=2))
    return nobody


def is_whole(node: OperatorNode, scopes: Sequence[str], expected: Sequence[str]) -> bool:
    """Return whether it is known whom an order is for: by name, or since members know others."""
    return EVERYBODY not in scopes or bool(expected) or node.is_agreed


def _absent(known: Sequence[str], expected: Sequence[str]) -> dict[str, str]:
    """Return the expected members that are not found, as those who have not confirmed."""
    there = {short_name(one) for one in known}
    return {name: NOT_FOUND for name in expected if name not in there}


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
        known = [one for scope in scopes for one in concerned(node.members(), scope)]
        is_heard = bool(known) and all(one in node.reports for one in known)
        if is_heard and not _absent(known, expected) and is_whole(node, scopes, expected):
            break
    newest = max((report.stamp_ns for report in node.of_members().values()), default=0)
    for scope in scopes:
        node.orders.note(StopOrder(scope, True, newest, 'a member'))


def _given_again(node: OperatorNode, order: StopOrder, members: Sequence[str]) -> StopOrder:
    """Return an order, one to stop with a newer stamp if a release with a newer one counts.

    That may be by a clock that is ahead, or by another operator meanwhile: a stop wins.
    """
    reports = [node.reports[one] for one in members if one in node.reports]
    newer = newer_ns(reports, order)
    node.orders.note(StopOrder(order.scope, False, newer, 'a member'))
    if not order.stop or node.orders.latch.orders[order.scope].stop:
        return order
    return node.orders.give(order.scope, order.stop, order.source)


def _unconfirmed(node: OperatorNode, order: StopOrder, members: Sequence[str]) -> dict[str, str]:
    """Return who has not confirmed an order, and why, by short name."""
    if order.scope and not members:
        return {order.scope: NOT_FOUND}
    return {
        short_name(one): why_not(node.reports.get(one), order)
        for one in members
        if not is_confirmed(node.reports.get(one), order)
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
            publisher = node.orders.publish([StopMessage(HEARTBEAT_ENDS, source=beat.source)])
            publisher.wait_for_all_acked(Duration(seconds=2))
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
        heard = all(one in node.reports for one in node.members())
        if passed >= within or (heard and node.is_agreed and not watching):
            return watching


def _watching(node: OperatorNode) -> list[str]:
    """Return the members that watch a heartbeat."""
    return [short_name(name) for name, one in node.of_members().items() if one.heartbeats]
