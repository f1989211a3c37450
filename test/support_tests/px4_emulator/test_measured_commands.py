"""Measured on the firmware: acknowledgements, engaging, arming."""

import pytest
from support.px4_emulator import Cmd, Result
from support.px4_emulator.constants import FORCE, Reason
from support.px4_emulator.direct_drive import BRIDGE, drive, flying, vehicle_command


def test_acks_take_10_to_25_ms_and_rarely_150():
    hands = drive()
    delays = []
    for _ in range(300):
        start = hands.emulator.now
        hands.emulator.receive('vehicle_command', vehicle_command(Cmd.RUN_PREARM_CHECKS))
        while not [sent for sent in hands.emulator.step(0.01) if is_answer(sent)]:
            pass
        delays.append(hands.emulator.now - start)
    usual = [delay for delay in delays if delay < 0.1]
    assert min(usual) >= 0.02 and max(usual) <= 0.041  # with a tick of 10 ms to arrive
    assert 0 < len(delays) - len(usual) < 10
    assert max(delays) == pytest.approx(0.16, abs=0.011)


def is_answer(sent):
    return sent.topic == 'vehicle_command_ack' and sent.message.command == 401


def test_acks_echo_the_sender_and_from_external_is_false():
    hands = drive()
    assert hands.offboard() == Result.ACCEPTED
    ack = hands.last['vehicle_command_ack']
    assert (ack.target_system, ack.target_component) == BRIDGE
    assert ack.from_external is False


def test_an_ack_of_command_211_to_3_184_at_the_start():
    hands = drive(2.0)
    acks = [sent.message for sent in hands.log if sent.topic == 'vehicle_command_ack']
    assert [(a.command, a.target_system, a.target_component) for a in acks] == [(211, 3, 184)]


def test_a_wrong_target_system_meets_silence():
    hands = drive(instance=1)
    assert hands.command(Cmd.DO_SET_MODE, target_system=1, param1=1.0, param2=6.0) is None
    assert hands.nav_state != 14
    assert hands.emulator.inbox.dropped == 1


def test_target_system_0_is_accepted():
    hands = drive(instance=1)
    sent = hands.command(Cmd.DO_SET_MODE, target_system=0, param1=1.0, param2=6.0)
    assert (sent, hands.nav_state) == (Result.ACCEPTED, 14)


def test_an_unknown_command_is_unsupported():
    assert drive().command(31999) == Result.UNSUPPORTED


def test_command_512_gets_no_ack():
    assert drive().command(512) is None


def test_offboard_without_any_stream_is_accepted_on_the_ground_and_only_arming_is_refused():
    hands = drive(1.0)
    assert hands.offboard() == Result.ACCEPTED
    assert hands.nav_state == 14
    assert hands.last['vehicle_status'].nav_state == 14
    assert hands.last['vehicle_status'].pre_flight_checks_pass is False
    assert hands.arm() == Result.TEMPORARILY_REJECTED
    assert not hands.armed


def test_arming_with_heartbeat_but_without_setpoint_is_accepted():
    hands = drive()
    hands.flag = 'velocity'
    hands.run(1.0)
    assert (hands.offboard(), hands.arm()) == (Result.ACCEPTED, Result.ACCEPTED)


def test_disarming_in_the_air_is_refused():
    hands = flying()
    assert hands.disarm() == Result.TEMPORARILY_REJECTED
    assert hands.armed


def test_with_21196_it_is_accepted_and_it_falls():
    hands = flying()
    assert hands.disarm(param2=float(FORCE)) == Result.ACCEPTED
    hands.run(1.0)
    assert hands.truth.height == 0.0
    assert hands.emulator.firmware.body.has_crashed


def test_armed_without_take_off_it_disarms_after_11_s():
    hands = drive()
    hands.flag = 'velocity'
    hands.run(1.0)
    hands.offboard(), hands.arm()
    assert hands.until(lambda: not hands.armed) + 0.3 == pytest.approx(11.0, abs=0.2)
    assert hands.emulator.firmware.commander.disarming_reason is Reason.NO_TAKE_OFF


def test_velocities_across_the_ground_never_lift_off():
    hands = drive()
    hands.fly((1.0, 0.0, 0.0))
    hands.run(1.0)
    hands.offboard(), hands.arm()
    hands.until(lambda: not hands.armed)
    assert hands.truth.height == 0.0 and hands.truth.latitude == hands.emulator.settings.latitude


@pytest.mark.parametrize('vehicle', ['kinematic', 'quadrotor'])
def test_lift_off_1_7_to_1_9_s_after_arming(vehicle):
    hands = drive(vehicle=vehicle)
    hands.go((0.0, 0.0, -3.0))
    hands.run(1.0)
    hands.offboard(), hands.arm()
    assert 1.7 <= hands.until(lambda: hands.truth.height > 0.05) + 0.3 <= 1.92
