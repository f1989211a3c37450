"""Tables of a flight, read back from their files."""

import csv
import json
from types import SimpleNamespace

import numpy as np
import pytest
from pyarrow import parquet

from soliton_encirclement_ros.analysis.findings import default_settings, find
from soliton_encirclement_ros.analysis.findings.finding_records import Alarm, Collision
from soliton_encirclement_ros.analysis.recording import ParameterChange
from soliton_encirclement_ros.analysis.recording_tables import _of_law, tables_of, write_tables
from soliton_encirclement_ros.analysis.table_files import FORMATS
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.recorded.recordings import body, recording_of, recording_with, without

NAMES = ['agents', 'target', 'commands', 'metrics', 'events']
FLOWN = Scenario('told').with_changes(
    {
        'run': {'sim_duration': 6.0, 'num_agents': 3},
        'failure': {'failure_enable': False, 'failure_schedule': '2..4: 2'},
    },
    'test',
)


@pytest.fixture(scope='module')
def recording():
    return recording_of(FLOWN)


@pytest.fixture(scope='module')
def findings(recording):
    crash = Collision('uav_1', 'target', 3.0, 3.5, 0.25, 3.25)
    change = ParameterChange(3.5, '/uav_3/agent', 'k_s', 1.5, 4.0)
    alarm = Alarm(3.2, 3.9, 'uav_2/agent', 'odometry lost')
    recording = recording._replace(changes=(change,))
    return find(recording)._replace(collisions=(crash,), alarms=(alarm,))


@pytest.fixture(scope='module')
def tables(recording, findings, tmp_path_factory):
    folder = tmp_path_factory.mktemp('report')
    for form in FORMATS:
        written = [*write_tables(folder, form, findings)]
        names = [*(f'{name}.{form}' for name in NAMES), 'columns.json']
        assert [path.name for path in written] == names
    return folder / 'tables'


def read(tables, name):
    return parquet.read_table(tables / f'{name}.parquet').to_pydict()


def test_csv_and_parquet_hold_the_same(tables):
    for name in NAMES:
        columns = read(tables, name)
        with (tables / f'{name}.csv').open(encoding='utf-8', newline='') as file:
            header, *rows = csv.reader(file)
        assert header == [*columns] and len(rows) == len(columns['timestamp']) > 0
        for i, column in enumerate(header):
            for row, value in zip(rows, columns[column], strict=True):
                assert same(row[i], value), (name, column, row[i], value)


def same(text, value):
    if value is None:
        return text == ''
    if isinstance(value, bool):
        return text == str(value).lower()
    return text == value if isinstance(value, str) else float(text) == value


def test_every_column_has_its_unit_in_the_schema_and_in_the_list(tables):
    told = json.loads((tables / 'columns.json').read_text(encoding='utf-8'))
    assert [*told] == NAMES
    for name in NAMES:
        schema = parquet.read_schema(tables / f'{name}.parquet')
        units = {field.name: field.metadata[b'unit'].decode() for field in schema}
        assert units == {column['name']: column['unit'] for column in told[name]}
        assert units['timestamp'] == 's'
        assert all(column['meaning'] for column in told[name])
    agents = {column['name']: column['unit'] for column in told['agents']}
    assert [agents[name] for name in ('x', 'vx', 'yaw', 'failed', 'u', 'w_spin', 'loss')] == [
        'm', 'm/s', 'rad', '', 'rad/s', 'm/s', '',
    ]  # fmt: skip


def test_agents_have_a_row_per_sample_with_what_was_known_then(tables, recording):
    columns = read(tables, 'agents')
    two = [i for i, name in enumerate(columns['name']) if name == 'uav_2']
    track, told = recording.members['uav_2'].track, recording.members['uav_2'].telemetry
    assert [columns['timestamp'][i] for i in two] == [*track.time]
    assert [columns['x'][i] for i in two] == [*track.position[:, 0]]
    assert [columns['failed'][i] for i in two] == [*told.failed]
    assert [columns['pred'][i] for i in two] == [*told.pred]
    assert [columns['u'][i] for i in two] == [*told.values['u']]
    assert {columns['node_id'][i] for i in two} == {2}
    speed = np.linalg.norm(track.velocity, axis=1)
    np.testing.assert_allclose([columns['velocity_norm'][i] for i in two], speed)


def test_words_of_one_who_is_silent_are_unknown_after_a_while(tables):
    columns = read(tables, 'agents')
    rows = zip(columns['name'], columns['timestamp'], columns['seq'], strict=True)
    silent = [time for name, time, seq in rows if name == 'uav_2' and seq is None]
    assert silent[0] == pytest.approx(2.2) and silent[-1] == pytest.approx(3.95)


def test_target_and_adversary_share_a_table(tables, recording):
    columns = read(tables, 'target')
    assert set(columns['name']) == {'target', 'adversary'}
    weights = {name for name in columns if name.endswith('/lambda')}
    assert weights == {f'uav_{k}/lambda' for k in (1, 2, 3)}
    words = recording.members['target'].states
    first = columns['name'].index('target')
    assert columns['seq'][first : first + 3] == [*words.seq[:3]]


def test_commands_of_every_member(tables, recording):
    columns = read(tables, 'commands')
    for name, member in recording.members.items():
        rows = [i for i, other in enumerate(columns['name']) if other == name]
        assert [columns['vx'][i] for i in rows] == [*member.commands.velocity[:, 0]]
        number = int(name[4:]) if name.startswith('uav') else None
        assert {columns['node_id'][i] for i in rows} == {number}


def test_metrics_are_the_series(tables, findings):
    columns = read(tables, 'metrics')
    for name in (*METRIC_NAMES, 'alive', 'min_separation'):
        assert columns[name] == [*findings.series[name]]


def test_events_are_in_order_of_time(tables):
    columns = read(tables, 'events')
    assert columns['timestamp'] == [2.0, 3.0, 3.2, 3.5, 4.0]
    assert columns['event'] == ['down', 'collision', 'alarm', 'parameter', 'up']
    assert columns['node_id'] == [2, 1, 2, None, 2]
    assert columns['other'] == [None, 'target', None, 'k_s', None]
    assert columns['end'] == [None, 3.5, 3.9, None, None]
    assert columns['text'] == [None, None, 'odometry lost', None, None]
    assert columns['name'][2] == 'uav_2/agent'
    told = [columns[name][3] for name in ('name', 'before', 'after')]
    assert told == ['/uav_3/agent', '1.5', '4.0']
    assert columns['peak_G_max'][0] > 1.0 and columns['peak_G_max'][1] is None


def test_the_same_recording_gives_the_same_bytes(recording, findings, tables, tmp_path):
    for form in FORMATS:
        for path in write_tables(tmp_path, form, findings):
            assert path.read_bytes() == (tables / path.name).read_bytes()


def test_what_is_unknown_is_empty(tmp_path):
    recording = recording_with(body('uav_1', [0.0, 1.0], (1.0, 2.0, 3.0)))
    found = find(recording)
    for form in FORMATS:
        assert len([*write_tables(tmp_path, form, found)]) == 6
    columns = read(tmp_path / 'tables', 'metrics')
    assert set(columns['E_r']) == {None} and set(columns['min_separation']) == {None}
    lines = (tmp_path / 'tables' / 'metrics.csv').read_text(encoding='utf-8').splitlines()
    assert lines[1] == '0.0,,,,,,,1,'
    assert read(tmp_path / 'tables', 'agents')['failed'] == [None, None]
    assert read(tmp_path / 'tables', 'events')['timestamp'] == []


def test_an_agent_that_is_the_target_is_in_its_table(recording):
    found = find(recording, default_settings(recording, 'uav_2'))
    _, target, *_ = tables_of(found)
    assert [part['name'] for part in target.parts()] == ['uav_2', 'adversary']


def test_a_value_called_like_a_column_does_not_replace_it():
    recording = recording_of(FLOWN)
    odd = recording.members['uav_1']
    odd = odd._replace(telemetry=odd.telemetry._replace(values={'x': odd.telemetry.time}))
    recording = recording._replace(members={**recording.members, 'uav_1': odd})
    agents, *_ = tables_of(find(recording))
    assert [column.name for column in agents.columns].count('x') == 1
    assert next(agents.parts())['x'][0] == odd.track.position[0, 0]


def test_members_without_odometry_have_rows_of_their_telemetry_or_words(recording):
    for lacking in (['track'], ['track', 'telemetry']):
        less = without(recording, *lacking)
        agents, *_ = tables_of(find(less))
        parts = {part['name']: part for part in agents.parts()}
        assert len(parts['uav_1']['timestamp']) == 120 and 'yaw' not in parts['uav_1']
    nothing = without(recording, 'track', 'telemetry', 'states')
    agents, *_ = tables_of(find(nothing))
    assert [*agents.parts()] == [{}, {}, {}]


def test_the_truth_stands_beside_what_was_measured(recording, tmp_path):
    """Between two samples of the truth as well; unknown where it is not recorded."""
    name = 'uav_2'
    member = recording.members[name]
    true = member.track._replace(position=member.track.position + np.array([1.0, 2.0, 3.0]))
    later = true._replace(**{field: column[20:] for field, column in true._asdict().items()})
    members = {**recording.members, name: member._replace(truth=later)}
    known = recording._replace(members=members)
    for table in tables_of(find(known)):
        columns = [column.name for column in table.columns]
        assert ('true_x' in columns) == (table.name == 'agents')
    [*write_tables(tmp_path, 'parquet', find(known))]
    pandas = parquet.read_table(tmp_path / 'tables' / 'agents.parquet').to_pandas()
    mine, others = pandas[pandas.name == name], pandas[pandas.name != name]
    assert others.true_x.isna().all() and mine.true_x.isna().sum() == 20
    off = (mine.true_y - mine.y).dropna()
    assert len(off) > 50 and np.allclose(off, 2.0)


def test_a_law_that_a_recording_names_is_not_run_for_its_units(recording, tmp_path):
    law = tmp_path / 'mine.py'
    law.write_text('from pathlib import Path; Path(__file__).with_name("ran").touch()\n')
    control = SimpleNamespace(controller=f'{law}:LAW')
    foreign = recording._replace(scenario=SimpleNamespace(control=control))
    assert _of_law(foreign, 'e').meaning == 'telemetry of the law'
    assert not law.with_name('ran').exists()
