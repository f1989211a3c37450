"""The bridge to ArduPilot as a process, with an emulated ArduCopter on real DDS."""

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

NODE = 'ardupilot_bridge_node'


def emulated(folder, domain, prefix='/ap', **settings):
    return EmulatedAutopilots(
        folder, domain, [{'kind': 'ap_dds', 'prefix': prefix, 'settings': settings}]
    )


def bridged(domain, folder, **parameters):
    return bridge(NODE, domain, folder, **(QUICK | parameters))


def test_a_square_a_hold_and_a_landing(ros, domain, tmp_path):
    with emulated(tmp_path, domain) as vehicles, bridged(domain, tmp_path) as process:
        operator = Operator(ros)
        operator.until_state('READY')
        assert operator.values['autopilot'] == 'ardupilot'
        fly_a_square(operator, vehicles)
        assert vehicles[1].mode == 'LAND' and 'Traceback' not in process.err


def test_several_vehicles_with_namespaces_obey_their_own_bridge(ros, domain, tmp_path):
    two = [{'kind': 'ap_dds', 'prefix': f'/ap/v{k}', 'settings': {'seed': k}} for k in (1, 2)]
    with (
        EmulatedAutopilots(tmp_path, domain, two) as vehicles,
        bridged(domain, tmp_path, ap_prefix='/ap/v2', namespace='/uav_2'),
    ):
        operator = Operator(ros, '/uav_2')
        operator.take_off()
        assert vehicles[2].armed and not vehicles[1].armed


def test_lost_commands_end_in_the_hands_of_the_autopilot(ros, domain, tmp_path):
    with (
        emulated(tmp_path, domain) as vehicles,
        bridged(domain, tmp_path, command_loss_time=2.0),
    ):
        lose_the_commands(Operator(ros), vehicles, 'BRAKE')


@pytest.mark.nightly
def test_a_bridge_that_is_killed_leaves_a_vehicle_that_stops(ros, domain, tmp_path):
    with emulated(tmp_path, domain) as vehicles:
        operator = Operator(ros)
        with bridged(domain, tmp_path, is_killed=True) as process:
            track(operator, vehicles)
            process.popen.kill()
            process.end()
        operator.until(lambda: speed(vehicles) < 0.1, 'a vehicle that stands')
        assert vehicles[1].mode == 'GUIDED' and vehicles[1].armed
        with bridged(domain, tmp_path, name='second', z_offset_mode='amsl'):
            operator.until(lambda: operator.values.get('armed') == 'true', 'another bridge')
            operator.until_state('READY')
            operator.command = (0.0, 0.0, 0.0)
            operator.must('engage')
            operator.until_state('TRACK')
            land(operator, vehicles)


@pytest.mark.nightly
def test_a_bridge_that_is_interrupted_hands_over(ros, domain, tmp_path):
    with emulated(tmp_path, domain) as vehicles, bridged(domain, tmp_path) as process:
        operator = Operator(ros)
        track(operator, vehicles)
        process.popen.send_signal(signal.SIGINT)
        operator.until(lambda: process.popen.poll() is not None, 'the end of the process')
        assert process.end() == 0, process.err
        assert vehicles[1].mode == 'BRAKE' and vehicles[1].armed


def test_the_pilot_takes_over(ros, domain, tmp_path):
    with emulated(tmp_path, domain) as vehicles, bridged(domain, tmp_path):
        operator = Operator(ros)
        track(operator, vehicles)
        vehicles.do(1, 'pilot', mode='ALT_HOLD')
        operator.until_state('EXTERNAL')
        assert 'mode ALT_HOLD' in operator.values['message']
        operator.during(2.0)
        assert vehicles[1].mode == 'ALT_HOLD' and operator.state == 'EXTERNAL'


@pytest.mark.nightly
def test_a_link_that_was_lost_is_held_where_it_is_found(ros, domain, tmp_path):
    with emulated(tmp_path, domain) as vehicles, bridged(domain, tmp_path):
        operator = Operator(ros)
        track(operator, vehicles)
        vehicles.do(1, 'change', is_up=False)
        operator.until_state('LINK_LOST')
        vehicles.do(1, 'change', is_up=True)
        operator.until_state('HOLD_REENTRY')
        assert vehicles[1].mode == 'GUIDED'
        land(operator, vehicles)


def test_refusals_are_in_words(ros, domain, tmp_path):
    with (
        emulated(tmp_path, domain, passes_prearm=False) as vehicles,
        bridged(domain, tmp_path, ardupilot_failsafes=None, check_timeout=3.0),
    ):
        operator = Operator(ros)
        operator.until_state('READY')
        for words in ('ardupilot_failsafes is empty', 'its checks before arming fail'):
            operator.until(lambda words=words: words in operator.values['waits_for'], words)
        assert operator.values['ready'] == 'false' and 'px4' not in operator.values['waits_for']
        assert 'not armed' in operator.ask('land')[1]
        assert 'take off first' in operator.ask('engage')[1]
        assert 'cannot stop motors' in operator.ask('kill')[1]
        assert operator.ask('arm_takeoff')[0]
        operator.until_state('PRECHECK')
        operator.until_state('READY')
        assert 'ardupilot_failsafes is empty' in operator.values['message']
        assert not vehicles[1].armed


def test_another_prefix_is_found_and_told(ros, domain, tmp_path):
    with emulated(tmp_path, domain, prefix='/ap/v3'), bridged(domain, tmp_path):
        operator = Operator(ros)
        words = 'nobody publishes /ap/status, but ap_prefix /ap/v3 is there'
        operator.until(lambda: words in operator.values['message'], words)
        assert operator.state == 'WAIT_LINK'


def test_without_a_vehicle_it_says_what_to_look_at(ros, domain, tmp_path):
    with bridged(domain, tmp_path):
        operator = Operator(ros)
        words = 'nobody publishes /ap/status: is the micro-XRCE-DDS agent running'
        operator.until(lambda: words in operator.values['message'], words)


def test_missing_messages_end_it_with_one_line(domain, tmp_path):
    with bridge(NODE, domain, tmp_path, without_packages=True) as process:
        assert process.end() == 2
        (line,) = process.err.splitlines()
        assert 'ardupilot_msgs is not installed' in line and 'Tools/ros2' in line
