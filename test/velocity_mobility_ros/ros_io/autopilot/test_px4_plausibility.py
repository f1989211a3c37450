"""The first messages of a vehicle that make no sense are trouble; later ones are not looked at."""

import math
from types import SimpleNamespace

import pytest
from velocity_mobility_ros.ros_io.autopilot.px4_plausibility import LOOKED_AT, FirstMessages

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
    assert first.trouble == ''


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
    assert expected in first.trouble and 'another release' in first.trouble
    said = first.trouble
    look(first, topic)
    assert first.trouble == said


def test_an_attitude_or_a_place_that_is_not_known_yet_is_no_trouble():
    first = FirstMessages()
    look(first, 'vehicle_odometry', q=(math.nan,) * 4)
    look(first, 'vehicle_local_position', ref_lat=math.nan, ref_lon=math.nan)
    assert first.trouble == ''


def test_only_the_first_messages_are_looked_at():
    first = FirstMessages()
    for _ in range(LOOKED_AT):
        look(first, 'vehicle_status')
    look(first, 'vehicle_status', nav_state=40)
    assert first.trouble == ''
