"""A run's folder is there with its manifest, or not at all."""

import os
import subprocess
import sys

import pytest

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.parameters.run_parameters import RunParameters
from soliton_encirclement_ros.core.run import run_folder
from soliton_encirclement_ros.core.run.finished_run import is_run
from soliton_encirclement_ros.core.run.run_folder import (
    PARAMETERS, changed_values, create_run_folder
)
from soliton_encirclement_ros.core.scenario.overrides import LAUNCH, requested_scenario
from soliton_encirclement_ros.core.scenario.scenario import Scenario


def test_the_folder_is_a_run_s_and_the_latest(tmp_path):
    folder = create_run_folder(tmp_path / 'runs', Scenario('demo'), sys.argv, 'again')
    assert is_run(folder) and folder.name.endswith('-demo-again')
    assert (tmp_path / 'runs' / 'latest').resolve() == folder


def test_the_values_of_the_scenario_that_are_not_the_defaults_are_in_its_table(tmp_path):
    """With where each came from; a scenario of no file counts as its own origin."""
    file = tmp_path / 'own.yaml'
    file.write_text('run: {num_agents: 4, seed: 7}\nmobility: {tau_xy: none}\n', encoding='utf-8')
    vehicle = tmp_path / 'vehicle.yaml'
    vehicle.write_text('mobility: {max_speed_xy: 3.0, tau_xy: 1.0}\n', encoding='utf-8')
    settings, options = ['run.seed=9', 'run.num_agents=4'], {'run': {'sim_duration': 5.0}}
    asked = requested_scenario(str(file), settings, str(vehicle), options, LAUNCH)
    folder = create_run_folder(tmp_path / 'runs', asked, [])
    assert (folder / PARAMETERS).read_text(encoding='utf-8').splitlines()[1:] == [
        'scenario,run.sim_duration,5.0,300.0,s,launch arguments',
        'scenario,run.seed,9,0,,launch arguments',
        f'scenario,run.num_agents,4,10,,{file}',
        f'scenario,mobility.max_speed_xy,3.0,10.0,m/s,{vehicle}',
    ]
    (one,) = changed_values(Scenario('plain', run=RunParameters(seed=1)))
    assert one == ('run.seed', 1, 0, '', 'plain')


def test_runs_of_the_same_second_have_folders_of_their_own(tmp_path):
    folders = {create_run_folder(tmp_path, Scenario('demo'), []) for _ in range(3)}
    assert len(folders) == 3 and all(map(is_run, folders))


@pytest.mark.parametrize('reason', [KeyboardInterrupt(), OSError(28, 'No space left on device')])
def test_without_its_manifest_no_folder_stays(tmp_path, monkeypatch, reason):
    def give_up(path, content):
        path.with_name(f'{path.name}.part').write_text('half')
        raise reason

    monkeypatch.setattr(run_folder, 'write_json', give_up)
    with pytest.raises((KeyboardInterrupt, RunError)):
        create_run_folder(tmp_path, Scenario('demo'), [])
    assert list(tmp_path.iterdir()) == []


def test_what_takes_long_comes_before_the_folder(tmp_path, monkeypatch):
    def ask(*_):
        assert list(tmp_path.iterdir()) == []
        raise KeyboardInterrupt

    monkeypatch.setattr(run_folder, '_git_commit', ask)
    with pytest.raises(KeyboardInterrupt):
        create_run_folder(tmp_path, Scenario('demo'), [])


@pytest.mark.parametrize('kind', ['file', 'folder'])
def test_what_somebody_else_has_called_latest_stays(tmp_path, kind):
    own = tmp_path / 'latest'
    own.mkdir() if kind == 'folder' else own.write_text('precious')
    folder = create_run_folder(tmp_path, Scenario('demo'), [])
    assert is_run(folder) and not own.is_symlink()
    assert own.is_dir() if kind == 'folder' else own.read_text() == 'precious'


def test_the_commit_is_read_and_nothing_is_written(tmp_path, monkeypatch):
    """git would refresh its index, whose lock stays if it is ended meanwhile."""
    who = ('-c', 'user.name=x', '-c', 'user.email=x@y')
    for words in (('init', '-q'), ('add', '.'), (*who, 'commit', '-qm', 'first')):
        (tmp_path / 'file').touch()
        subprocess.run(('git', *words), cwd=tmp_path, check=True)
    os.utime(tmp_path / 'file', (1, 1))
    before = (tmp_path / '.git' / 'index').read_bytes()
    commit = run_folder._git_commit(tmp_path)
    assert len(commit) == 40
    assert (tmp_path / '.git' / 'index').read_bytes() == before
    (tmp_path / 'file').write_text('other')
    assert run_folder._git_commit(tmp_path) == f'{commit}-dirty'
    (tmp_path / 'empty').mkdir()
    monkeypatch.setenv('GIT_CEILING_DIRECTORIES', str(tmp_path))
    assert run_folder._git_commit(tmp_path / 'empty') is None
