"""The hash of a message's fields is that of the firmware."""

import pytest

from support.interfaces.px4_definitions import definitions, parsed, ros_types
from support.interfaces.px4_fields import all_definitions
from velocity_mobility_ros.autopilot.protocols.px4_message_versions import (
    FORMATS, RELEASES, fnv1a, format_of, message_hash
)
from velocity_mobility_ros.core.cdr_readers import FixedLayout

SAME = {
    'OffboardControlMode': 804464992,
    'TrajectorySetpoint': 4128550110,
    'VehicleCommand': 3416593583,
    'VehicleCommandAck': 2759281150,
    'VehicleOdometry': 988836982,
    'VehicleLocalPosition': 1363268343,
    'VehicleStatus': 4151966309,
    'VehicleControlMode': 631834130,
    'TimesyncStatus': 3493470941,
    'VehicleLandDetected': 1278272063,
    'VehicleGlobalPosition': 2453447525,
}
"""In the firmware of 1.16 and of 1.17."""

FIRMWARE = {
    '1.16': SAME | {
        'FailsafeFlags': 977873347, 'BatteryStatus': 814607775, 'HomePosition': 685696921,
    },
    '1.17': SAME | {
        'FailsafeFlags': 1776302583, 'BatteryStatus': 4247980388, 'HomePosition': 362523518,
    },
}  # fmt: skip

ESC_STATUS = 2881296114
"""In the firmware of 1.16 and of 1.17; its last field has eight messages inside."""

ESC_FIELDS = {
    'EscStatus': parsed(
        'uint64 timestamp; uint16 counter; uint8 esc_count esc_connectiontype esc_online_flags '
        'esc_armed_flags; px4_msgs/EscReport[8] esc'
    ),
    'EscReport': parsed(
        'uint64 timestamp; uint32 esc_errorcount; int32 esc_rpm; float32 esc_voltage esc_current '
        'esc_temperature; uint8 esc_address esc_cmdcount esc_state actuator_function; '
        'uint16 failures; int8 esc_power'
    ),
}


@pytest.mark.parametrize(
    ('data', 'expected'), [(b'', 0x811C9DC5), (b'a', 0xE40C292C), (b'foobar', 0xBF9CF968)]
)
def test_published_values_of_the_hash(data, expected):
    assert fnv1a(data) == expected


def test_a_line_is_type_and_name_as_in_the_msg_file():
    fields = {'Some': {'time': 'uint64', 'on': 'boolean', 'q': 'float[4]', 'lat': 'double'}}
    text = b'uint64 time\nbool on\nfloat32[4] q\nfloat64 lat\n'
    assert message_hash('Some', fields) == fnv1a(text)


@pytest.mark.parametrize('release', FIRMWARE)
def test_hashes_are_those_of_the_firmware(release):
    fields = {name: ros_types(one.fields) for name, one in all_definitions(release).items()}
    told = {name: message_hash(name, fields) for name in FIRMWARE[release]}
    assert told == FIRMWARE[release]


@pytest.mark.parametrize('release', RELEASES)
def test_the_formats_are_those_of_the_definitions(release):
    for name in FORMATS:
        one, known = format_of(name, release), definitions(release)[name]
        fields = ros_types(known.fields)
        assert one[1:] == (message_hash(name, {name: fields}), FixedLayout(fields).size,
                           known.version)  # fmt: skip


def test_the_lines_of_a_message_inside_follow_its_field():
    fields = {name: ros_types(field) for name, field in ESC_FIELDS.items()}
    assert message_hash('EscStatus', fields) == ESC_STATUS


def test_without_the_fields_of_a_message_inside_there_is_no_hash():
    with pytest.raises(KeyError):
        message_hash('EscStatus', {'EscStatus': ESC_FIELDS['EscStatus']})
