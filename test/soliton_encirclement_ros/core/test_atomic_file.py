"""A file is replaced whole, or nothing changes and nothing is left."""

from collections.abc import Callable
from pathlib import Path

import pytest

from soliton_encirclement_ros.core.files import replacing
from support.full_disk import limit

__all__ = ['limit']


def test_the_file_is_as_before_until_the_end_of_the_block(tmp_path: Path) -> None:
    path = tmp_path / 'summary.json'
    path.write_text('old')
    with replacing(path) as part:
        part.write_text('new')
        assert path.read_text() == 'old'
    assert [one.read_text() for one in tmp_path.iterdir()] == ['new']


def test_a_full_disk_leaves_the_old_file_alone(
    tmp_path: Path, limit: Callable[[int], None]
) -> None:
    path = tmp_path / 'summary.json'
    path.write_text('old')
    limit(100)
    with pytest.raises(OSError, match='too large'), replacing(path) as part:
        part.write_text('x' * 1000)
    assert [one.read_text() for one in tmp_path.iterdir()] == ['old']


def test_a_block_that_writes_nothing_raises_its_own_error(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), replacing(tmp_path / 'x'):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []
