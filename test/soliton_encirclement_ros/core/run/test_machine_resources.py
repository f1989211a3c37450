"""What a machine has to spare."""

import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from soliton_encirclement_ros.core.run.machine_resources import (
    free_disk, free_memory, usable_cores
)


def test_this_machine_has_some_of_both(tmp_path):
    assert free_memory() is None or 1e6 < free_memory() < 1e15
    assert 0.0 < free_disk(tmp_path) < 1e18


def test_a_folder_that_is_not_there_yet_has_the_room_of_the_one_above(tmp_path, monkeypatch):
    def usage(place):
        assert place == tmp_path
        return SimpleNamespace(total=9, free=5)

    monkeypatch.setattr(shutil, 'disk_usage', usage)
    assert free_disk(tmp_path / 'a' / 'b') == 5.0


def test_who_cannot_tell_says_so(tmp_path):
    assert free_disk(Path('/proc/here')) is None
    assert free_memory(tmp_path / 'none', tmp_path) is None


def test_a_working_folder_that_is_gone_has_no_room(tmp_path, monkeypatch):
    gone = tmp_path / 'gone'
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert free_disk(Path('runs')) is None


def meminfo(folder: Path) -> Path:
    path = folder / 'meminfo'
    path.write_text('MemTotal:  9000 kB\nMemAvailable:    8000 kB\n', encoding='ascii')
    return path


@pytest.mark.parametrize(
    ('limit', 'used', 'free'),
    [('max', '5', 8.192e6), ('3000000', '1000000', 2e6), ('1', '5', 0.0), ('9' * 9, '5', 8.192e6)],
)
def test_a_container_may_have_less_than_its_machine(tmp_path, limit, used, free):
    for name, text in (('memory.max', limit), ('memory.current', used)):
        (tmp_path / name).write_text(text + '\n', encoding='ascii')
    assert free_memory(meminfo(tmp_path), tmp_path) == free


def test_this_machine_has_cores(tmp_path):
    assert usable_cores(tmp_path) == len(os.sched_getaffinity(0))
    assert 0.0 < usable_cores() <= usable_cores(tmp_path)


@pytest.mark.parametrize(
    ('limit', 'cores'),
    [('50000 100000', 0.5), ('9900000 100000', None), ('max 100000', None), ('5 0', None)],
)
def test_a_container_may_have_fewer_cores(tmp_path, limit, cores):
    (tmp_path / 'cpu.max').write_text(limit + '\n')
    assert usable_cores(tmp_path) == (cores or len(os.sched_getaffinity(0)))
