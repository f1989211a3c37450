"""The real px4_msgs of each release as ROS reads them; first messages that make no sense."""

import json
import math
import subprocess
import sys
from types import ModuleType, SimpleNamespace

import pytest

from support.px4_emulator.ros.formats import fields_hash
from support.px4_emulator.ros.process import px4_environment
from velocity_mobility_ros.autopilot.protocols.px4_requests import MESSAGES_OF_FORMAT
from velocity_mobility_ros.core.user_errors import StartupError
from velocity_mobility_ros.ros_io.autopilot.px4_link import LOOKED_AT, FirstMessages
from velocity_mobility_ros.ros_io.autopilot.px4_types import Px4Types, installed_px4_types

pytestmark = pytest.mark.ros

RELEASES = ('1.14', '1.15', '1.16', '1.17', '1.18')
VERSIONS = {'1.14': (0, 0, 0), '1.15': (0, 0, 0), '1.16': (1, 0, 0), '1.17': (1, 1, 0),
            '1.18': (4, 1, 1)}  # fmt: skip
"""Of VehicleStatus, VehicleLocalPosition and VehicleCommandAck."""


@pytest.fixture(scope='module')
def told():
    """Return what is found with the messages of each release."""
    commands = {
        release: subprocess.Popen(
            (sys.executable, '-m', 'support.autopilot.px4_probe'), text=True,
            env=px4_environment(0, release), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for release in RELEASES
    }  # fmt: skip
    found = {}
    for release, process in commands.items():
        out, err = process.communicate(timeout=100.0)
        assert process.returncode == 0, err
        found[release] = json.loads(out)
    return found


@pytest.mark.parametrize('release', RELEASES)
def test_a_release_is_known_and_its_messages_are_read_and_written_as_ros_does(told, release):
    """One of another size is refused with both sizes."""
    found = told[release]
    assert found['releases'] == [release] and found['fault'] == ''
    names = ('VehicleStatus', 'VehicleLocalPosition', 'VehicleCommandAck')
    assert tuple(found['versions'][name] for name in names) == VERSIONS[release]
    assert {'vehicle_local_position', 'vehicle_odometry'} <= set(found['read'])
    assert all(found['read'].values()) and all(found['written'].values()), found
    line = found['misfit']
    assert f'px4_msgs ({release})' in line and '40 bytes' in line and 'branch of px4_msgs' in line


@pytest.mark.parametrize('release', RELEASES)
def test_installed_messages_have_the_hashes_of_the_firmware(told, release):
    hashes = told[release]['hashes']
    of_format = {name for name in MESSAGES_OF_FORMAT.values() if hashes.pop(name, None)}
    assert len(of_format) == (0 if release == '1.14' else 2)
    assert hashes == {name: fields_hash(release, name) for name in hashes} and len(hashes) == 11


def message(name, **constants):
    """Return a message class without fields."""
    kind = type(name, (), constants)
    kind.get_fields_and_field_types = classmethod(lambda cls: {'timestamp': 'uint64'})
    return kind


IN = ('OffboardControlMode', 'TrajectorySetpoint', 'VehicleCommand')


def test_messages_of_no_known_release_are_trouble():
    module = SimpleNamespace(**{name: message(name) for name in IN})
    types = Px4Types(module)
    assert types.releases == () and 'allow_unknown_px4_msgs' in types.fault
    assert '1.14 to 1.18' in types.fault and 'unknown' in types.description


def test_a_needed_message_that_is_missing_stops_the_start():
    module = SimpleNamespace(**{name: message(name) for name in IN[1:]})
    with pytest.raises(StartupError, match='px4_msgs has no message OffboardControlMode'):
        Px4Types(module)


def test_without_px4_msgs_the_line_says_what_to_build(monkeypatch):
    monkeypatch.setitem(sys.modules, 'px4_msgs', None)
    with pytest.raises(StartupError, match=r'px4_msgs is not installed .*release/1.17.*source it'):
        installed_px4_types()


def test_an_installed_module_is_taken(monkeypatch):
    module = ModuleType('px4_msgs.msg')
    vars(module).update({name: message(name) for name in IN})
    monkeypatch.setitem(sys.modules, 'px4_msgs', ModuleType('px4_msgs'))
    monkeypatch.setitem(sys.modules, 'px4_msgs.msg', module)
    assert set(installed_px4_types().classes) == set(IN)


GOOD = {
    'vehicle_status': {'arming_state': 1, 'nav_state': 4, 'system_id': 2},
    'vehicle_odometry': {'q': (1.0, 0.0, 0.0, 0.0), 'pose_frame': 1},
    'vehicle_local_position': {'ref_lat': 47.4, 'ref_lon': 8.5},
}


def look(first, topic, **changes):
    first.look(topic, SimpleNamespace(**(GOOD[topic] | changes)))


@pytest.mark.parametrize('topic', GOOD)
def test_messages_that_make_sense_are_no_trouble(topic):
    first = FirstMessages()
    for _ in range(3 * LOOKED_AT):
        look(first, topic)
    assert first.fault == ''


@pytest.mark.parametrize(('topic', 'changes', 'expected'), [
    ('vehicle_status', {'arming_state': 7}, 'arming_state = 7'),
    ('vehicle_status', {'nav_state': 40}, 'nav_state = 40'),
    ('vehicle_status', {'system_id': 0}, 'system_id = 0'),
    ('vehicle_status', {'system_id': 255}, 'system_id = 255'),
    ('vehicle_odometry', {'q': (0.5, 0.0, 0.0, 0.0)}, 'norm of q = 0.5'),
    ('vehicle_odometry', {'pose_frame': 9}, 'pose_frame = 9'),
    ('vehicle_local_position', {'ref_lat': 91.0}, 'ref_lat = 91'),
    ('vehicle_local_position', {'ref_lon': -181.0}, 'ref_lon = -181'),
])  # fmt: skip
def test_a_value_that_cannot_be_is_trouble_and_stays(topic, changes, expected):
    first = FirstMessages()
    look(first, topic, **changes)
    assert expected in first.fault and 'another release' in first.fault
    said = first.fault
    look(first, topic)
    assert first.fault == said


def test_an_attitude_or_a_place_that_is_not_known_yet_is_no_trouble():
    first = FirstMessages()
    look(first, 'vehicle_odometry', q=(math.nan,) * 4)
    look(first, 'vehicle_local_position', ref_lat=math.nan, ref_lon=math.nan)
    assert first.fault == ''


def test_only_the_first_messages_are_looked_at():
    first = FirstMessages()
    for _ in range(LOOKED_AT):
        look(first, 'vehicle_status')
    look(first, 'vehicle_status', nav_state=40)
    assert first.fault == ''
