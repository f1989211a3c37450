"""What is wrong before a bridge has heard any vehicle: one line that says what to do."""

import pytest
from support.autopilot.bridge_process import says_once
from support.ros.graph import domain_of_its_own

pytestmark = [pytest.mark.ros, pytest.mark.slow]


def test_no_agent(bridge):
    with domain_of_its_own() as quiet:
        process = bridge(1, quiet)
        topic = '/px4_1/fmu/out/vehicle_status_v1'
        says_once(process, topic, 'agent running', f'ROS domain {quiet}')


@pytest.mark.one_in(2)
@pytest.mark.parametrize(('given', 'expected'), [
    ({'release': ''}, ('px4_msgs is not installed', 'release/1.17', 'source it')),
    ({'origin_latitude': 91.0}, ('origin_latitude = 91', '90')),
    ({'origin_latitude': None, 'origin_longitude': None}, ('origin_latitude', 'not set')),
    ({'target_system': 255}, ('target_system = 255', '254')),
    ({'max_speed_xy': 13.0}, ('max_speed_xy = 13', '12')),
    ({'exit_action': 'crash'}, ("exit_action = 'crash'", 'hold')),
])  # fmt: skip
def test_wrong_input_ends_with_one_line(bridge, given, expected):
    process = bridge(1, **given)
    assert process.end() == 2
    assert process.err.startswith('error: ') and process.err.count('\n') == 1
    assert all(text in process.err for text in expected), process.err
