"""What members report about the emergency stop, and who has not confirmed an order yet."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from soliton_encirclement_ros.core.states.swarm_topics import STOP_STAMP, STOPPED
from soliton_encirclement_ros.core.stop.stop_order import EVERYBODY, StopOrder

HEARTBEATS = 'operator_heartbeats'


class MemberReport(NamedTuple):
    """The last status of a member.

    Attributes:
        stopped: Whether it is stopped.
        stamp_ns: Stamp [ns] of the newest order that it has heard.
        heartbeats: How many operators it watches.
        text: Its faults, worst first.
    """

    stopped: bool
    stamp_ns: int
    heartbeats: int
    text: str


Reports = Mapping[str, MemberReport]
"""By namespace of the member, without the first slash."""


def member_report(values: Mapping[str, str], text: str) -> MemberReport | None:
    """Return the report in the key values of a status, None if it has none or invalid ones."""
    try:
        stopped = {'true': True, 'false': False}[values[STOPPED]]
        return MemberReport(stopped, int(values[STOP_STAMP]), int(values[HEARTBEATS]), text)
    except (KeyError, ValueError):
        return None


def short_name(member: str) -> str:
    """Return the name of a member in its fleet."""
    return member.rpartition('/')[2]


def concerned(members: Iterable[str], scope: str) -> list[str]:
    """Return the members that an order is for."""
    return [one for one in members if scope in (EVERYBODY, short_name(one))]


def is_confirmed(report: MemberReport | None, order: StopOrder) -> bool:
    """Return whether a member has heard an order and obeys."""
    if report is None:
        return False
    return report.stamp_ns >= order.stamp_ns and report.stopped == order.stop


def is_final(report: MemberReport | None, order: StopOrder) -> bool:
    """Return whether a member has confirmed an order, or heard it and is stopped by another."""
    if report is None:
        return False
    return report.stamp_ns >= order.stamp_ns and (report.stopped or not order.stop)


def newer_ns(reports: Iterable[MemberReport], order: StopOrder) -> int:
    """Return the newest stamp [ns] by which a member refuses an order to stop, 0 if none does.

    It was given by a clock that is ahead of that of the order.
    """
    refusing = (one.stamp_ns for one in reports if order.stop and not one.stopped)
    return max((stamp for stamp in refusing if stamp >= order.stamp_ns), default=0)


def why_not(report: MemberReport | None, order: StopOrder) -> str:
    """Return as text why a member has not confirmed an order."""
    if report is None:
        return 'no diagnostics'
    if report.stamp_ns < order.stamp_ns:
        return 'has not heard the order'
    return report.text.partition(';')[0][:120] if report.stopped else 'flies by a newer order'
