"""Run folders read back."""

import json
import math

import pytest

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.finished_run import find_runs, read_run, read_samples
from soliton_encirclement_ros.core.run.run_folder import create_run_folder
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.recorded.runs import a_scenario, a_summary, leave_run


def test_what_was_left_is_read_back(tmp_path):
    folder = leave_run(tmp_path / 'r', a_scenario('soliton_v1', 7), a_summary(0.3), 'then')
    run = read_run(folder)
    assert (run.controller, run.seed, run.created, run.flaw) == ('soliton_v1', 7, 'then', '')
    assert run.summary['metrics_mean']['E_gap'] == 0.3


def test_the_folder_of_a_real_run_is_one(tmp_path):
    scenario = Scenario('x').with_changes({'run': {'seed': 9}}, 'test')
    folder = create_run_folder(tmp_path, scenario, ['swarm'], 'soliton_v1-s9')
    assert folder.name.endswith('-x-soliton_v1-s9')
    (run,) = find_runs([tmp_path])
    assert (run.seed, run.flaw, run.scenario) == (9, 'no summary.json', scenario.as_dict())


@pytest.mark.parametrize(
    ('summary', 'flaw'),
    [
        (None, 'no summary.json'),
        (a_summary(interrupted=True), 'interrupted'),
        (a_summary(complete=False), 'incomplete'),
        ({'metrics_mean': {}}, ''),
    ],
)
def test_a_run_that_broke_off_says_why_it_does_not_count(tmp_path, summary, flaw):
    assert read_run(leave_run(tmp_path / 'r', a_scenario(), summary)).flaw == flaw


def test_a_folder_of_runs_gives_each_once_however_often_it_is_named(tmp_path):
    for name in ('b', 'a'):
        leave_run(tmp_path / name, a_scenario(), a_summary())
    (tmp_path / 'latest').symlink_to('a')
    (tmp_path / 'notes').mkdir()
    (tmp_path / 'file').write_text('')
    paths = [tmp_path, tmp_path / 'a', tmp_path / 'latest', tmp_path]
    assert [run.name for run in find_runs(paths)] == [str(tmp_path / n) for n in ('a', 'b')]


@pytest.mark.parametrize(
    ('content', 'expected'),
    [
        ('{', 'not valid JSON'),
        ('[1]', 'must hold a JSON object, not list'),
        ('{"scenario": {"name": "x", "run": {"seed": "one"}, "control": {"controller": "x"}}}',
         'no manifest of a run'),
    ],
)  # fmt: skip
def test_a_manifest_that_is_none_is_named(tmp_path, content, expected):
    (tmp_path / 'manifest.json').write_text(content)
    with pytest.raises(RunError, match=expected) as raised:
        find_runs([tmp_path])
    assert str(tmp_path / 'manifest.json') in str(raised.value)


@pytest.mark.parametrize(
    ('section', 'values', 'expected'),
    [
        ('name', ['x'], "scenario.name = ['x'] must be a text"),
        ('control', None, 'scenario.control = None must be a mapping'),
        ('run', {'seed': 'x', 'num_agents': 3}, "scenario.run.seed = 'x' must be a whole number"),
        ('run', {'seed': True, 'num_agents': 3}, 'scenario.run.seed = True must be a whole'),
        ('run', {'seed': 1, 'num_agents': []}, 'scenario.run.num_agents = [] must be a whole'),
    ],
)
def test_a_manifest_that_does_not_tell_what_was_flown_is_refused(
    tmp_path, section, values, expected
):
    folder = leave_run(tmp_path / 'r', {**a_scenario(), section: values}, a_summary())
    with pytest.raises(RunError) as raised:
        read_run(folder)
    assert f'{folder}/manifest.json: no manifest of a run: {expected}' in str(raised.value)


@pytest.mark.parametrize(
    ('summary', 'expected'),
    [
        ({}, 'metrics_mean = None must map metrics to numbers'),
        (a_summary(e_r='x'), "metrics_mean.E_r = 'x' must be a number or null"),
        (a_summary(min_separation_m=[1]), 'min_separation_m = [1] must be a number'),
        (a_summary(settling_time_s=True), 'settling_time_s = True must be a number'),
        (a_summary(duration_s=float('nan')), 'duration_s = nan must be a number'),
        (a_summary(agents=10**400), 'agents = 1000'),
    ],
)
def test_a_summary_with_figures_that_are_none_is_refused(tmp_path, summary, expected):
    folder = leave_run(tmp_path / 'r', a_scenario(), summary)
    with pytest.raises(RunError) as raised:
        read_run(folder)
    assert f'{folder}/summary.json: no summary of a run: ' in str(raised.value)
    assert expected in str(raised.value)


@pytest.mark.parametrize(
    ('rows', 'expected'),
    [
        ('1,0,0,0,0,0\n0,0,0,0,0,0\n', 'times must be numbers in ascending order'),
        ('1e400,0,0,0,0,0\n', 'times must be numbers'),
        ('', 'not a table of time'),
        ('1,x,0,0,0,0\n', 'not a table of time'),
    ],
)
def test_a_table_of_metrics_that_is_none_is_named(tmp_path, rows, expected):
    (tmp_path / 'target_telemetry.csv').write_text('timestamp,E_r,E_vr,rho,G_max,E_gap\n' + rows)
    with pytest.raises(RunError, match=rf'target_telemetry\.csv: .*{expected}'):
        read_samples(tmp_path)


def test_metrics_without_agents_are_no_numbers_and_that_is_right(tmp_path):
    head = 'timestamp,E_r,E_vr,rho,G_max,E_gap\n'
    (tmp_path / 'target_telemetry.csv').write_text(head + '1,nan,nan,nan,nan,nan\n')
    assert read_samples(tmp_path)['time'] == [1.0]


def test_a_table_of_an_earlier_version_lacks_the_last_metric(tmp_path):
    path = tmp_path / 'target_telemetry.csv'
    path.write_text('timestamp,E_r,E_vr,rho,G_max,E_gap\n1,2,3,4,5,6\n')
    samples = read_samples(tmp_path)
    assert samples['E_gap'] == [6.0] and math.isnan(samples['E_wgap'][0])
    path.write_text('timestamp,E_r,E_vr,rho,G_max,E_gap,E_wgap,x\n1,2,3,4,5,6,7,8\n')
    assert read_samples(tmp_path) == {'time': [1.0], **samples, 'E_wgap': [7.0]}


def test_json_of_any_depth_is_read_or_named(tmp_path):
    folder = leave_run(tmp_path / 'r', a_scenario(), None)
    (folder / 'summary.json').write_text('[' * 100_000)
    with pytest.raises(RunError, match=r'summary\.json: not valid JSON'):
        read_run(folder)
    (folder / 'summary.json').write_text(json.dumps(a_summary(settling_time_s=None)))
    assert read_run(folder).flaw == ''


def test_a_folder_without_runs_and_a_path_without_folder_are_named(tmp_path):
    with pytest.raises(RunError, match='no run folder and none inside'):
        find_runs([tmp_path])
    with pytest.raises(RunError, match=r'nowhere: no such file or folder; name a run folder'):
        find_runs([tmp_path / 'nowhere'])
    with pytest.raises(RunError, match=r'xxx: cannot read: File name too long'):
        find_runs([tmp_path / ('x' * 300)])
