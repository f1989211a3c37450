"""PX4's messages by release: their sizes on the wire, their names, and which release is which."""

import math
from types import SimpleNamespace

import pytest

from support.interfaces.px4_definitions import definitions, ros_types
from support.interfaces.px4_fields import all_definitions
from support.px4_emulator.emulator import Px4Emulator
from support.px4_emulator.settings import Settings
from velocity_mobility_ros.autopilot.protocols.px4_message_versions import RELEASES, matching
from velocity_mobility_ros.autopilot.protocols.px4_reports import (
    mismatch, odometry_faults, position_faults, status_faults
)
from velocity_mobility_ros.autopilot.protocols.px4_requests import (
    other_namespaces, topic_name, version_fault
)

SIZES = {
    'OffboardControlMode': (14, 15, 15, 15, 15),
    'TrajectorySetpoint': (64, 64, 64, 64, 64),
    'VehicleCommand': (54, 56, 56, 56, 56),
    'VehicleCommandAck': (23, 25, 25, 25, 25),
    'VehicleOdometry': (114, 114, 114, 114, 114),
    'VehicleLocalPosition': (184, 200, 216, 216, 216),
    'VehicleStatus': (71, 82, 80, 80, 83),
    'VehicleControlMode': (21, 23, 23, 23, 20),
    'TimesyncStatus': (44, 44, 44, 44, 44),
    'VehicleLandDetected': (20, 20, 20, 20, 20),
    'FailsafeFlags': (85, 85, 86, 91, 95),
}
"""Bytes of plain CDR without its header, by release."""

WIDTHS = {'bool': 1, 'uint8': 1, 'int8': 1, 'uint16': 2, 'uint32': 4, 'int32': 4, 'float32': 4,
          'uint64': 8, 'int64': 8, 'float64': 8}  # fmt: skip


def size(fields):
    """Return the bytes of a message in plain CDR."""
    at = 0
    for kind in fields.values():
        base, _, count = kind.rstrip(']').partition('[')
        width = WIDTHS[base]
        at = -(-at // width) * width + width * int(count or 1)
    return at


@pytest.mark.parametrize('release', RELEASES)
def test_sizes_on_the_wire(release):
    found = {name: size(all_definitions(release)[name].fields) for name in SIZES}
    assert found == {name: sizes[RELEASES.index(release)] for name, sizes in SIZES.items()}


def installed(release):
    known = definitions(release)
    return ({name: ros_types(one.fields) for name, one in known.items()},
            {name: one.version for name, one in known.items()})  # fmt: skip


@pytest.mark.parametrize('release', RELEASES)
def test_each_release_is_known_by_its_messages(release):
    assert matching(*installed(release)) == (release,)


def test_messages_of_two_releases_are_none():
    fields, versions = installed('1.16')
    fields['VehicleStatus'] = ros_types(definitions('1.15')['VehicleStatus'].fields)
    assert matching(fields, versions) == ()
    assert matching({'TrajectorySetpoint': fields['TrajectorySetpoint']}, {}) == RELEASES


@pytest.mark.parametrize('release', RELEASES)
@pytest.mark.parametrize('instance', [0, 3])
def test_names_are_those_that_the_vehicle_uses(release, instance):
    emulator = Px4Emulator(Settings(release=release, instance=instance, vehicle='kinematic'))
    namespace = f'px4_{instance}' if instance else ''
    known = definitions(release)
    for topic, message in (
        ('vehicle_status', 'VehicleStatus'), ('vehicle_odometry', 'VehicleOdometry'),
        ('vehicle_local_position', 'VehicleLocalPosition'),
        ('vehicle_command_ack', 'VehicleCommandAck'),
    ):  # fmt: skip
        name = topic_name(namespace, 'out', topic, known[message].version)
        assert name == emulator.topic_name(topic)
    assert topic_name(namespace, 'in', 'vehicle_command', 0) == emulator.topic_name(
        'vehicle_command', 'in'
    )


def published(release, instance=1):
    emulator = Px4Emulator(Settings(release=release, instance=instance, vehicle='kinematic'))
    return [emulator.topic_name(topic) for topic in emulator.out_topics]


def versions(release):
    return {name: definition.version for name, definition in definitions(release).items()}


@pytest.mark.parametrize('mine', ['1.14', '1.16', '1.18'])
@pytest.mark.parametrize('theirs', RELEASES)
def test_e02_another_release_is_told_with_both_versions(mine, theirs):
    fault = version_fault('px4_1', versions(mine), published(theirs))
    names = {'VehicleStatus', 'VehicleLocalPosition'}
    same = all(versions(mine)[name] == versions(theirs)[name] for name in names)
    assert (fault == '') == same
    if not same:
        assert 'px4_msgs is for version' in fault and 'the vehicle publishes version' in fault


def test_a_vehicle_that_is_not_there_has_no_version():
    assert version_fault('px4_1', versions('1.16'), published('1.15', 2)) == ''
    assert other_namespaces('px4_1', [*published('1.16', 2), *published('1.16', 0)]) == (
        '', 'px4_2')  # fmt: skip


def test_values_that_cannot_be_are_told():
    status = SimpleNamespace(arming_state=2, nav_state=14, system_id=3)
    assert list(status_faults(status)) == [] and mismatch([]) == ''
    odd = SimpleNamespace(arming_state=9, nav_state=200, system_id=0)
    assert len(list(status_faults(odd))) == 3
    assert 'another release' in mismatch(list(status_faults(odd)))
    pose = SimpleNamespace(q=(1.0, 0.0, 0.0, 0.0), pose_frame=1)
    assert list(odometry_faults(pose)) == []
    assert list(odometry_faults(SimpleNamespace(q=(math.nan,) * 4, pose_frame=1))) == []
    assert len(list(odometry_faults(SimpleNamespace(q=(0.1,) * 4, pose_frame=7)))) == 2
    place = SimpleNamespace(ref_lat=math.nan, ref_lon=8.5)
    assert list(position_faults(place)) == []
    assert len(list(position_faults(SimpleNamespace(ref_lat=1e9, ref_lon=-200.0)))) == 2
