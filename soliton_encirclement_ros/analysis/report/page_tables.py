"""The tables of the report."""

import math

from soliton_encirclement_ros.analysis.findings.alarms import grouped_updates, value_text
from soliton_encirclement_ros.analysis.findings.finding_records import Findings, grouped_alarms
from soliton_encirclement_ros.analysis.report.page_markup import (
    UNKNOWN_TEXT, HtmlColumn, collapsible, nothing, number, table, without_unknown
)
from soliton_encirclement_ros.core.flight_statistics.filter_tally import PAIRS
from soliton_encirclement_ros.core.flight_statistics.gap_recovery import closing_summary
from soliton_encirclement_ros.core.ring.metrics import SAMPLE_TEXTS, shown_metrics

MAX_EVENTS = 2000
METRIC_COLUMNS = (
    HtmlColumn('Metric'), HtmlColumn('Mean of last fifth', digits=3),
    HtmlColumn('Last', digits=3), HtmlColumn('Smallest', digits=3),
    HtmlColumn('Largest', digits=3), HtmlColumn('Unit'), HtmlColumn('Meaning'),
)  # fmt: skip
LIVE = HtmlColumn('Difference to live', digits=3)

DIGITS = {'alive': 0, 'min_separation': 2}

AGENT_COLUMNS = (
    HtmlColumn('Agent'), HtmlColumn('Radius error', 'm RMS', 2),
    HtmlColumn('Tracking', 'm/s RMS', 2), HtmlColumn('Tracking P95', 'm/s', 2),
    HtmlColumn('Saturated', '%', 1), HtmlColumn('Effort', 'm/s²', 2),
    HtmlColumn('Distance', 'm', 0), HtmlColumn('Mean speed', 'm/s', 2),
    HtmlColumn('Nearest other', 'm', 2), HtmlColumn('Failures', digits=0),
    HtmlColumn('Down', 's', 1), HtmlColumn('Switches', digits=0),
)  # fmt: skip
MEASUREMENT_COLUMNS = (
    HtmlColumn('Member'), HtmlColumn('Position', 'm RMS', 3),
    HtmlColumn('Position, largest', 'm', 2), HtmlColumn('Velocity', 'm/s RMS', 3),
    HtmlColumn('Velocity, largest', 'm/s', 2), HtmlColumn('Longest gap', 's', 2),
)  # fmt: skip
EVENT_COLUMNS = (
    HtmlColumn('At', 's', 2), HtmlColumn('Who'), HtmlColumn('What'),
    HtmlColumn('Closed after', 's', 2), HtmlColumn('Peak of G max', digits=2),
)  # fmt: skip
CLOSING_COLUMNS = (
    HtmlColumn('After'), HtmlColumn('Events', digits=0), HtmlColumn('Closed', digits=0),
    HtmlColumn('Median time to close', 's', 2), HtmlColumn('Median peak of G max', digits=2),
)  # fmt: skip
COLLISION_COLUMNS = (
    HtmlColumn('Who'), HtmlColumn('Nearest', 'm', 2), HtmlColumn('At', 's', 2),
    HtmlColumn('From', 's', 2), HtmlColumn('To', 's', 2),
)  # fmt: skip
PUSH_COLUMNS = (
    HtmlColumn('Agent'), HtmlColumn('Because of'), HtmlColumn('Commands changed', digits=0),
)  # fmt: skip
CHANGE_COLUMNS = (
    HtmlColumn('At', 's', 2), HtmlColumn('Parameter'), HtmlColumn('Before'),
    HtmlColumn('After'), HtmlColumn('Nodes'),
)  # fmt: skip
ALARM_COLUMNS = (
    HtmlColumn('At', 's', 2), HtmlColumn('Until', 's', 2), HtmlColumn('Who'),
    HtmlColumn('What'),
)  # fmt: skip
TOPIC_COLUMNS = (
    HtmlColumn('Topic'), HtmlColumn('Type'), HtmlColumn('Messages', digits=0),
    HtmlColumn('Rate', 'Hz', 2), HtmlColumn('Longest gap', 's', 3),
    HtmlColumn('Gap at', 's', 2), HtmlColumn('Latency', 'ms median', 2),
    HtmlColumn('Latency P95', 'ms', 2),
)  # fmt: skip
SOURCE_COLUMNS = (
    HtmlColumn('Vehicle'), HtmlColumn('Quantity'), HtmlColumn('Topic'), HtmlColumn('Type'),
    HtmlColumn('By its name'), HtmlColumn('Used'),
)  # fmt: skip


def metrics_table(findings: Findings) -> str:
    """Return the metrics: final values and extremes."""
    series = findings.series
    if not len(series['time']):
        return nothing('No metrics: they need a target and at least one agent.')
    live = findings.live
    columns = (*METRIC_COLUMNS, LIVE) if live else METRIC_COLUMNS
    rows = []
    for name in shown_metrics(SAMPLE_TEXTS, series):
        text = SAMPLE_TEXTS[name]
        known = [value for value in series[name] if math.isfinite(value)]
        if findings.is_foreign and not known:
            continue
        extremes = (known[-1], min(known), max(known)) if known else (None, None, None)
        ends = (findings.averages.get(name), *extremes)
        numbers = (number(end, DIGITS.get(name, 3)) for end in ends)
        row = [text.symbol, *numbers, text.unit, text.meaning]
        if live:
            row.append(f'{live.largest[name]:.1g}' if name in live.largest else UNKNOWN_TEXT)
        rows.append(row)
    return table('Metrics', *without_unknown(columns, rows))


def agents_table(findings: Findings) -> str:
    """Return one row per agent."""
    if not findings.agents:
        return nothing('No agents: the recording has no odometry, states or telemetry of agents.')
    rows = [
        [agent.name, agent.radial_error, agent.tracking_rms, agent.tracking_p95,
         _scale(agent.saturation, 100.0), agent.effort, agent.distance, agent.mean_speed,
         agent.separation, agent.failures, agent.time_down, agent.switches]
        for agent in findings.agents
    ]  # fmt: skip
    return table('Agents', *without_unknown(AGENT_COLUMNS, rows))


def measurements(findings: Findings) -> str:
    """Return a section with the errors of the odometry; nothing where no truth is recorded."""
    if not findings.measurements:
        return ''
    errors = table('Measured minus true motion', MEASUREMENT_COLUMNS, findings.measurements)
    return f'<section id="measurements"><h2>Errors of the odometry</h2>{errors}</section>'


def closings_table(findings: Findings) -> str:
    """Return the closing of the ring after failures and recoveries, if any, and every event."""
    if not findings.events:
        known = any(agent.outages is not None for agent in findings.agents)
        why = 'No agent failed.' if known else 'Failures are unknown: no telemetry was recorded.'
        return nothing(why) + _every_event(findings)
    if findings.settings.target is None:
        return _every_event(findings, is_open=True)
    summary = closing_summary(findings.closings)
    rows = [
        (f'a {name}', summary[f'closed_after_{name}'] + summary[f'unclosed_after_{name}'],
         summary[f'closed_after_{name}'], summary[f'time_to_close_after_{name}_s'],
         summary[f'peak_G_max_after_{name}'])
        for name in ('failure', 'recovery')
    ]  # fmt: skip
    return table('Closing of the ring', CLOSING_COLUMNS, rows) + _every_event(findings)


def _every_event(findings: Findings, is_open: bool = False) -> str:
    """Return failures, recoveries and alarms in order of time, to fold; nothing without any."""
    events = [
        (closing.event.time, findings.name_of(closing.event.agent_id),
         'down' if closing.event.failed else 'up again', closing.time_to_close, closing.peak_g_max)
        for closing in findings.closings
    ]  # fmt: skip
    alarms = grouped_alarms(findings.alarms)
    events += [(alarm.time, alarm.who, alarm.what, None, None) for alarm in alarms]
    if not events:
        return ''
    events.sort(key=lambda event: event[0])
    title = f'Every event ({len(events)})'
    if len(events) > MAX_EVENTS:
        title = f'The first {MAX_EVENTS} of {len(events)} events'
    shown = table('Events', *without_unknown(EVENT_COLUMNS, events[:MAX_EVENTS]))
    return collapsible(title, shown, is_open)


def collisions_table(findings: Findings) -> str:
    """Return the collisions."""
    distance = findings.settings.collision_distance
    if not findings.collisions:
        return nothing(f'No two bodies came nearer than {distance:g} m.')
    rows = [
        (f'{collision.first} and {collision.second}', collision.distance, collision.time,
         collision.begin, collision.end)
        for collision in findings.collisions
    ]  # fmt: skip
    return table(f'Nearer than {distance:g} m', COLLISION_COLUMNS, rows)


def parameters_section(findings: Findings) -> str:
    """Return the parameter changes in flight; nothing where other software recorded none."""
    changes = findings.recording.changes
    if findings.is_foreign and not changes:
        return ''
    rows = [
        (update.time, update.name, value_text(update.old), value_text(update.new), update.where)
        for update in grouped_updates(changes)[:MAX_EVENTS]
    ]
    shown = nothing('No parameter change was recorded.')
    if changes:
        shown = table('Parameter changes', CHANGE_COLUMNS, rows)
    return f'<section><h2>Parameters changed in flight</h2>{shown}</section>'


def safety_section(findings: Findings) -> str:
    """Return what filters changed, and alarms; nothing where other software recorded none."""
    if not findings.is_foreign:
        tables = pushes_table(findings) + alarms_table(findings)
        return f'<section><h2>Separation filter and alarms</h2>{tables}</section>'
    if not findings.alarms:
        return ''
    return f'<section><h2>Alarms</h2>{alarms_table(findings)}</section>'


def pushes_table(findings: Findings) -> str:
    """Return the bodies because of which the commands of agents were changed."""
    pairs = findings.summary.get(PAIRS)
    if pairs is None:
        return nothing('Unknown: the telemetry does not tell what a separation filter did.')
    if not pairs:
        return nothing('No command was changed because of another body.')
    rows = [(pair['agent'], pair['pusher'], pair['count']) for pair in pairs]
    return table('Who changed whose commands', PUSH_COLUMNS, rows)


def alarms_table(findings: Findings) -> str:
    """Return filters RELAXED or at STOP, emergency stops, bridges, faults and health."""
    if not findings.alarms:
        return nothing('No emergency stop, no filter RELAXED or at STOP, and no reported fault.')
    rows = [tuple(alarm) for alarm in grouped_alarms(findings.alarms)]
    return table('Alarms', ALARM_COLUMNS, rows)


def topics_table(findings: Findings) -> str:
    """Return the statistics of the topics."""
    if not findings.recording.topics:
        return nothing('No topics: the recording is empty.')
    rows = [
        [topic.name, topic.type, topic.count, topic.rate, topic.longest_gap, topic.gap_at,
         _scale(topic.latency_median, 1000.0), _scale(topic.latency_p95, 1000.0)]
        for topic in findings.recording.topics
    ]  # fmt: skip
    return table('Topics', *without_unknown(TOPIC_COLUMNS, rows))


def sources_table(findings: Findings) -> str:
    """Return the topics of vehicles, and whether they are used; nothing without any."""
    sources = findings.recording.sources
    if not sources:
        return ''
    rows = [(*source[:-1], 'yes' if source.used else 'no') for source in sources]
    return table('Topics of vehicles', SOURCE_COLUMNS, rows)


def _scale(value: float | None, factor: float) -> float | None:
    return None if value is None else factor * value
