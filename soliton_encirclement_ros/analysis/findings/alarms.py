"""Events besides failures: filter limits, stops, bridges, faults, parameter changes.

A status lists its reasons, separated by semicolons. A reason lasts from the first to the last
status that has it, whatever its numbers are. One parameter update may set the same value in many
nodes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.findings.finding_records import Alarm, last_end, one_line
from soliton_encirclement_ros.analysis.recording import (
    BridgeChange, ParameterChange, Recording, StatusReport, Telemetry, Value
)
from soliton_encirclement_ros.core.laws.filter_codes import REASONS, RELAXED, STOP
from soliton_encirclement_ros.core.laws.telemetry import FILTER_NAMES
from soliton_encirclement_ros.core.run.swarm_health import (
    DEGRADED, FAILED, HEALTH, OF_FAILURES, OK
)

STATES = (OK, DEGRADED, FAILED)
"""States of the health by level."""

WARN = 1
"""Level up to which a reason at the start is no alarm: ``DiagnosticStatus.WARN``."""

START_UP = 10.0
"""Time [s] for which inputs may be missing after the first status of a node."""

GAP = 5.0
"""Pause [s] after which a reason that comes back is a new alarm."""

NUMBER = re.compile(r'(?<![\w/.])-?\d+(\.\d+)?')
"""A number that is no part of a name."""


@dataclass
class Spell:
    """Interval [s] in which a node had a reason, and its text and level at the beginning."""

    begin: float
    end: float | None
    text: str
    level: int


def status_alarms(reports: Iterable[StatusReport], duration: float) -> Iterator[Alarm]:
    """Iterate over the alarms in reports in order of time, until the end [s], node by node."""
    nodes: dict[str, list[StatusReport]] = {}
    for report in reports:
        nodes.setdefault(report.name, []).append(report)
    for name, statuses in nodes.items():
        first = statuses[0].time
        reported = [spell for spell in _spells(statuses) if _is_alarm(spell, first, duration)]
        yield from _join_spells(name.partition(': ')[0], reported)


def _is_alarm(spell: Spell, first: float, duration: float) -> bool:
    """Return whether an interval is an alarm: not a usual or informative reason at the start."""
    if spell.begin > first:
        return True
    end = duration if spell.end is None else spell.end
    return spell.level > WARN and end - spell.begin >= START_UP


def _spells(statuses: Sequence[StatusReport]) -> list[Spell]:
    """Return the intervals of all reasons of a node."""
    spells: dict[str, list[Spell]] = {}
    present: list[str] = []
    for report in statuses:
        reasons = _reasons(report)
        for key in present:
            if key not in reasons:
                spells[key][-1].end = report.time
        for key in (reason for reason in reasons if reason not in present):
            earlier, now = spells.setdefault(key, []), report.time
            is_back = earlier and key not in STATES and now - earlier[-1].end <= GAP
            if is_back:
                earlier[-1].end = None
            else:
                earlier.append(Spell(now, None, reasons[key], report.level))
        present = [*reasons]
    return [spell for group in spells.values() for spell in group]


def _reasons(report: StatusReport) -> dict[str, str]:
    """Return the reasons of a status, but for failures; of the swarm's health its state."""
    text = one_line(report.message)
    if report.level == 0:
        return {}
    if report.name.endswith(f': {HEALTH}'):
        state = dict(enumerate(STATES)).get(report.level)
        return {state: f'{HEALTH} {state}: {text}'} if state else {}
    texts = [
        reason for reason in text.split('; ') if reason and not reason.startswith(OF_FAILURES)
    ]
    return {NUMBER.sub('#', reason): reason for reason in texts}


def _join_spells(who: str, spells: Iterable[Spell]) -> Iterator[Alarm]:
    """Iterate over alarms; reasons of one status are merged."""
    at_once: dict[float, list[Spell]] = {}
    for spell in spells:
        at_once.setdefault(spell.begin, []).append(spell)
    for begin, group in at_once.items():
        end = last_end(spell.end for spell in group)
        yield Alarm(begin, end, who, '; '.join(spell.text for spell in group))


MAX_ALARMS = 2000
EVERYBODY = 'all'


def alarms(
    recording: Recording, telemetry: Mapping[int, Telemetry], names: Mapping[int, str]
) -> tuple[Alarm, ...]:
    """Return all events in order of time; telemetry and names are those of agents by number."""
    events = [
        alarm for k, series in telemetry.items() for alarm in filter_alarms(names[k], series)
    ]
    for order in recording.stops:
        what = 'emergency stop' if order.stop else 'released from the emergency stop'
        text = f'{what} by {order.source}'
        events.append(Alarm(order.time, None, order.scope or EVERYBODY, text))
    events += bridge_alarms([change for change in recording.bridges if not change.is_of_log])
    events += [Alarm(event.time, event.end, event.name, event.text) for event in recording.events]
    reported = status_alarms(recording.statuses, recording.duration)
    return tuple(in_order([*in_order(events), *in_order(reported)][:MAX_ALARMS]))


def in_order(alarms_of: Iterable[Alarm]) -> list[Alarm]:
    """Return alarms in order of time, then of names."""
    return sorted(alarms_of, key=lambda alarm: (alarm.time, alarm.who))


def filter_alarms(name: str, telemetry: Telemetry) -> Iterator[Alarm]:
    """Iterate over the intervals in which the filter of an agent was RELAXED or at STOP."""
    reasons = telemetry.values.get(FILTER_NAMES[0])
    for code in (RELAXED, STOP) if reasons is not None else ():
        for begin, end in intervals(reasons == code):
            ended = float(telemetry.time[end]) if end < len(telemetry.time) else None
            yield Alarm(float(telemetry.time[begin]), ended, name, f'filter {REASONS[code]}')


def intervals(flags: Iterable[bool]) -> list[tuple[int, int]]:
    """Return the intervals in which flags are set, as [first, last + 1)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], np.asarray(flags, int), [0]])))
    return [(int(begin), int(end)) for begin, end in edges.reshape(-1, 2)]


def bridge_alarms(changes: Sequence[BridgeChange]) -> Iterator[Alarm]:
    """Iterate over the changes of bridge states as events; the first state is none."""
    known: dict[str, str] = {}
    for change in changes:
        if known.get(change.name, change.state) != change.state:
            text = one_line(f'bridge {change.state}: {change.reason}')
            yield Alarm(change.time, None, change.name, text)
        known[change.name] = change.state


AT_ONCE = 1.0
"""Equal changes within this time [s] are one update."""

MAX_NODES = 3


class ParameterUpdate(NamedTuple):
    """Change of a parameter in one or more nodes; ``time`` is the first change [s]."""

    time: float
    name: str
    old: Value
    new: Value
    nodes: tuple[str, ...]

    @property
    def text(self) -> str:
        """The change as text, such as ``k_s 1.5 -> 4.0``."""
        return f'{self.name} {value_text(self.old)} -> {value_text(self.new)}'

    @property
    def where(self) -> str:
        """The nodes as text."""
        shown = ', '.join(node.lstrip('/') for node in self.nodes[:MAX_NODES])
        more = len(self.nodes) - MAX_NODES
        return f'{shown} and {more} more' if more > 0 else shown


def grouped_updates(changes: Iterable[ParameterChange]) -> list[ParameterUpdate]:
    """Return the updates in order of time; equal changes of several nodes are one update."""
    updates: list[ParameterUpdate] = []
    for change in changes:
        matches = [
            i for i, update in enumerate(updates)
            if (update.name, update.old, update.new) == (change.name, change.old, change.new)
            and change.time - update.time <= AT_ONCE and change.node not in update.nodes
        ]  # fmt: skip
        if matches:
            last = updates[matches[-1]]
            updates[matches[-1]] = last._replace(nodes=(*last.nodes, change.node))
        else:
            updates.append(ParameterUpdate(*change[:1], *change[2:], (change.node,)))
    return updates


def value_text(value: Value) -> str:
    """Return a value as text, ``?`` if unknown."""
    if value is None:
        return '?'
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value) if isinstance(value, str) else str(value)
