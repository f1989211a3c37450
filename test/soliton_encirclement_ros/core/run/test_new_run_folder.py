"""A run's folder is there with its manifest, or not at all."""

import os
import subprocess
import sys

import pytest
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run import run_folder
from soliton_encirclement_ros.core.run.finished_run import is_run
from soliton_encirclement_ros.core.run.run_folder import create_run_folder
from soliton_encirclement_ros.core.scenario.scenario import Scenario


def test_the_folder_is_a_run_s_and_the_latest(tmp_path):
    folder = create_run_folder(tmp_path / 'runs', Scenario('demo'), sys.argv, 'again')
    assert is_run(folder) and folder.name.endswith('-demo-again')
    assert (tmp_path / 'runs' / 'latest').resolve() == folder


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
