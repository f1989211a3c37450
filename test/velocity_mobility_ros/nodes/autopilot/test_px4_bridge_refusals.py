"""What keeps a bridge from flying, with emulated PX4s over DDS: one line that says what to do."""

import time

import pytest
from support.autopilot.bridge_process import says_once
from support.autopilot.operator import during
from support.cli import wait_until

pytestmark = [pytest.mark.ros, pytest.mark.slow]

DEAF, LOST, PLAIN = range(21, 24)
STATUS = '/px4_{}/fmu/out/vehicle_status_v1'


@pytest.fixture(scope='module')
def sky(open_sky):
    """Return vehicles on the ground; each test starts the bridge of its own."""
    found = open_sky({k: {} for k in (DEAF, LOST, PLAIN)})
    found.px4s.do(LOST, 'gps', is_on=False)
    found.px4s.do(DEAF, 'kill_switch')
    return found


@pytest.fixture(autouse=True)
def _nothing_goes_on(sky):
    yield
    for k in (*sky.bridges,):
        sky[k].command, sky[k].values = None, {}
    sky.stop()


def test_e05_another_system_id_than_the_wanted_one(sky):
    sky.start(PLAIN, target_system=99)
    says_once(sky.bridges[PLAIN], 'target_system = 99', 'system id 24', level='ERROR')
    one = sky[PLAIN]
    assert one.values['ready'] == 'false' and one.level == b'\2'
    accepted, answer = one.ask('arm_takeoff')
    assert not accepted and 'target_system = 99' in answer
    assert not sky.px4s[PLAIN].armed


@pytest.mark.one_in(2)
@pytest.mark.parametrize('topic', ['vehicle_odometry', 'vehicle_status_v1'])
def test_e03_a_reliable_subscription_gets_nothing(sky, topic):
    name = f'qos_overrides./px4_{PLAIN}/fmu/out/{topic}.subscription.reliability'
    sky.start(PLAIN, **{name: 'reliable'})
    says_once(sky.bridges[PLAIN], topic, 'qos_overrides', 'reliable', level='ERROR')
    accepted, answer = sky[PLAIN].ask('arm_takeoff')
    assert not accepted and 'qos_overrides' in answer and not sky.px4s[PLAIN].armed


def test_e18_a_weak_battery_is_named_and_nothing_is_asked_for(sky):
    sky.start(PLAIN, check_timeout=2.0)
    sky.ready(PLAIN)
    sky.px4s.do(PLAIN, 'battery', remaining=0.15, warning=2)
    one = sky[PLAIN]
    wait_until(lambda: 'battery' in one.values['waits_for'], 'the reason')
    says_once(sky.bridges[PLAIN], 'not ready', '15 %')
    sky.ask(PLAIN, 'arm_takeoff')
    one.wait('PRECHECK')
    one.wait('READY')
    assert 'battery' in one.reason and one.values['ready'] == 'false'
    assert during(1.5, lambda: one.status['requests'] == '0' and not sky.px4s[PLAIN].armed)
    sky.px4s.do(PLAIN, 'battery', remaining=1.0, warning=0)


def test_e18_e34_a_refused_arming_is_explained_by_all_that_is_set(sky):
    """Also by flags that no check of the bridge knows; and it is not tried for ever."""
    sky.start(DEAF)
    sky.ready(DEAF)
    sky.ask(DEAF, 'arm_takeoff')
    one = sky[DEAF]
    one.wait('ARMING')
    one.wait('READY')
    ends = [reason for state, reason in one.history if state == 'READY'][-1]
    assert 'arm was answered: temporarily rejected' in ends and '5 attempts' in ends
    assert 'manual_control_signal_lost is set' in ends and 'preflight' in ends
    wait_until(lambda: one.status['requests'] == '6', 'the number of requests')
    assert during(2.0, lambda: one.status['requests'] == '6')


def test_e18_a_vehicle_without_a_position_says_so(sky):
    sky.start(LOST)
    one = sky[LOST]
    wait_until(lambda: 'horizontal position' in one.values.get('waits_for', ''), 'the reason')
    says_once(sky.bridges[LOST], 'not ready', 'horizontal position of the estimator')
    accepted, answer = one.ask('arm_takeoff')
    assert accepted and 'checks' in answer
    one.wait('PRECHECK')
    wait_until(lambda: 'horizontal position' in one.reason, 'the reason again')
    assert one.ask('hold')[0]
    one.wait('READY')


@pytest.mark.nightly
def test_e07_answers_to_others_change_nothing(sky):
    sky.start(PLAIN)
    sky.ready(PLAIN)
    sky.ask(PLAIN, 'arm_takeoff')
    deadline = time.monotonic() + 60.0
    while sky[PLAIN].state != 'TAKE_OFF':
        for command in (176, 400):
            sky.px4s.do(PLAIN, 'answers_another', command=command, result=2)
        assert time.monotonic() < deadline and sky[PLAIN].state != 'READY'
    sky.wait(lambda: sky.px4s[PLAIN].armed, 'the truth of an armed vehicle')
    assert sky.broken() == {}
    sky[PLAIN].wait('HOLD')
    sky.landed(PLAIN)


def test_two_bridges_of_one_name(sky, bridge):
    sky.start(PLAIN)
    sky[PLAIN].wait('READY')
    second = bridge(PLAIN)
    assert second.end() == 2
    assert second.err.count('\n') == 1 and f'/uav_{PLAIN}/px4_bridge_node' in second.err


def test_a_wrong_namespace_names_those_there_are(bridge):
    process = bridge(77)
    says_once(process, STATUS.format(77), f"'px4_{PLAIN}'", 'set px4_namespace')


def test_e31_a_second_bridge_is_noticed_by_both(sky, bridge):
    sky.start(PLAIN)
    sky.tracking(PLAIN, command=(1.0, 0.0, 0.0, 0.0))
    second = bridge(99, namespace='/other', px4_namespace=f'px4_{PLAIN}')
    one = sky[PLAIN]
    one.wait('HOLD_REENTRY')
    assert '2 bridges' in one.reason
    accepted, answer = one.ask('engage')
    assert not accepted and '2 bridges' in answer
    says_once(second, 'not ready', '2 bridges')
    assert sky.broken() == {}
    one.command = None
    sky.ask(PLAIN, 'land')
