"""Faults that nodes reported while a bag was recorded, and changes of the swarm's health.

A status lists its reasons, separated by semicolons. A reason lasts from the first to the last
status that has it, whatever its numbers are.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from soliton_encirclement_ros.analysis.findings.alarm import Alarm, one_line
from soliton_encirclement_ros.analysis.recording import StatusReport
from soliton_encirclement_ros.core.run.fault_words import OF_FAILURES
from soliton_encirclement_ros.core.run.swarm_health import DEGRADED, FAILED, HEALTH, OK

STATES = (OK, DEGRADED, FAILED)
"""States of the health by level."""

WARN = 1
"""Level up to which what stands at the start is no alarm: ``DiagnosticStatus.WARN``."""

START_UP = 10.0
"""Time [s] for which inputs may be missing after the first status of a node."""

GAP = 5.0
"""Time [s] within which a reason that comes back has never gone."""

NUMBER = re.compile(r'(?<![\w/.])-?\d+(\.\d+)?')
"""A number that is no part of a name."""


@dataclass
class Spell:
    """Interval [s] in which a node had a reason, and its text and level at the beginning."""

    begin: float
    end: float | None
    text: str
    level: int

    def lasts(self, until: float) -> float:
        """Return how long it lasts [s], if the recording ends at a time [s]."""
        return (until if self.end is None else self.end) - self.begin


def status_alarms(reports: Iterable[StatusReport], duration: float) -> Iterator[Alarm]:
    """Iterate over the alarms, node by node.

    Args:
        reports: What nodes reported, in order of time.
        duration: When the recording ends [s].
    """
    nodes: dict[str, list[StatusReport]] = {}
    for report in reports:
        nodes.setdefault(report.name, []).append(report)
    for name, said in nodes.items():
        who, _, task = name.partition(': ')
        spells = _health(said) if task == HEALTH else _faults(said)
        yield from _joined(who, [one for one in spells if _is_told(one, said[0].time, duration)])


def _is_told(spell: Spell, first: float, duration: float) -> bool:
    """Leave out what is normal at the start of a node, and what is only said."""
    if spell.begin > first:
        return True
    return spell.level > WARN and spell.lasts(duration) >= START_UP


def _health(said: Sequence[StatusReport]) -> Iterator[Spell]:
    """Iterate over the intervals in which the swarm was not well."""
    last: Spell | None = None
    for report in said:
        if last is not None and report.level == last.level:
            continue
        if last is not None:
            last.end = report.time
            yield last
        last = None
        if 0 < report.level < len(STATES):
            text = f'{HEALTH} {STATES[report.level]}: {one_line(report.message)}'
            last = Spell(report.time, None, text, report.level)
    if last is not None:
        yield last


def _faults(said: Sequence[StatusReport]) -> list[Spell]:
    """Return the intervals of all reasons of a node."""
    spells: dict[str, list[Spell]] = {}
    present: list[str] = []
    for report in said:
        reasons = {NUMBER.sub('#', text): text for text in _reasons(report)}
        for key in present:
            if key not in reasons:
                spells[key][-1].end = report.time
        for key, text in reasons.items():
            if key not in present:
                _begin(spells.setdefault(key, []), Spell(report.time, None, text, report.level))
        present = [*reasons]
    return [one for found in spells.values() for one in found]


def _reasons(report: StatusReport) -> list[str]:
    """Return the reasons of a status, without what follows from failures; none if it is well."""
    if report.level == 0:
        return []
    texts = one_line(report.message).split('; ')
    return [text for text in texts if text and not text.startswith(OF_FAILURES)]


def _begin(before: list[Spell], spell: Spell) -> None:
    """Add an interval, or go on with the last one."""
    if before and before[-1].end is not None and spell.begin - before[-1].end <= GAP:
        before[-1].end = None
    else:
        before.append(spell)


def _joined(who: str, spells: Iterable[Spell]) -> Iterator[Alarm]:
    """Iterate over alarms; reasons that came in one status are one."""
    at_once: dict[float, list[Spell]] = {}
    for spell in spells:
        at_once.setdefault(spell.begin, []).append(spell)
    for begin, found in at_once.items():
        ends = [one.end for one in found if one.end is not None]
        end = max(ends) if len(ends) == len(found) else None
        yield Alarm(begin, end, who, '; '.join(one.text for one in found))
