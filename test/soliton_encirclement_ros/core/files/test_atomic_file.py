"""A file is there whole or not at all."""

import pytest
from soliton_encirclement_ros.core.files.atomic_file import replacing


def test_the_file_changes_at_the_end_of_the_block(tmp_path):
    path = tmp_path / 'a.txt'
    path.write_text('old')
    with replacing(path) as part:
        part.write_text('new')
        assert path.read_text() == 'old'
    assert path.read_text() == 'new'
    assert list(tmp_path.iterdir()) == [path]


def test_who_fails_leaves_the_old_file(tmp_path):
    path = tmp_path / 'a.txt'
    path.write_text('old')

    def fail():
        with replacing(path) as part:
            part.write_text('ne')
            raise OSError('no space')

    with pytest.raises(OSError, match='no space'):
        fail()
    assert path.read_text() == 'old'
