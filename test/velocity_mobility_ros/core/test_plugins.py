"""Names: what comes along is found when it is looked up, what users have beside it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from velocity_mobility_ros.core import plugins
from velocity_mobility_ros.core.plugins import Plugin, announce
from velocity_mobility_ros.core.user_errors import ParameterError


class Horn(NamedTuple):
    """Something to choose."""

    tone: int


HORNS = Plugin(Horn, ParameterError, 'test.horns')
ROOM = """
from pathlib import Path
from test_plugins_horns import HORNS, Horn
HORNS['low'] = Horn(1)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder of modules and of an installed package."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(plugins, 'ROOMS', [])
    monkeypatch.setitem(sys.modules, 'test_plugins_horns', sys.modules[__name__])
    plugins.entry_points.cache_clear()
    yield tmp_path
    plugins.entry_points.cache_clear()
    sys.modules.pop('horn_room', None)
    HORNS.clear()


def test_a_room_that_is_announced_is_imported_when_a_name_is_not_known(folder: Path) -> None:
    """Not before, and never for a name that is known."""
    (folder / 'horn_room.py').write_text(ROOM)
    HORNS['high'] = Horn(9)
    announce('horn_room')
    assert HORNS.load('high') == Horn(9) and 'horn_room' not in sys.modules
    assert HORNS.load('low') == Horn(1) and not HORNS.is_foreign('low')


def test_an_installed_package_brings_one_by_an_entry_point(folder: Path) -> None:
    """By its name alone; one that comes along has the name first."""
    (folder / 'horn_room.py').write_text(f'{ROOM}HORN = Horn(5)\n')
    (folder / 'horns-1.dist-info').mkdir()
    (folder / 'horns-1.dist-info' / 'METADATA').write_text('Name: horns\nVersion: 1\n')
    (folder / 'horns-1.dist-info' / 'entry_points.txt').write_text(
        '[test.horns]\nalpine = horn_room:HORN\nfar = horn_room:FAR\n'
    )
    assert HORNS.is_foreign('alpine') and HORNS.load('alpine') == Horn(5)
    with pytest.raises(ParameterError, match='FAR in horn_room is missing, must be a Horn'):
        HORNS.load('far')
    HORNS['alpine'] = Horn(2)
    assert HORNS.load('alpine') == Horn(2) and not HORNS.is_foreign('alpine')


@pytest.mark.parametrize('name', ['other', 'other:', ['low'], None, 3])
def test_what_is_no_name_of_anything_is_said(name: object) -> None:
    """A file, a module and a list are told apart."""
    assert HORNS.is_foreign(name) is (name == 'other:')
    if isinstance(name, str):
        with pytest.raises(ParameterError, match=rf'^{name}: write FILE\.py or pack'):
            HORNS.load(name)


def test_a_kind_without_a_group_has_none_of_users(folder: Path) -> None:
    """Neither a file nor a module."""
    assert not any(map(Plugin(Horn, ParameterError).is_foreign, ['horn.py', 'horn_room:HORN']))
