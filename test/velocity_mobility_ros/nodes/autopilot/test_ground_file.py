"""The file that keeps the ground: written on changes only, gone on the ground, in nobody's way."""

from pathlib import Path

import pytest

from velocity_mobility_ros.autopilot.autopilot_reports import Mode, Reference, VehicleStatus
from velocity_mobility_ros.autopilot.ground_memory import NO_STORED_GROUND, GroundMemory, to_text
from velocity_mobility_ros.nodes.autopilot.ground_file import GroundFile, ground_path

KEPT = GroundMemory(1.5, 12, 70_000_000, 4, Reference(5_000_000, 47.3977, 8.5456, 488.0))
ARMED = VehicleStatus(0.0, True, Mode.HOLD, Mode.HOLD, armed_us=KEPT.armed_us)
STANDS = VehicleStatus(0.0, False, Mode.HOLD, Mode.HOLD)


class Logger:
    """Keeps its warnings."""

    def __init__(self):
        self.lines = []

    def warning(self, line):
        self.lines.append(line)


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv('ROS_HOME', str(tmp_path))
    return ground_path('/alpha/uav_3', 'px4')


def after(path, *told):
    """Return what is logged if a bridge is told these, one after the other."""
    logger = Logger()
    file = GroundFile(path, logger)
    for status, memory in told:
        file.follow(status, memory)
    file.close()
    return logger.lines


def test_it_has_a_name_for_each_vehicle_in_the_home_of_ros(path, tmp_path, monkeypatch):
    assert path == tmp_path / 'velocity_mobility_ros' / 'ground_alpha_uav_3_px4.json'
    assert ground_path('/', 'mavros').name == 'ground_mavros.json'
    monkeypatch.delenv('ROS_HOME')
    monkeypatch.setenv('HOME', str(tmp_path))
    assert ground_path('/uav_1', 'px4').parent == tmp_path / '.ros' / 'velocity_mobility_ros'


def test_the_next_bridge_finds_what_was_kept(path):
    assert after(path, (STANDS, None), (ARMED, None), (ARMED, KEPT)) == []
    assert GroundFile(path, Logger()).kept == KEPT
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    moved = KEPT._replace(ground=2.0, z_jumps=13)
    after(path, (None, None), (ARMED, KEPT), (ARMED, moved))
    assert GroundFile(path, Logger()).kept == moved
    after(path, (ARMED, None))  # a bridge that does not know the ground yet leaves it
    assert GroundFile(path, Logger()).kept == moved


def test_on_the_ground_it_is_gone_whatever_it_held(path):
    for text in (to_text(KEPT), 'rubbish'):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding='utf-8')
        after(path, (STANDS, None))
        assert not path.exists()
    assert GroundFile(path, Logger()).kept == NO_STORED_GROUND


def test_it_is_written_when_something_changes_only(path, monkeypatch):
    written = []
    replace = Path.replace
    monkeypatch.setattr(Path, 'replace', lambda *two: written.append(two) or replace(*two))
    after(path, *[(ARMED, KEPT)] * 50, *[(ARMED, KEPT._replace(z_jumps=13))] * 50)
    assert len(written) == 2
    after(path, *[(ARMED, KEPT._replace(z_jumps=13))] * 50)
    assert len(written) == 2


def test_a_corrupt_file_is_one_line(path):
    path.parent.mkdir()
    path.write_bytes(b'\xff\0')
    logger = Logger()
    told = GroundFile(path, logger).kept
    assert f'the kept height in {path} cannot be read: ' in told
    (line,) = logger.lines
    assert line == f'{told}; it is not used'


def test_a_folder_that_cannot_be_written_is_one_line(path):
    path.parent.write_text('a file', encoding='utf-8')
    told = [(ARMED, KEPT), (ARMED, KEPT._replace(z_jumps=13)), (STANDS, None)]
    (line,) = after(path, *told)
    assert f'the height of the ground cannot be kept in {path}: ' in line


def test_a_file_that_cannot_be_read_is_one_line_too(path):
    path.mkdir(parents=True)
    (line,) = after(path, (ARMED, KEPT), (STANDS, None))
    assert line == f'the kept height in {path} cannot be read: Is a directory; it is not used'
