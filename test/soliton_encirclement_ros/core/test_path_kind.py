"""What lies at a path, where nobody can tell why, and names that a file may have."""

import errno
import os
from pathlib import Path

import pytest

from soliton_encirclement_ros.core.errors import RunError, ScenarioError
from soliton_encirclement_ros.core.files import (
    MAX_LENGTH, checked_name, is_file, is_folder, is_there, name_from, refuse_endless
)
from soliton_encirclement_ros.core.scenario.user_files import find_file


def test_files_folders_and_nothing(tmp_path):
    (tmp_path / 'file').write_text('')
    (tmp_path / 'dangling').symlink_to('nowhere')
    kinds = {
        name: (is_there(tmp_path / name), is_file(tmp_path / name), is_folder(tmp_path / name))
        for name in ('file', '', 'nothing', 'file/below', 'dangling', 'a\0b')
    }
    nothing = (False, False, False)
    assert kinds == {
        'file': (True, True, False), '': (True, False, True), 'nothing': nothing,
        'file/below': nothing, 'dangling': nothing, 'a\0b': nothing,
    }  # fmt: skip


@pytest.mark.parametrize('look', [is_there, is_file, is_folder])
def test_a_path_that_cannot_be_looked_at_is_named_with_the_reason(tmp_path, look):
    circle = tmp_path / 'circle'
    circle.symlink_to(circle)
    for path, reason in ((circle, 'Too many levels'), (tmp_path / ('x' * 300), 'name too long')):
        with pytest.raises(RunError, match=f'^{path}: cannot read: .*{reason}'):
            look(path)
    with pytest.raises(ScenarioError, match='too long'):
        look(tmp_path / ('x' * 300), ScenarioError)


def test_a_folder_that_may_not_be_entered_is_said_so(monkeypatch):
    look = Path.stat

    def refuse(path, **options):
        if path.parent.name == 'locked':
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return look(path, **options)

    monkeypatch.setattr(Path, 'stat', refuse)  # the tests may run as root, who may enter
    with pytest.raises(ScenarioError, match=r'^locked/a\.yaml: cannot read: Permission denied$'):
        find_file('scenario', 'locked/a.yaml')


def test_what_may_never_end_is_refused_and_nothing_else(tmp_path):
    pipe = tmp_path / 'pipe'
    os.mkfifo(pipe)
    (tmp_path / 'link').symlink_to(pipe)
    for path in (pipe, tmp_path / 'link', Path('/dev/zero')):
        with pytest.raises(ScenarioError) as caught:
            refuse_endless(path, ScenarioError)
        assert str(caught.value) == (
            f'{path}: is a pipe or a device, which may never end; name a regular file'
        )
    (tmp_path / 'file').write_text('')
    for name in ('', 'file', 'nothing'):
        refuse_endless(tmp_path / name)


@pytest.mark.parametrize('kind', ['scenario', 'vehicle', 'sweep'])
def test_a_name_that_is_too_long_is_no_name_of_a_file(kind):
    with pytest.raises(ScenarioError, match='xxx: cannot read: File name too long'):
        find_file(kind, 'x' * 300)


@pytest.mark.parametrize(
    ('file', 'name'),
    [
        ('quad.yaml', 'quad'),
        ('my quad.v2.yaml', 'my_quad.v2'),
        ('_.-x.yaml', 'x'),
        ('größe.yaml', 'größe'),
        ('___.yaml', 'default'),
        ('a' * 150 + '.yaml', 'a' * MAX_LENGTH),
    ],
)
def test_a_name_made_from_a_file_is_allowed(file, name):
    made = name_from(Path('/some/where', file), 'default')
    assert made == name
    assert checked_name(made, 'file') == name


TOO_LONG = 'x' * (MAX_LENGTH + 1)


@pytest.mark.parametrize('name', ['', 'a/b', '..', '_x', '-x', 'a b', TOO_LONG, 3, None])
def test_other_names_are_refused(name):
    with pytest.raises(ScenarioError, match=r'^file: name = .* at most 100 letters, digits and '):
        checked_name(name, 'file')
