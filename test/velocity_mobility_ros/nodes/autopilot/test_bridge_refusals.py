"""What keeps a bridge from flying, over DDS: one line that says what to do."""

import pytest

from support.autopilot.bridge_process import says_once
from support.autopilot.ros.process import EmulatedAutopilots
from support.cli import wait_until
from support.ros_domain import domain_of_its_own

pytestmark = [pytest.mark.ros, pytest.mark.slow]

PLAIN, CHANGED = 21, 22
STATUS = '/px4_{}/fmu/out/vehicle_status_v1'


@pytest.fixture(scope='module')
def sky(open_sky):
    """Return vehicles on the ground; each test starts the bridge of its own."""
    return open_sky({PLAIN: {}, CHANGED: {'changed_message': 'VehicleLandDetected'}})


@pytest.fixture
def quiet(sky):
    """Return the vehicles; no bridge is left."""
    yield sky
    for k in (*sky.bridges,):
        sky[k].command, sky[k].values = None, {}
    sky.stop()


@pytest.mark.parametrize(('given', 'expected'), [
    ({'release': ''}, ('px4_msgs is not installed', 'release/1.17', 'source it')),
    ({'release': '', 'kind': 'ardupilot'}, ('ardupilot_msgs is not installed', 'Tools/ros2')),
    ({'release': '', 'kind': 'mavros_px4', 'autopilot': 'px4'}, ('mavros_msgs is not installed',)),
    ({'kind': 'mavros_px4', 'autopilot': 'betaflight'}, ("autopilot = 'betaflight'",)),
    ({'origin_latitude': None, 'origin_longitude': None}, ('origin_latitude', 'not set')),
])  # fmt: skip
def test_wrong_input_ends_with_one_line(bridge, given, expected):
    process = bridge(1, **given)
    assert process.end() == 2
    assert process.err.startswith('error: ') and process.err.count('\n') == 1
    assert all(text in process.err for text in expected), process.err


@pytest.mark.parametrize(('kind', 'expected'), [
    ('px4', (STATUS.format(1), 'agent running', 'ROS domain {}')),
    ('ardupilot', ('nobody publishes /ap/status: is the micro-XRCE-DDS agent running',)),
])  # fmt: skip
def test_without_a_vehicle_it_says_what_to_look_at(bridge, kind, expected):
    with domain_of_its_own() as lonely:
        process = bridge(1, lonely, kind=kind)
        says_once(process, *(text.format(lonely) for text in expected))


@pytest.mark.parametrize(('kind', 'prefix', 'expected'), [
    ('ap_dds', '/ap/v3', 'nobody publishes /ap/status, but ap_prefix /ap/v3 is there'),
    ('mavros_px4', '/mavros',
     'nobody publishes /uav_1/mavros/state, but mavros_namespace /mavros is there'),
    ('mavros_ardupilot', '/uav_1/mavros',
     'MAVROS reports the mode STABILIZE, which this autopilot does not have'),
])  # fmt: skip
def test_a_vehicle_elsewhere_and_another_autopilot_are_told(
    bridge, tmp_path, kind, prefix, expected
):
    given = {'kind': 'ardupilot'} if kind == 'ap_dds' else {'kind': kind, 'autopilot': 'px4'}
    with (
        domain_of_its_own() as lonely,
        EmulatedAutopilots(tmp_path, lonely, [{'kind': kind, 'prefix': prefix}]),
        bridge(1, lonely, **given) as process,
    ):
        wait_until(lambda: any(expected in line for line in process.complaints), expected)


def test_a_wrong_namespace_names_those_there_are(sky, bridge):
    process = bridge(77)
    says_once(process, STATUS.format(77), f"'px4_{PLAIN}'", 'set px4_namespace')


def test_e05_another_system_id_than_the_wanted_one(quiet):
    quiet.start(PLAIN, target_system=99)
    says_once(quiet.bridges[PLAIN], 'target_system = 99', 'system id 22', level='ERROR')
    one = quiet[PLAIN]
    assert one.values['ready'] == 'false' and one.level == b'\2'
    accepted, answer = one.ask('arm_takeoff')
    assert not accepted and 'target_system = 99' in answer and not quiet.px4s[PLAIN].armed


@pytest.mark.one_in(2)
@pytest.mark.parametrize('topic', ['vehicle_odometry', 'vehicle_status_v1'])
def test_e03_a_reliable_subscription_gets_nothing(quiet, topic):
    name = f'qos_overrides./px4_{PLAIN}/fmu/out/{topic}.subscription.reliability'
    quiet.start(PLAIN, **{name: 'reliable'})
    says_once(quiet.bridges[PLAIN], topic, 'qos_overrides', 'reliable', level='ERROR')
    accepted, answer = quiet[PLAIN].ask('arm_takeoff')
    assert not accepted and 'qos_overrides' in answer and not quiet.px4s[PLAIN].armed


def test_with_another_format_it_names_the_message_and_never_flies(quiet):
    """Only the exact comparison sees this one: same names, same types, same size."""
    quiet.start(CHANGED)
    says_once(
        quiet.bridges[CHANGED], 'px4_msgs/VehicleLandDetected differs', 'build the branch',
        level='ERROR',
    )  # fmt: skip
    one = quiet[CHANGED]
    wait_until(lambda: one.level == b'\2', 'the state that tells it')
    assert one.values['ready'] == 'false'
    assert 'px4_msgs/VehicleLandDetected' in one.values['waits_for']
    accepted, answer = one.ask('arm_takeoff')
    assert not accepted and 'px4_msgs/VehicleLandDetected' in answer
    assert not quiet.px4s[CHANGED].armed and one.state == 'WAIT_LINK'


def test_two_bridges_of_one_name(quiet, bridge):
    quiet.start(PLAIN)
    quiet[PLAIN].wait('READY')
    second = bridge(PLAIN)
    assert second.end() == 2
    assert second.err.count('\n') == 1 and f'/uav_{PLAIN}/px4_bridge_node' in second.err


@pytest.mark.nightly
def test_e31_a_second_bridge_is_noticed_by_both(quiet, bridge):
    quiet.start(PLAIN)
    quiet.tracking(PLAIN, command=(1.0, 0.0, 0.0, 0.0))
    second = bridge(99, namespace='/other', px4_namespace=f'px4_{PLAIN}')
    one = quiet[PLAIN]
    one.wait('HOLD_REENTRY')
    assert '2 bridges' in one.reason
    accepted, answer = one.ask('engage')
    assert not accepted and '2 bridges' in answer
    # One that has not discovered the first yet may say before that offboard mode came back.
    wait_until(lambda: any('2 bridges' in line for line in second.complaints), '2 bridges')
    assert quiet.broken() == {}
    one.command = None
    quiet.landed(PLAIN)
