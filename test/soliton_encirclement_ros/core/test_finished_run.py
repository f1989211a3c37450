"""Run folders read back."""

import pytest
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.finished_run import find_runs, read_run
from soliton_encirclement_ros.core.run_folder import create_run_folder
from soliton_encirclement_ros.core.scenario import Scenario
from support.runs import a_scenario, a_summary, leave_run


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


def test_latest_itself_may_be_named(tmp_path):
    leave_run(tmp_path / 'a', a_scenario(), a_summary())
    (tmp_path / 'latest').symlink_to('a')
    assert len(find_runs([tmp_path / 'latest'])) == 1


@pytest.mark.parametrize(
    ('content', 'expected'),
    [
        ('{', 'not valid JSON'),
        ('[1]', 'must hold a JSON object, not list'),
        ('{}', 'no manifest of a run'),
        ('{"scenario": 3}', 'no manifest of a run'),
        ('{"scenario": {"name": "x", "run": {"seed": "one"}, "control": {"controller": "x"}}}',
         'no manifest of a run'),
    ],
)  # fmt: skip
def test_a_manifest_that_is_none_is_named(tmp_path, content, expected):
    (tmp_path / 'manifest.json').write_text(content)
    with pytest.raises(RunError, match=expected) as raised:
        find_runs([tmp_path])
    assert str(tmp_path / 'manifest.json') in str(raised.value)


def test_a_folder_without_runs_and_a_path_without_folder_are_named(tmp_path):
    with pytest.raises(RunError, match='no run folder and none inside'):
        find_runs([tmp_path])
    with pytest.raises(RunError, match=r'nowhere: cannot read: No such file'):
        find_runs([tmp_path / 'nowhere'])
    with pytest.raises(RunError, match=r'xxx: cannot read: File name too long'):
        find_runs([tmp_path / ('x' * 300)])
