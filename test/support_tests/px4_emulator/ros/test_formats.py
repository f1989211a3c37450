"""The hash over a message's fields by which PX4 tells its format."""

import pytest
from support.px4_emulator.ros.formats import fields_hash, fnv1a, message_of


@pytest.mark.parametrize(
    ('data', 'expected'), [(b'', 0x811C9DC5), (b'a', 0xE40C292C), (b'foobar', 0xBF9CF968)]
)
def test_published_values_of_the_hash(data, expected):
    assert fnv1a(data) == expected


def test_fields_decide():
    assert fields_hash('1.16', 'TrajectorySetpoint') == fields_hash('1.18', 'TrajectorySetpoint')
    assert fields_hash('1.17', 'VehicleStatus') != fields_hash('1.18', 'VehicleStatus')
    text = b'uint64 timestamp\nuint16 protocol_version\nchar[50] topic_name\n'
    assert fields_hash('1.15', 'MessageFormatRequest') == fnv1a(text)
    assert fields_hash('1.14', 'MessageFormatRequest') is None
    text = b'uint64 timestamp\nchar[50] topic_name\nuint16 protocol_version\n'
    assert fields_hash('1.15', 'MessageFormatRequest', is_changed=True) == fnv1a(text)


@pytest.mark.parametrize(
    ('topic', 'expected'),
    [
        ('fmu/out/vehicle_status', 'VehicleStatus'),
        ('/px4_1/fmu/out/vehicle_local_position', 'VehicleLocalPosition'),
        ('/fmu/in/vehicle_command', 'VehicleCommand'),
        ('vehicle_command', ''),
    ],
)
def test_the_message_of_a_topic(topic, expected):
    assert message_of(topic) == expected


@pytest.mark.parametrize('topic', ['/fmu/out/vehicle_status_v1', '/uav_1/odom'])
def test_a_topic_that_px4_does_not_know_has_no_format(topic):
    assert fields_hash('1.17', message_of(topic)) is None
