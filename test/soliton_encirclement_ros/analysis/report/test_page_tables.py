"""Tables of the page: the figures of the findings, to the digit."""

import re

from soliton_encirclement_ros.analysis.findings import Collision, find
from soliton_encirclement_ros.analysis.findings.alarm import Alarm
from soliton_encirclement_ros.analysis.recording import ParameterChange
from soliton_encirclement_ros.analysis.report import page_tables
from support.recorded.recordings import without


def rows(html):
    """Return the cells of every row of a table's body, as text."""
    body = ''.join(re.findall(r'<tbody>(.*?)</tbody>', html, re.DOTALL))
    lines = re.findall(r'<tr.*?>(.*?)</tr>', body, re.DOTALL)
    return [re.findall(r'<t[hd].*?>(.*?)</t[hd]>', line, re.DOTALL) for line in lines]


def test_metrics_are_told_with_their_end_and_their_extremes(findings):
    shown = {row[0]: row[1:] for row in rows(page_tables.metrics_table(findings))}
    series = findings.series['E_gap']
    assert shown['E gap'][:4] == [
        f'{findings.means["E_gap"]:.3f}', f'{series[-1]:.3f}', f'{min(series):.3f}',
        f'{max(series):.3f}',
    ]  # fmt: skip
    assert shown['Alive'][1] == '5'
    assert shown['E gap'][-1] == '0'


def test_every_agent_has_its_row(findings):
    shown = rows(page_tables.agents_table(findings))
    assert [row[0] for row in shown] == [agent.name for agent in findings.agents]
    second = findings.agents[1]
    assert shown[1][1] == f'{second.radial_error:.2f}'
    assert shown[1][9:11] == ['1', f'{second.time_down:.1f}']


def test_events_are_told_with_what_followed(findings):
    shown = rows(page_tables.closings_table(findings))
    assert shown[0][:2] == ['a failure', '1'] and shown[1][:2] == ['a recovery', '1']
    assert [row[1:3] for row in shown[2:]] == [['uav_2', 'down'], ['uav_2', 'up again']]


def test_alarms_are_among_the_events_in_order_of_time(findings):
    told = (
        Alarm(0.25, None, 'all', 'emergency stop by <me>'),
        Alarm(0.5, 0.75, 'uav_1/agent', 'lost'),
        Alarm(0.6, 0.8, 'uav_3/agent', 'lost'),
    )
    shown = rows(page_tables.closings_table(findings._replace(alarms=told)))[2:]
    assert [row[:3] for row in shown[:2]] == [
        ['0.25', 'all', 'emergency stop by &lt;me&gt;'],
        ['0.50', 'uav_1/agent, uav_3/agent', 'lost'],
    ]
    assert [row[2] for row in shown[2:]] == ['down', 'up again']
    calm = findings._replace(alarms=told, closings=(), events=())
    html = page_tables.closings_table(calm)
    assert 'No agent failed' in html and 'Every event (2)' in html
    alone = rows(page_tables.alarms_table(calm))
    assert [row[1] for row in alone] == ['–', '0.80']


def test_changed_parameters_are_told_with_both_values(findings):
    change = ParameterChange(3.25, '/uav_3/agent', 'k_s', None, 4.0)
    shown = rows(page_tables.changes_table(findings._replace(changes=(change,))))
    assert shown == [['3.25', 'k_s', '?', '4.0', 'uav_3/agent']]
    assert 'No parameter change was' in page_tables.changes_table(findings)


def test_no_failure_is_told_from_no_telemetry(flight, findings):
    assert 'No agent failed' in page_tables.closings_table(
        findings._replace(closings=(), events=())
    )
    quiet = find(without(flight, 'telemetry'))
    assert 'Failures are unknown' in page_tables.closings_table(quiet)


def test_topics_are_told_with_rate_gap_and_latency(flight, findings):
    shown = {row[0]: row[1:] for row in rows(page_tables.topics_table(findings))}
    topic = next(one for one in flight.topics if one.name == '/uav_1/odom')
    assert shown['/uav_1/odom'][:3] == [topic.type, str(topic.count), f'{topic.rate:.2f}']


def test_collisions_are_told(findings):
    hit = Collision('uav_1', 'uav_2', 1.0, 2.0, 0.25, 1.5)
    shown = rows(page_tables.collisions_table(findings._replace(collisions=(hit,))))
    assert shown == [['uav_1 and uav_2', '0.25', '1.50', '1.00', '2.00']]
    assert 'No two bodies' in page_tables.collisions_table(findings._replace(collisions=()))


def test_nothing_to_tell_is_said(findings):
    empty = findings._replace(agents=(), topics=(), series={name: [] for name in findings.series})
    for table in (page_tables.agents_table, page_tables.topics_table, page_tables.metrics_table):
        assert table(empty).startswith('<p class="nothing">No ')
