"""Tables of a recording: agents, target, commands, metrics over time, and events."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from soliton_encirclement_ros.analysis.findings import Findings
from soliton_encirclement_ros.analysis.findings.alarms import value_text
from soliton_encirclement_ros.analysis.findings.participants import nonempty
from soliton_encirclement_ros.analysis.recording import (
    Floats, Member, Recording, StateSeries, Telemetry, Track
)
from soliton_encirclement_ros.analysis.resampling import interpolated, zero_order_hold
from soliton_encirclement_ros.analysis.table_files import (
    FLAG, NUMBER, TEXT, WHOLE, Column, Part, Table, write_table, write_units
)
from soliton_encirclement_ros.controllers import kind_of
from soliton_encirclement_ros.core.errors import LawError
from soliton_encirclement_ros.core.laws.law_registry import LAWS
from soliton_encirclement_ros.core.laws.telemetry import FILTER_QUANTITIES, speed_squared
from soliton_encirclement_ros.core.ring.metrics import SAMPLE_TEXTS
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY

TIME = Column('timestamp', 's', meaning='time since the start of the recording')
NAME = Column('name', kind=TEXT, meaning='name of the member')
NODE = Column('node_id', kind=WHOLE, meaning='number of the agent: at the end of its name, else '
              'the next that is free from 1 on')  # fmt: skip

PLACE = (
    Column('x', 'm', meaning='east'), Column('y', 'm', meaning='north'),
    Column('z', 'm', meaning='up'), Column('vx', 'm/s', meaning='velocity, east'),
    Column('vy', 'm/s', meaning='velocity, north'), Column('vz', 'm/s', meaning='velocity, up'),
    Column('velocity_norm', 'm/s', meaning='speed'),
    Column('yaw', 'rad', meaning='heading, counter-clockwise from east'),
)  # fmt: skip
TRUE = tuple(
    Column(f'true_{column.name}', column.unit, meaning=f'true value: {column.meaning}')
    for column in PLACE[:6]
)
STATUS_COLUMNS = (
    Column('failed', kind=FLAG, meaning='whether the agent was down'),
    Column('pred', kind=WHOLE, meaning='number of its predecessor on the ring, -1: none'),
    Column('succ', kind=WHOLE, meaning='number of its successor on the ring, -1: none'),
)
SEQ = Column('seq', kind=WHOLE, meaning='sequence number of its last state')
STATE_UNITS = {'age': 's', 'omega_ref': 'rad/s'}
"""Units of values in state messages; all others have none."""

WANTED = (
    Column('vx', 'm/s', meaning='commanded velocity, east'),
    Column('vy', 'm/s', meaning='commanded velocity, north'),
    Column('vz', 'm/s', meaning='commanded velocity, up'),
    Column('yaw_rate', 'rad/s', meaning='commanded yaw rate, counter-clockwise'),
)


def agents_table(findings: Findings) -> Table:
    """Return a row per agent and sample of its odometry, else of its telemetry or states.

    Other data are held from their last sample, at most for the timeout of an agent.
    """
    recording = findings.recording
    members = {agent.agent_id: recording.members[agent.name] for agent in findings.agents}
    fixed = (NODE, NAME, TIME, *PLACE, *_true_columns(members.values()), *STATUS_COLUMNS, SEQ)
    telemetry = _names(members.values(), 'telemetry', fixed)
    columns = (*fixed, *(_of_law(recording, name) for name in telemetry))
    timeout = findings.settings.timeout
    return Table('agents', (*columns, *_of_states(members.values(), columns)), lambda: (
        _body(member, timeout, {'node_id': k}) for k, member in members.items()
    ))  # fmt: skip


def _of_states(members: Iterable[Member], taken: Sequence[Column]) -> tuple[Column, ...]:
    """Return the columns of values in states, but for those that there are already."""
    return tuple(
        Column(name, STATE_UNITS.get(name, ''), meaning='from its states')
        for name in _names(members, 'states', taken)
    )


def _of_law(recording: Recording, name: str) -> Column:
    """Return the column of a value of the law's telemetry, with its unit if the law is known."""
    flown, known = recording.scenario, {}
    if flown is not None:
        law = flown.control.controller
        with suppress(LawError):  # of somebody's own, which is gone
            known = kind_of(law).telemetry_quantities if LAWS.is_trusted(law) else {}
    unit, meaning = {**known, **FILTER_QUANTITIES}.get(name, ('', 'telemetry of the law'))
    return Column(name, unit, meaning=meaning)


def target_table(findings: Findings) -> Table:
    """Return a row per sample of the target, and of the adversary."""
    all_members, names = findings.recording.members, (findings.settings.target, ADVERSARY)
    members = [all_members[name] for name in dict.fromkeys(names) if name in all_members]
    fixed = (NAME, TIME, *PLACE, *_true_columns(members), SEQ)
    columns, timeout = (*fixed, *_of_states(members, fixed)), findings.settings.timeout
    return Table('target', columns, lambda: (_body(member, timeout, {}) for member in members))


def commands_table(findings: Findings) -> Table:
    """Return a row per command of every member."""
    numbers = {agent.name: agent.agent_id for agent in findings.agents}

    def parts() -> Iterator[Part]:
        for name, member in findings.recording.members.items():
            commands = nonempty(member.commands)
            if commands is None:
                continue
            vx, vy, vz = commands.velocity.T
            values = {'vx': vx, 'vy': vy, 'vz': vz, 'yaw_rate': commands.yaw_rate}
            identity = {'node_id': numbers.get(name), 'name': name, 'timestamp': commands.time}
            yield {**identity, **values}

    return Table('commands', (NODE, NAME, TIME, *WANTED), parts)


def _true_columns(members: Iterable[Member]) -> tuple[Column, ...]:
    """Return the columns of the true motion, if that of a member is recorded."""
    return TRUE if any(nonempty(member.truth) for member in members) else ()


def _names(members: Iterable[Member], kind: str, taken: Sequence[Column]) -> list[str]:
    """Return the distinct names of the values of members, without those of columns."""
    series = [nonempty(getattr(member, kind)) for member in members]
    names = dict.fromkeys(name for series_of in series if series_of for name in series_of.values)
    known = {column.name for column in taken}
    return [name for name in names if name not in known]


def _body(member: Member, timeout: float, more: Mapping[str, object]) -> Part:
    track, telemetry, states = map(nonempty, (member.track, member.telemetry, member.states))
    place = track or telemetry or states or nonempty(member.truth)
    if place is None:
        return {}
    at = place.time
    values = {**more, 'name': member.name, 'timestamp': at, **_place(place)}
    true = nonempty(member.truth)
    if true is not None:
        motion = np.hstack([true.position, true.velocity])
        columns = interpolated(true.time, motion, at).T
        values |= {header.name: column for header, column in zip(TRUE, columns, strict=True)}
    if states is not None:
        values['seq'] = zero_order_hold(states.time, states.seq, at, timeout)
    if telemetry is not None:
        status = {'failed': telemetry.failed, 'pred': telemetry.pred, 'succ': telemetry.succ}
        values |= _hold_values(telemetry.time, status, at, timeout)
    # A value with the name of a fixed column is dropped.
    for series in filter(None, (telemetry, states)):
        values = _hold_values(series.time, series.values, at, timeout) | values
    return values


def _place(place: Track | Telemetry | StateSeries) -> dict[str, Floats]:
    values = dict(zip(('x', 'y', 'z'), place.position.T, strict=True))
    values |= dict(zip(('vx', 'vy', 'vz'), place.velocity.T, strict=True))
    values['velocity_norm'] = np.sqrt(speed_squared(*place.velocity.T))
    return {**values, 'yaw': place.yaw} if isinstance(place, Track) else values


def _hold_values(
    time: Floats, values: Mapping[str, Floats], at: Floats, timeout: float
) -> dict[str, Floats]:
    return {name: zero_order_hold(time, column, at, timeout) for name, column in values.items()}


METRICS = (
    TIME,
    *(
        Column(name, text.unit, kind=WHOLE if name == 'alive' else NUMBER, meaning=text.definition)
        for name, text in SAMPLE_TEXTS.items()
    ),
)
EVENTS = (
    TIME,
    Column('event', kind=TEXT, meaning='down, up: agent fails, recovers; collision; parameter: '
           'value changes; alarm'),
    NODE,
    NAME,
    Column('other', kind=TEXT, meaning='collision: the other body; parameter: its name'),
    Column('end', 's', meaning='collision, alarm: when it ended'),
    Column('distance', 'm', meaning='collision: smallest distance'),
    Column('time_to_close', 's', meaning='down, up: time until the ring was closed'),
    Column('peak_G_max', meaning='down, up: largest G_max until then'),
    Column('before', kind=TEXT, meaning='parameter: the value before'),
    Column('after', kind=TEXT, meaning='parameter: the new value'),
    Column('text', kind=TEXT, meaning='alarm: it in words'),
)  # fmt: skip


def metrics_table(findings: Findings) -> Table:
    """Return a row per sample; a separation of fewer than two agents is unknown."""

    def parts() -> Iterator[Part]:
        values = {name: findings.series[name] for name in findings.series if name != 'time'}
        apart = values['min_separation']
        values['min_separation'] = np.where(np.isinf(apart), np.nan, apart)
        yield {'timestamp': findings.series['time'], **values}

    return Table('metrics', METRICS, parts)


def events_table(findings: Findings) -> Table:
    """Return a row per failure, recovery, collision, changed parameter and alarm, by time."""

    def parts() -> Iterator[Part]:
        rows = sorted(_events(findings), key=lambda row: row['timestamp'])
        yield {column.name: [row.get(column.name) for row in rows] for column in EVENTS}

    return Table('events', EVENTS, parts)


def _events(findings: Findings) -> Iterator[dict[str, Any]]:
    numbers = {agent.name: agent.agent_id for agent in findings.agents}
    for event, time_to_close, peak in findings.closings:
        what, name = 'down' if event.failed else 'up', findings.name_of(event.agent_id)
        yield {'timestamp': event.time, 'event': what, 'node_id': event.agent_id, 'name': name,
               'time_to_close': time_to_close, 'peak_G_max': peak}  # fmt: skip
    for collision in findings.collisions:
        yield {'timestamp': collision.begin, 'event': 'collision',
               'node_id': numbers.get(collision.first), 'name': collision.first,
               'other': collision.second, 'end': collision.end,
               'distance': collision.distance}  # fmt: skip
    for change in findings.recording.changes:
        yield {'timestamp': change.time, 'event': 'parameter', 'name': change.node,
               'other': change.name, 'before': value_text(change.old),
               'after': value_text(change.new)}  # fmt: skip
    for alarm in findings.alarms:
        number = numbers.get(alarm.who.partition('/')[0])
        yield {'timestamp': alarm.time, 'event': 'alarm', 'node_id': number, 'name': alarm.who,
               'end': alarm.end, 'text': alarm.what}  # fmt: skip


FOLDER = 'tables'


def tables_of(findings: Findings) -> tuple[Table, ...]:
    """Return all tables of a recording."""
    return (
        agents_table(findings),
        target_table(findings),
        commands_table(findings),
        metrics_table(findings),
        events_table(findings),
    )


def write_tables(folder: Path, form: str, findings: Findings) -> Iterator[Path]:
    """Write all tables into ``folder/tables``, one at a time, then the meaning of their columns.

    Raises:
        RunError: There is no such format, or a file cannot be written.
    """
    tables = tables_of(findings)
    for table in tables:
        yield write_table(folder / FOLDER, form, table)
    yield write_units(folder / FOLDER, tables)
