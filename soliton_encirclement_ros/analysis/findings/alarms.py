"""What happened besides failures: limits of the filter, emergency stops, bridges, faults."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from soliton_encirclement_ros.analysis.findings.alarm import Alarm, one_line
from soliton_encirclement_ros.analysis.findings.status_alarms import status_alarms
from soliton_encirclement_ros.analysis.recording import (
    BridgeChange,
    Recording,
    StopChange,
    Telemetry,
)
from soliton_encirclement_ros.core.laws.filter_codes import REASONS, RELAXED, STOP
from soliton_encirclement_ros.core.laws.telemetry import FILTER_NAMES

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
    found += [stop_alarm(change) for change in recording.stops]
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


def stop_alarm(change: StopChange) -> Alarm:
    """Return an order of the emergency stop as an event."""
    what = 'emergency stop' if change.stop else 'released from the emergency stop'
    return Alarm(change.time, None, change.scope or EVERYBODY, f'{what} by {change.source}')


def bridge_alarms(changes: Sequence[BridgeChange]) -> Iterator[Alarm]:
    """Iterate over the states of bridges as events, that in which a recording begins left out."""
    known: dict[str, str] = {}
    for change in changes:
        if known.get(change.name, change.state) != change.state:
            text = one_line(f'bridge {change.state}: {change.reason}')
            yield Alarm(change.time, None, change.name, text)
        known[change.name] = change.state
