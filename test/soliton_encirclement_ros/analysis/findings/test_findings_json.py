"""Findings as JSON; every figure and every column stands in docs/how_to/report.md."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.findings import AgentFindings, as_json, find
from soliton_encirclement_ros.analysis.findings.finding_records import (
    AGENT_UNITS, started, to_plain
)
from soliton_encirclement_ros.analysis.recording_tables import tables_of
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.recorded.recordings import recording_of, recording_with, without

FLOWN = Scenario('told').with_changes(
    {
        'run': {'sim_duration': 10.0, 'num_agents': 3, 'seed': 2},
        'failure': {'failure_enable': False, 'failure_schedule': '2..4: 2'},
    },
    'test',
)


@pytest.fixture(scope='module')
def recording():
    return recording_of(FLOWN)


def strict(content):
    return json.loads(json.dumps(content, allow_nan=False))


def test_everything_but_the_series_is_there(recording):
    found = find(recording)
    told = strict(as_json(found))
    assert told['summary'] == strict(found.summary)
    assert [one['name'] for one in told['agents']] == ['uav_1', 'uav_2', 'uav_3']
    assert told['agents'][1]['outages'] == [{'begin': 2.0, 'end': 4.0}]
    assert told['min_separation']['distance'] == found.min_separation.distance
    assert [(one['time_s'], one['agent'], one['failed']) for one in told['events']] == [
        (2.0, 'uav_2', True), (4.0, 'uav_2', False),
    ]  # fmt: skip
    assert told['settings']['radius_m'] == 20.0 and told['started'] is None
    assert told['live']['samples'] == 200 and told['problems'] == []
    assert {topic['name'] for topic in told['topics']} >= {'/uav_1/odom', '/swarm/metrics'}


def test_whatever_is_unknown_is_null(recording):
    strict(as_json(find(without(recording, 'states', 'track', 'telemetry', 'scenario'))))
    told = strict(as_json(find(recording_with())))
    assert told['agents'] == [] and told['settings']['radius_m'] is None
    odd = {1: (np.int64(3), np.bool_(True), math.inf, np.float64('nan'))}
    assert strict(to_plain(odd)) == {'1': [3, True, None, None]}


def test_every_figure_of_an_agent_that_is_one_number_has_a_unit():
    others = {'agent_id', 'name', 'outages'}
    assert set(AGENT_UNITS) == set(AgentFindings._fields) - others


def test_the_start_is_a_date_only_on_a_real_clock(recording):
    assert started(recording) is None
    real = recording._replace(clock='header', start_ns=1_700_000_000_250_000_000)
    assert started(real) == '2023-11-14T22:13:20.250000+00:00'
    assert started(real._replace(start_ns=10**30)) is None
    assert as_json(find(real._replace(path=Path('a'))))['path'] == 'a'


SHORT = Scenario('short').with_changes({'run': {'sim_duration': 0.2, 'num_agents': 2}}, 'test')


@pytest.fixture(scope='module')
def page(repository):
    return (repository / 'docs' / 'how_to' / 'report.md').read_text(encoding='utf-8')


def test_figures_have_their_unit(page):
    rows = {
        name: [cell.strip() for cell in line.split('|')[1:-1]]
        for line in page.replace('\\|', '').splitlines()
        if line.startswith('| `')
        for name in (*AGENT_UNITS, *METRIC_NAMES)
        if f'`{name}`' in line.split('|')[1]
    }
    assert {*rows} == {*AGENT_UNITS, *METRIC_NAMES}
    for name, unit in AGENT_UNITS.items():
        if unit:
            assert unit in rows[name][1], name


def test_columns_are_named(page):
    recording = without(recording_of(SHORT), 'states', 'telemetry')
    for table in tables_of(find(recording)):
        (line,) = [one for one in page.splitlines() if one.startswith(f'| `{table.name}` |')]
        for column in table.columns:
            where = page if column.name == 'velocity_norm' or table.name == 'target' else line
            assert f'`{column.name}`' in where, (table.name, column.name)
