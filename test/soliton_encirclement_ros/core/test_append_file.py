"""Files that grow by whole pieces only, or change as a whole."""

import errno
import os
from contextlib import suppress
from pathlib import Path

import pytest

from soliton_encirclement_ros.core.files import AppendFile, replacing
from support.full_disk import limit

__all__ = ['limit']


@pytest.fixture
def file(tmp_path: Path):
    path = tmp_path / 'x'
    path.write_bytes(b'head')
    return path


@pytest.mark.parametrize('durable', [False, True])
def test_nothing_is_written_before_flush_and_then_all(file, durable):
    whole = AppendFile(file, durable)
    assert whole.write(b'abc') == 3 and whole.tell() == 7
    assert file.read_bytes() == b'head'
    whole.patch(5, b'X')
    whole.flush()
    whole.write(b'def')
    whole.patch(7, b'Y')
    whole.close()
    whole.close()
    assert file.read_bytes() == b'headaXcYef'


def test_what_does_not_fit_is_taken_back_whole_and_less_fits_afterwards(file, limit):
    whole = AppendFile(file)
    whole.write(b'first')
    whole.flush()
    limit(20)
    whole.write(b'x' * 30)
    with pytest.raises(OSError, match='too large'):
        whole.flush()
    assert file.read_bytes() == b'headfirst' and whole.tell() == 9
    whole.write(b'end')
    whole.close()
    assert file.read_bytes() == b'headfirstend'


def test_a_file_whose_end_does_not_fit_is_closed_all_the_same(file, limit):
    whole = AppendFile(file)
    whole.write(b'x' * 30)
    limit(20)
    with pytest.raises(OSError, match='too large'):
        whole.close()
    whole.close()
    assert file.read_bytes() == b'head'


@pytest.mark.parametrize(('number', 'kept'), [(errno.EINVAL, b'headabc'), (errno.EIO, b'head')])
def test_where_the_disk_cannot_be_asked_to_sync_writing_goes_on(file, monkeypatch, number, kept):
    def refuse(_: int) -> None:
        raise OSError(number, 'no sync')

    monkeypatch.setattr(os, 'fdatasync', refuse)
    whole = AppendFile(file, durable=True)
    whole.write(b'abc')
    with suppress(OSError) if number == errno.EINVAL else pytest.raises(OSError, match='no sync'):
        whole.flush()
    assert file.read_bytes() == kept


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
