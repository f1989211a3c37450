"""Tables and texts of the page: the figures of the findings to the digit, manifest, scenario."""

import json
import math
import re
from pathlib import Path

import pytest

from soliton_encirclement_ros.analysis.findings import default_settings, find
from soliton_encirclement_ros.analysis.findings.finding_records import Alarm, Collision
from soliton_encirclement_ros.analysis.recording import HEADER, ParameterChange
from soliton_encirclement_ros.analysis.report import page_tables
from soliton_encirclement_ros.analysis.report.page import (
    name_of, notes, origin, page, read_manifest, tiles, verdict
)
from soliton_encirclement_ros.core.flight_statistics.near_misses import RATES
from support.recorded.recordings import body, recording_with, without


def rows(html):
    """Return the cells of every row of a table's body, as text."""
    body = ''.join(re.findall(r'<tbody>(.*?)</tbody>', html, re.DOTALL))
    lines = re.findall(r'<tr.*?>(.*?)</tr>', body, re.DOTALL)
    return [re.findall(r'<t[hd].*?>(.*?)</t[hd]>', line, re.DOTALL) for line in lines]


def test_metrics_are_told_with_their_end_and_their_extremes(findings):
    shown = {row[0]: row[1:] for row in rows(page_tables.metrics_table(findings))}
    series = findings.series['E_gap']
    assert shown['E gap'][:4] == [
        f'{findings.averages["E_gap"]:.3f}', f'{series[-1]:.3f}', f'{min(series):.3f}',
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


def test_without_a_target_events_close_no_ring(flight, findings):
    alone = find(flight, findings.settings._replace(target=None, radius=math.nan))
    html = page_tables.closings_table(alone)
    assert 'Closing of the ring' not in html and '<details open>' in html
    assert [row[1:] for row in rows(html)] == [['uav_2', 'down'], ['uav_2', 'up again']]


def test_changed_parameters_are_told_with_both_values(findings):
    change = ParameterChange(3.25, '/uav_3/agent', 'k_s', None, 4.0)
    tuned = findings._replace(recording=findings.recording._replace(changes=(change,)))
    shown = rows(page_tables.parameters_section(tuned))
    assert shown == [['3.25', 'k_s', '?', '4.0', 'uav_3/agent']]
    assert 'No parameter change was' in page_tables.parameters_section(findings)


def test_no_failure_is_told_from_no_telemetry(flight, findings):
    assert 'No agent failed' in page_tables.closings_table(
        findings._replace(closings=(), events=())
    )
    quiet = find(without(flight, 'telemetry'))
    assert 'Failures are unknown' in page_tables.closings_table(quiet)


def test_collisions_are_told(findings):
    hit = Collision('uav_1', 'uav_2', 1.0, 2.0, 0.25, 1.5)
    shown = rows(page_tables.collisions_table(findings._replace(collisions=(hit,))))
    assert shown == [['uav_1 and uav_2', '0.25', '1.50', '1.00', '2.00']]
    assert 'No two bodies' in page_tables.collisions_table(findings._replace(collisions=()))


def test_nothing_to_tell_is_said(findings):
    bare = findings.recording._replace(topics=())
    series = {name: [] for name in findings.series}
    empty = findings._replace(recording=bare, agents=(), series=series)
    for table in (page_tables.agents_table, page_tables.topics_table, page_tables.metrics_table):
        assert table(empty).startswith('<p class="nothing">No ')


def test_the_verdict_has_a_word_and_a_reason(findings):
    shown = verdict(findings)
    word = 'Encircled' if findings.encircled else 'Not encircled'
    assert f'<strong>{word}</strong>' in shown
    assert 'E_gap' in shown


def test_without_a_target_nothing_is_judged(flight):
    others = {name: member for name, member in flight.members.items() if name != 'target'}
    assert 'Not judged' in verdict(find(flight._replace(members=others)))


def test_figures_have_units_and_names(findings):
    shown = tiles(findings)
    nearest = findings.min_separation
    assert f'{nearest.distance:.2f} m' in shown and nearest.first in shown
    assert '20.0 s' in shown and '20.0 m' in shown
    assert '<dt>Failures</dt><dd>1<small>1 recovered' in shown


def test_near_misses_are_per_minute(findings):
    summary = {**findings.summary, **dict(zip(RATES, (3.06, 0.5, None), strict=True))}
    shown = tiles(findings._replace(summary=summary))
    assert '<dt>Nearer than 2 m</dt><dd>3.1 / min<small>0.5 below 1 m</small>' in shown
    unknown = {**summary, **dict.fromkeys(RATES)}
    assert '<dt>Nearer than 2 m</dt><dd>–</dd>' in tiles(
        findings._replace(summary=unknown)
    )


def test_a_long_name_leaves_room_in_its_tile(findings):
    long = 'a_vehicle_with_a_very_long_name'
    nearest = findings.min_separation._replace(first=f'{long}_1', second=f'{long}_2')
    shown = tiles(findings._replace(min_separation=nearest))
    assert long not in shown and '…ery_long_name_1, …ery_long_name_2 at' in shown


def test_many_problems_are_folded(flight, findings):
    shown = notes(findings._replace(problems=tuple(map(str, range(100)))))
    assert '96 more' in shown and shown.count('<li>') == 100


@pytest.fixture
def run(tmp_path):
    (tmp_path / 'manifest.json').write_text(
        json.dumps(
            {
                'command': ['swarm', 'run <b>'],
                'seed': 7,
                'machine': {'cores': 2},
                'distro': None,
                'dirty': True,
            }
        )
    )
    return tmp_path


def test_the_manifest_of_the_run_is_shown(run, flight, findings):
    shown = origin(findings._replace(recording=flight._replace(path=run)))
    assert 'distro: null\ndirty: true</pre>' in shown
    assert 'run &lt;b&gt;' in shown and 'machine:\n  cores: 2\n' in shown


def test_it_is_found_from_the_bag_in_the_folder(run):
    assert read_manifest(run / 'bag') == read_manifest(run)
    assert read_manifest(run)['seed'] == 7


@pytest.mark.parametrize('text', ['', '{', '[' * 100_000, '\udcff', ' ' * 2_000_000])
def test_a_manifest_that_cannot_be_read_is_none(run, text):
    (run / 'manifest.json').write_text(text, errors='surrogateescape')
    assert read_manifest(run) is None


@pytest.mark.parametrize('content', [3, ['a'], None])
def test_a_manifest_of_another_form_is_shown_as_it_is(run, flight, findings, content):
    (run / 'manifest.json').write_text(json.dumps(content))
    assert origin(findings._replace(recording=flight._replace(path=run)))
    (run / 'manifest.json').unlink()
    assert 'No manifest' in origin(findings._replace(recording=flight._replace(path=run)))


def test_values_that_are_not_the_defaults_stand_out(flight, findings):
    shown = origin(findings)
    changed, everything = shown.split('Everything')
    assert 'protection_angle_deg: 240.0' in changed and 'k_r: 1.15' not in changed
    assert 'k_r: 1.15' in everything
    unknown = findings._replace(recording=flight._replace(scenario=None))
    assert 'scenario is unknown' in origin(unknown)


def test_a_recording_is_called_as_its_folder(tmp_path):
    run = tmp_path / '20260101T000000Z-demo'
    (run / 'bag').mkdir(parents=True)
    (tmp_path / 'latest').symlink_to(run.name)
    assert name_of(tmp_path / 'latest') == run.name
    assert name_of(run / 'bag') == 'bag'
    (run / 'manifest.json').write_text('{}')
    assert name_of(tmp_path / 'latest' / 'bag') == run.name
    assert name_of(Path('/')) == 'recording'


def test_a_flight_of_other_software_has_no_tables_and_tiles_of_dashes():
    """Nothing of rings, filters, parameters and limits that it never had."""
    drones = [body(name, [0.0, 10.0], (10.0 * k, 0.0, 0.0)) for k, name in enumerate('ab')]
    recording = recording_with(*drones, clock=HEADER, start_ns=1_780_000_000 * 10**9)
    findings = find(recording)
    html = page(findings)
    main = html[: html.index('<script')]
    for text in ('Parameters changed', 'Separation filter', 'not known', 'No manifest', '–'):
        assert text not in main, text
    assert '<dd>2026-05-28T20:26:40+00:00</dd>' in main
    heads = re.findall('<span class="head">(.*?)</span>', page_tables.agents_table(findings))
    assert heads == ['Agent', 'Distance', 'Mean speed', 'Nearest other', 'Failures', 'Down']
    assert 'Settled after' in tiles(find(recording, default_settings(recording, 'a')))
