"""What members report about the emergency stop, and who has not confirmed an order yet."""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from soliton_encirclement_ros.core.states.swarm_topics import (
    MEMBERS,
    MEMBERS_HEARD,
    MORE_MEMBERS,
    ODOM_TWIST,
    ODOM_TWIST_WRONG,
    STOP_STAMP,
    STOPPED,
)
from soliton_encirclement_ros.core.stop.stop_order import EVERYBODY, StopOrder
from soliton_encirclement_ros.core.stop.stop_words import MEMBER

HEARTBEATS = 'operator_heartbeats'
FENCE = 'fence_distance_m'


class MemberReport(NamedTuple):
    """The last status of a member.

    Attributes:
        stopped: Whether it is stopped.
        stamp_ns: Stamp [ns] of the newest order that it has heard.
        heartbeats: How many operators it watches.
        text: Its faults, worst first.
        heard: Short names of the members that it has heard lately.
        evades: Whom its separation filter keeps away from, in words; empty: nobody.
        fence: How far inside its fence it is [m]; negative: outside; infinite: no fence is known.
        has_wrong_twist: Whether it has seen that its odometry's twist is in another frame.
    """

    stopped: bool
    stamp_ns: int
    heartbeats: int
    text: str
    heard: frozenset[str] = frozenset()
    evades: str = ''
    fence: float = math.inf
    has_wrong_twist: bool = False

    @property
    def stop_text(self) -> str:
        """Why it is stopped, in words; empty if it is not."""
        return self.text.partition(';')[0][:MAX_TEXT] if self.stopped else ''


Reports = Mapping[str, MemberReport]
"""By namespace of the member, without the first slash."""


MAX_TEXT = 120
"""Characters of a fault that are shown."""

EVADES_FROM = 0.1
"""Share of changed commands from which on a member is said to evade."""


def member_report(values: Mapping[str, str], text: str) -> MemberReport | None:
    """Return the report in the key values of a status, None if it has none or invalid ones."""
    try:
        stopped = {'true': True, 'false': False}[values[STOPPED]]
        stamp_ns, heartbeats = int(values[STOP_STAMP]), int(values[HEARTBEATS])
    except (KeyError, ValueError):
        return None
    heard, fence = members_named(values, MEMBERS_HEARD), number_in(values, FENCE, math.inf)
    is_wrong = values.get(ODOM_TWIST) == ODOM_TWIST_WRONG
    evades = _evades(values)
    return MemberReport(stopped, stamp_ns, heartbeats, text, heard, evades, fence, is_wrong)


def members_named(values: Mapping[str, str], key: str = MEMBERS) -> frozenset[str]:
    """Return the short names in a list of members of a status, MORE_MEMBERS if it is cut."""
    names = map(str.strip, values.get(key, '').split(','))
    return frozenset(name for name in names if MEMBER.fullmatch(name) or name == MORE_MEMBERS)


def number_in(values: Mapping[str, str], key: str, unknown: float) -> float:
    """Return a number of a status, ``unknown`` if it is missing, none, or not finite."""
    try:
        value = float(values.get(key, ''))
    except ValueError:
        return unknown
    return value if math.isfinite(value) else unknown


def _evades(values: Mapping[str, str]) -> str:
    share = number_in(values, 'filter_share', 0.0)
    if not share >= EVADES_FROM:
        return ''
    whom = values.get('filter_last_pusher') or values.get('filter_last_reason', '')
    return f'keeps away from {whom[:MAX_TEXT]} ({100.0 * share:.0f} % of its commands)'


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
    return report.stop_text if report.stopped else 'flies by a newer order'
