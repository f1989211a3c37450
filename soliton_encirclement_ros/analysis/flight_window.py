"""Cuts a recording to a time window, for example without take-off and landing.

The flight of vehicles with bridges to autopilots is such a window. A vehicle flies for the swarm
while its bridge tracks and no emergency stop holds its agent. A flight lasts while any does, with
pauses of up to ``PAUSE``; judged is its part from the first to the last moment at which at least
half as many do as at its best. So one that drops out does not end it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.recording import (
    PARTS, BridgeChange, Floats, Member, Recording, StatusReport
)
from soliton_encirclement_ros.analysis.resampling import silences
from soliton_encirclement_ros.core.emergency_stop import EVERYBODY
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import named
from velocity_mobility_ros.autopilot.engage.engage_records import State


def between(recording: Recording, begin: float, end: float) -> Recording:
    """Return the data of a recording between two times [s]; times are not shifted.

    The topic statistics still cover the whole recording.

    Raises:
        RunError: The window has no data.
    """
    members = {name: _member(member, begin, end) for name, member in recording.members.items()}
    series = [getattr(member, name) for member in members.values() for name in PARTS]
    if not any(series is not None and len(series.time) for series in series):
        raise RunError(
            f'no data between {begin:g} and {end:g} s; the recording covers 0 to '
            f'{recording.duration:g} s'
        )
    metrics = recording.metrics
    if metrics is not None:
        rows = _rows(metrics['time'], begin, end)
        metrics = {name: values[rows] for name, values in metrics.items()}
    outside = {*silences(recording.members.values())}
    problems = [line for line in recording.problems if line not in outside]
    note = f'only {begin:g} to {end:g} s of {recording.duration:g} s were analysed'
    return recording._replace(
        members=members,
        metrics=metrics,
        duration=min(end, recording.duration),
        begin=begin,
        statuses=tuple(_statuses(recording.statuses, begin, end)),
        problems=(*problems, *silences(members.values()), note),
    )


def _statuses(reports: Sequence[StatusReport], begin: float, end: float) -> Iterator[StatusReport]:
    """Iterate over the reports of a window, first over the last ones before it."""
    before = {
        report.name: report._replace(time=begin) for report in reports if report.time < begin
    }
    yield from before.values()
    yield from (report for report in reports if begin <= report.time <= end)


def _member(member: Member, begin: float, end: float) -> Member:
    series_of = {name: getattr(member, name) for name in PARTS}
    return member._replace(**{
        name: series if series is None else _cut(series, _rows(series.time, begin, end))
        for name, series in series_of.items()
    })  # fmt: skip


def _cut(series: Any, rows: slice) -> Any:
    """Return the given rows of a record of columns."""
    return series._replace(**{
        name: {key: column[rows] for key, column in value.items()}
        if isinstance(value, Mapping) else value[rows]
        for name, value in series._asdict().items()
    })  # fmt: skip


def _rows(times: Floats, begin: float, end: float) -> slice:
    first, last = np.searchsorted(times, begin, 'left'), np.searchsorted(times, end, 'right')
    return slice(int(first), int(last))


PAUSE = 5.0
"""Time [s] for which nobody may fly within a flight, as when all brake for a moment."""


class FlightWindow(NamedTuple):
    """Interval [s], and the vehicles that flew in it, by name."""

    begin: float
    end: float
    names: Sequence[str]


def longest_flight(recording: Recording) -> Recording:
    """Return the longest flight of a recording; one without bridges is returned as it is."""
    if not recording.bridges:
        return recording
    all_flights = flights(recording)
    if not all_flights:
        return recording._replace(judged='all of it: no vehicle tracked its agent')
    longest = max(all_flights, key=lambda flight: flight.end - flight.begin)
    others = [flight for flight in all_flights if flight != longest]
    is_of_logs = all(change.is_of_log for change in recording.bridges)
    return between(recording, longest.begin, longest.end)._replace(
        problems=recording.problems,
        judged=_judged_text(longest, others, is_of_logs),
    )


def flights(recording: Recording) -> list[FlightWindow]:
    """Return all flights of a recording in order of time."""
    groups: list[list[FlightWindow]] = []
    for spell in _spells(recording):
        if groups and spell.begin - groups[-1][-1].end <= PAUSE:
            groups[-1].append(spell)
        else:
            groups.append([spell])
    return [_flight(group) for group in groups]


def _spells(recording: Recording) -> Iterator[FlightWindow]:
    """Iterate over the intervals in which the same vehicles fly, at least one."""
    states: dict[str, str] = {}
    stopped: dict[str, bool] = {}
    changes = sorted((*recording.bridges, *recording.stops), key=lambda change: change.time)
    ends = [*(change.time for change in changes[1:]), recording.duration]
    for change, end in zip(changes, ends, strict=True):
        if isinstance(change, BridgeChange):
            states[change.name] = change.state
        else:
            stopped[change.scope] = change.stop
        names = [
            name for name, state in states.items()
            if state == State.TRACK.name and not stopped.get(EVERYBODY) and not stopped.get(name)
        ]  # fmt: skip
        if names and end > change.time:
            yield FlightWindow(change.time, end, names)


def _flight(spells: Sequence[FlightWindow]) -> FlightWindow:
    most = max(len(spell.names) for spell in spells)
    full = [spell for spell in spells if 2 * len(spell.names) >= most]
    names = {name for spell in spells for name in spell.names}
    ordered = sorted(names, key=lambda name: (len(name), name))
    return FlightWindow(full[0].begin, full[-1].end, ordered)


def _judged_text(
    flight: FlightWindow, others: Sequence[FlightWindow], is_of_logs: bool
) -> str:
    """Return a text on the interval of a flight in its recording, and on the other flights."""
    did = 'flew' if is_of_logs else 'tracked'
    remainder = 'the rest is take-off and landing (--between for another part)'
    if others:
        windows = ', '.join(f'{other.begin:.1f}..{other.end:.1f}' for other in others)
        remainder = f'shorter flights: --between {windows}'
    return (
        f'{flight.begin:.1f} s to {flight.end:.1f} s, while {named(flight.names)} {did}; '
        f'{remainder}'
    )
