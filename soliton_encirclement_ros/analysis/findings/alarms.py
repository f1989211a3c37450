"""What happened besides failures: filter limits, stops, bridges, faults, parameter changes.

A status lists its reasons, separated by semicolons. A reason lasts from the first to the last
status that has it, whatever its numbers are. One parameter update may set the same value in many
nodes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.findings.finding_records import Alarm, one_line
from soliton_encirclement_ros.analysis.recording import (
    BridgeChange,
    ParameterChange,
    Recording,
    StatusReport,
    Telemetry,
    Value,
)
from soliton_encirclement_ros.core.laws.filter_codes import REASONS, RELAXED, STOP
from soliton_encirclement_ros.core.laws.telemetry import FILTER_NAMES
from soliton_encirclement_ros.core.run.swarm_health import (
    DEGRADED,
    FAILED,
    HEALTH,
    OF_FAILURES,
    OK,
)

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
        told = [one for one in _spells(said) if _is_told(one, said[0].time, duration)]
        yield from _joined(name.partition(': ')[0], told)


def _is_told(spell: Spell, first: float, duration: float) -> bool:
    """Leave out what is normal at the start of a node, and what is only said."""
    if spell.begin > first:
        return True
    end = duration if spell.end is None else spell.end
    return spell.level > WARN and end - spell.begin >= START_UP


def _spells(said: Sequence[StatusReport]) -> list[Spell]:
    """Return the intervals of all reasons of a node."""
    spells: dict[str, list[Spell]] = {}
    present: list[str] = []
    for report in said:
        reasons = _reasons(report)
        for key in present:
            if key not in reasons:
                spells[key][-1].end = report.time
        for key in (one for one in reasons if one not in present):
            before, begun = spells.setdefault(key, []), report.time
            is_back = before and key not in STATES and begun - before[-1].end <= GAP
            if is_back:
                before[-1].end = None
            else:
                before.append(Spell(begun, None, reasons[key], report.level))
        present = [*reasons]
    return [one for found in spells.values() for one in found]


def _reasons(report: StatusReport) -> dict[str, str]:
    """Return the reasons of a status, but for failures; of the swarm's health its state."""
    text = one_line(report.message)
    if report.level == 0:
        return {}
    if report.name.endswith(f': {HEALTH}'):
        state = dict(enumerate(STATES)).get(report.level)
        return {state: f'{HEALTH} {state}: {text}'} if state else {}
    texts = [one for one in text.split('; ') if one and not one.startswith(OF_FAILURES)]
    return {NUMBER.sub('#', one): one for one in texts}


def _joined(who: str, spells: Iterable[Spell]) -> Iterator[Alarm]:
    """Iterate over alarms; reasons that came in one status are one."""
    at_once: dict[float, list[Spell]] = {}
    for spell in spells:
        at_once.setdefault(spell.begin, []).append(spell)
    for begin, found in at_once.items():
        ends = [one.end for one in found if one.end is not None]
        end = max(ends) if len(ends) == len(found) else None
        yield Alarm(begin, end, who, '; '.join(one.text for one in found))


MAX_ALARMS = 2000
"""Alarms of a recording, at most."""

EVERYBODY = 'all'


def alarms(
    recording: Recording, telemetry: Mapping[int, Telemetry], names: Mapping[int, str]
) -> tuple[Alarm, ...]:
    """Return all events in order of time.

    Args:
        recording: The recording.
        telemetry: Telemetry of the agents by number.
        names: Their names.
    """
    found = [alarm for k, one in telemetry.items() for alarm in filter_alarms(names[k], one)]
    for order in recording.stops:
        what = 'emergency stop' if order.stop else 'released from the emergency stop'
        text = f'{what} by {order.source}'
        found.append(Alarm(order.time, None, order.scope or EVERYBODY, text))
    found += bridge_alarms(recording.bridges)
    reported = status_alarms(recording.statuses, recording.duration)
    return tuple(in_order([*in_order(found), *in_order(reported)][:MAX_ALARMS]))


def in_order(found: Iterable[Alarm]) -> list[Alarm]:
    """Return alarms in order of time, then of names."""
    return sorted(found, key=lambda alarm: (alarm.time, alarm.who))


def filter_alarms(name: str, telemetry: Telemetry) -> Iterator[Alarm]:
    """Iterate over the intervals in which the filter of an agent was RELAXED or at STOP."""
    reasons = telemetry.values.get(FILTER_NAMES[0])
    for code in (RELAXED, STOP) if reasons is not None else ():
        for begin, end in intervals(reasons == code):
            ended = float(telemetry.time[end]) if end < len(telemetry.time) else None
            yield Alarm(float(telemetry.time[begin]), ended, name, f'filter {REASONS[code]}')


def intervals(flags: Iterable[bool]) -> list[tuple[int, int]]:
    """Return where flags are set, as [first, one behind the last)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], np.asarray(flags, int), [0]])))
    return [(int(begin), int(end)) for begin, end in edges.reshape(-1, 2)]


def bridge_alarms(changes: Sequence[BridgeChange]) -> Iterator[Alarm]:
    """Iterate over the states of bridges as events, that in which a recording begins left out."""
    known: dict[str, str] = {}
    for change in changes:
        if known.get(change.name, change.state) != change.state:
            text = one_line(f'bridge {change.state}: {change.reason}')
            yield Alarm(change.time, None, change.name, text)
        known[change.name] = change.state


AT_ONCE = 1.0
"""Equal changes within this time [s] are one update."""

MAX_NODES = 3
"""Number of node names in a text."""


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
    found: list[ParameterUpdate] = []
    for change in changes:
        same = [
            i for i, one in enumerate(found)
            if (one.name, one.old, one.new) == (change.name, change.old, change.new)
            and change.time - one.time <= AT_ONCE and change.node not in one.nodes
        ]  # fmt: skip
        if same:
            found[same[-1]] = found[same[-1]]._replace(nodes=(*found[same[-1]].nodes, change.node))
        else:
            found.append(ParameterUpdate(*change[:1], *change[2:], (change.node,)))
    return found


def value_text(value: Value) -> str:
    """Return a value as text, ``?`` if unknown."""
    if value is None:
        return '?'
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value) if isinstance(value, str) else str(value)
