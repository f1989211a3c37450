"""Tables of metrics over time, and of events."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from soliton_encirclement_ros.analysis.findings import Findings
from soliton_encirclement_ros.analysis.findings.parameter_updates import value_text
from soliton_encirclement_ros.analysis.tables.bodies import NAME, NODE, TIME
from soliton_encirclement_ros.analysis.tables.table import NUMBER, TEXT, WHOLE, Column, Part, Table
from soliton_encirclement_ros.core.ring.metrics import SAMPLE_TEXTS

METRICS = (
    TIME,
    *(
        Column(name, text.unit, kind=WHOLE if name == 'alive' else NUMBER, meaning=text.definition)
        for name, text in SAMPLE_TEXTS.items()
    ),
)
EVENTS = (
    TIME,
    Column(
        'event',
        kind=TEXT,
        meaning='down, up: agent fails, recovers; collision; parameter: value changes; alarm',
    ),
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
)


def metrics_table(findings: Findings) -> Table:
    """Return a row per sample; a separation of fewer than two agents is unknown."""

    def parts() -> Iterator[Part]:
        values = {name: findings.series[name] for name in findings.series if name != 'time'}
        apart = values['min_separation']
        values['min_separation'] = np.where(np.isinf(apart), np.nan, apart)
        yield Part(len(findings.series['time']), {'timestamp': findings.series['time'], **values})

    return Table('metrics', METRICS, parts)


def events_table(findings: Findings) -> Table:
    """Return a row per failure, recovery, collision, changed parameter and alarm, by time."""

    def parts() -> Iterator[Part]:
        rows = sorted(_events(findings), key=lambda row: row['timestamp'])
        values = {column.name: [row.get(column.name) for row in rows] for column in EVENTS}
        yield Part(len(rows), values)

    return Table('events', EVENTS, parts)


def _events(findings: Findings) -> Iterator[dict[str, Any]]:
    for event, time_to_close, peak in findings.closings:
        yield {
            'timestamp': event.time,
            'event': 'down' if event.failed else 'up',
            'node_id': event.agent_id,
            'name': findings.name_of(event.agent_id),
            'time_to_close': time_to_close,
            'peak_G_max': peak,
        }
    numbers = {agent.name: agent.agent_id for agent in findings.agents}
    for one in findings.collisions:
        yield {
            'timestamp': one.begin,
            'event': 'collision',
            'node_id': numbers.get(one.first),
            'name': one.first,
            'other': one.second,
            'end': one.end,
            'distance': one.distance,
        }
    for change in findings.changes:
        yield {
            'timestamp': change.time,
            'event': 'parameter',
            'name': change.node,
            'other': change.name,
            'before': value_text(change.old),
            'after': value_text(change.new),
        }
    for alarm in findings.alarms:
        yield {
            'timestamp': alarm.time,
            'event': 'alarm',
            'node_id': numbers.get(alarm.who.partition('/')[0]),
            'name': alarm.who,
            'end': alarm.end,
            'text': alarm.what,
        }
