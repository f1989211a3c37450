"""One alarm, and alarms of many members at once."""

from collections.abc import Iterable
from typing import NamedTuple

from velocity_mobility_ros.core.shown import cut

from soliton_encirclement_ros.core.files.name_list import named

AT_ONCE = 2.0
"""Alarms of one text within this time [s] are one: nodes report once a second."""

LONGEST = 500
"""Characters of a message, at most."""


class Alarm(NamedTuple):
    """One event.

    Attributes:
        time: When it began [s].
        end: When it ended [s]; None if it did not, or for an order.
        who: Name of a member or of a node, or ``all``.
        what: It in words.
    """

    time: float
    end: float | None
    who: str
    what: str


def grouped_alarms(alarms: Iterable[Alarm]) -> list[Alarm]:
    """Return alarms in order of time, those of one text at about one time as one.

    Args:
        alarms: In order of time.
    """
    groups: list[list[Alarm]] = []
    newest: dict[str, list[Alarm]] = {}
    for alarm in alarms:
        group = newest.get(alarm.what)
        known = group is not None and alarm.who in [one.who for one in group]
        if group is None or known or alarm.time - group[0].time > AT_ONCE:
            group = newest[alarm.what] = []
            groups.append(group)
        group.append(alarm)
    return [_one(group) for group in groups]


def _one(group: list[Alarm]) -> Alarm:
    ends = [one.end for one in group if one.end is not None]
    end = max(ends) if len(ends) == len(group) else None
    return group[0]._replace(end=end, who=named([one.who for one in group]))


def one_line(message: str) -> str:
    """Return a message, of whatever node, as one line that is not endless."""
    return cut(''.join(c if c.isprintable() else ' ' for c in message), LONGEST)
