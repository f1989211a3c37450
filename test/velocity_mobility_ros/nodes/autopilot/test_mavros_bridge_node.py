"""The bridge to MAVROS as a process, with PX4 or ArduCopter behind it, emulated on real DDS."""

import signal

import pytest
from support.autopilot.ros.flights import (
    QUICK,
    fly_a_square,
    land,
    lose_the_commands,
    speed,
    track,
)
from support.autopilot.ros.operator import Operator, bridge
from support.autopilot.ros.process import EmulatedAutopilots

pytestmark = [pytest.mark.ros, pytest.mark.slow, pytest.mark.timeout(400)]

NODE = 'mavros_bridge_node'
BOTH = ('px4', 'ardupilot')
HOLDS = {'px4': 'AUTO.LOITER', 'ardupilot': 'BRAKE'}


def emulated(folder, domain, autopilot, prefix='/uav_1/mavros', **settings):
    one = {'kind': f'mavros_{autopilot}', 'prefix': prefix, 'settings': settings}
    return EmulatedAutopilots(folder, domain, [one])


def bridged(domain, folder, autopilot, **parameters):
    return bridge(NODE, domain, folder, **(QUICK | {'autopilot': autopilot} | parameters))


@pytest.mark.one_in(2)
@pytest.mark.parametrize('autopilot', BOTH)
def test_a_square_a_hold_and_a_landing(ros, domain, tmp_path, autopilot):
    with (
        emulated(tmp_path, domain, autopilot) as vehicles,
        bridged(domain, tmp_path, autopilot) as process,
    ):
        operator = Operator(ros)
        operator.until_state('READY')
        assert operator.values['autopilot'] == 'mavros'
        fly_a_square(operator, vehicles)
        assert 'Traceback' not in process.err


@pytest.mark.one_in(2)
@pytest.mark.parametrize('autopilot', BOTH)
def test_lost_commands_end_in_the_hands_of_the_autopilot(ros, domain, tmp_path, autopilot):
    with (
        emulated(tmp_path, domain, autopilot) as vehicles,
        bridged(domain, tmp_path, autopilot, command_loss_time=2.0),
    ):
        lose_the_commands(Operator(ros), vehicles, HOLDS[autopilot])


@pytest.mark.nightly
def test_px4_flies_its_own_failsafe_when_the_bridge_is_killed(ros, domain, tmp_path):
    with emulated(tmp_path, domain, 'px4') as vehicles:
        operator = Operator(ros)
        with bridged(domain, tmp_path, 'px4', is_killed=True) as process:
            track(operator, vehicles)
            process.popen.kill()
            process.end()
        operator.until(lambda: vehicles[1].mode == 'AUTO.LOITER', 'the failsafe')
        with bridged(domain, tmp_path, 'px4', name='second'):
            operator.until_state('READY')
            operator.during(2.0)
            assert vehicles[1].mode == 'AUTO.LOITER'  # not brought back to OFFBOARD
            land(operator, vehicles)


@pytest.mark.nightly
def test_ardupilot_stops_when_the_bridge_is_killed(ros, domain, tmp_path):
    with emulated(tmp_path, domain, 'ardupilot') as vehicles:
        operator = Operator(ros)
        with bridged(domain, tmp_path, 'ardupilot', is_killed=True) as process:
            track(operator, vehicles)
            process.popen.kill()
            process.end()
        operator.until(lambda: speed(vehicles) < 0.1, 'a vehicle that stands')
        assert vehicles[1].mode == 'GUIDED' and vehicles[1].armed


@pytest.mark.one_in(2)
@pytest.mark.parametrize('autopilot', BOTH)
def test_a_bridge_that_is_interrupted_hands_over(ros, domain, tmp_path, autopilot):
    with (
        emulated(tmp_path, domain, autopilot) as vehicles,
        bridged(domain, tmp_path, autopilot) as process,
    ):
        operator = Operator(ros)
        track(operator, vehicles)
        process.popen.send_signal(signal.SIGINT)
        operator.until(lambda: process.popen.poll() is not None, 'the end of the process')
        assert process.end() == 0, process.err
        assert vehicles[1].mode == HOLDS[autopilot] and vehicles[1].armed


@pytest.mark.nightly
def test_a_mode_that_is_sent_and_not_flown_is_asked_for_again(ros, domain, tmp_path):
    with (
        emulated(tmp_path, domain, 'px4') as vehicles,
        bridged(domain, tmp_path, 'px4'),
    ):
        operator = Operator(ros)
        operator.until(lambda: operator.values.get('ready') == 'true', 'readiness')
        vehicles.do(1, 'change', deaf_to_modes=1)
        operator.take_off()
        assert vehicles[1].mode == 'OFFBOARD'


@pytest.mark.nightly
def test_a_lost_vehicle_is_noticed_before_mavros_says_so(ros, domain, tmp_path):
    with (
        emulated(tmp_path, domain, 'ardupilot') as vehicles,
        bridged(domain, tmp_path, 'ardupilot'),
    ):
        operator = Operator(ros)
        track(operator, vehicles)
        vehicles.do(1, 'change', is_up=False)
        operator.until_state('LINK_LOST')
        vehicles.do(1, 'change', is_up=True)
        operator.until_state('HOLD_REENTRY')
        land(operator, vehicles)


def test_refusals_are_in_words(ros, domain, tmp_path):
    with (
        emulated(tmp_path, domain, 'px4') as vehicles,
        bridged(domain, tmp_path, 'px4', px4_rc_policy=None, check_timeout=3.0),
    ):
        operator = Operator(ros)
        operator.until_state('READY')
        words = 'px4_rc_policy is empty'
        operator.until(lambda: words in operator.values['waits_for'], words)
        assert 'allow_kill is false' not in operator.values['message']
        assert operator.ask('arm_takeoff')[0]
        operator.until_state('PRECHECK')
        operator.until_state('READY')
        assert words in operator.values['message'] and not vehicles[1].armed


def test_the_other_autopilot_behind_it_is_told(ros, domain, tmp_path):
    with emulated(tmp_path, domain, 'ardupilot'), bridged(domain, tmp_path, 'px4'):
        operator = Operator(ros)
        words = 'MAVROS reports the mode STABILIZE, which this autopilot does not have'
        operator.until(lambda: words in operator.values['message'], words)


def test_another_namespace_is_found_and_told(ros, domain, tmp_path):
    with emulated(tmp_path, domain, 'px4', prefix='/mavros'), bridged(domain, tmp_path, 'px4'):
        operator = Operator(ros)
        words = 'nobody publishes /uav_1/mavros/state, but mavros_namespace /mavros is there'
        operator.until(lambda: words in operator.values['message'], words)


@pytest.mark.parametrize(('given', 'words'), [
    ({'z_offset_mode': 'amsl'}, "z_offset_mode = 'amsl' must be takeoff_relative"),
    ({'autopilot': 'betaflight'}, "autopilot = 'betaflight'"),
    ({'without_packages': True}, 'mavros_msgs is not installed'),
])  # fmt: skip
def test_what_cannot_be_flown_ends_it_with_one_line(domain, tmp_path, given, words):
    with bridge(NODE, domain, tmp_path, **given) as process:
        assert process.end() == 2
        (line,) = process.err.splitlines()
        assert words in line
