"""Measured on the firmware: losing the stream, landing."""

import pytest
from support.px4_emulator import Cmd, NavState, Result
from support.px4_emulator.constants import Reason
from support.px4_emulator.direct_drive import flying, trajectory_setpoint


def test_without_setpoints_it_flies_its_last_velocity_on():
    hands = flying()
    hands.fly((0.0, 2.0, 0.0))
    hands.run(3.0)
    hands.setpoint = None
    hands.run(3.0)
    assert hands.nav_state == NavState.OFFBOARD
    assert hands.truth.velocity[1] == pytest.approx(2.0, rel=0.1)


@pytest.mark.parametrize('phase', [0.0, 0.04, 0.08])
def test_without_both_it_leaves_offboard_after_1_0_to_1_13_s(phase):
    hands = flying()
    hands.run(phase)
    hands.silent()
    assert 0.96 <= hands.until(lambda: hands.nav_state != NavState.OFFBOARD) <= 1.13


@pytest.mark.parametrize('gap', [0.5, 0.9])
def test_gaps_of_half_a_second_and_of_0_9_s_are_tolerated(gap):
    hands = flying()
    flag = hands.flag
    hands.silent()
    hands.run(gap)
    assert hands.nav_state == NavState.OFFBOARD
    hands.flag = flag
    hands.run(0.5)
    assert hands.nav_state == NavState.OFFBOARD


@pytest.mark.parametrize('vehicle', ['kinematic', 'quadrotor'])
def test_1_16_without_rc_goes_to_position_and_sinks(vehicle):
    """From 3.0 to 0.8 m in 4 s."""
    hands = flying(vehicle=vehicle)
    hands.silent()
    hands.until(lambda: hands.nav_state == NavState.POSCTL)
    assert hands.emulator.firmware.commander.failsafe
    hands.run(4.0)
    assert 0.6 <= hands.truth.height <= 1.0


def test_1_17_without_rc_returns_and_climbs():
    hands = flying(release='1.17')
    hands.silent()
    hands.until(lambda: hands.nav_state == NavState.AUTO_RTL)
    hands.run(4.0)
    assert hands.truth.height > 6.0


def test_with_com_obl_rc_act_5_it_loiters_and_holds():
    hands = flying(parameters={'com_obl_rc_act': 5})
    hands.silent()
    hands.until(lambda: hands.nav_state == NavState.AUTO_LOITER)
    hands.run(5.0)
    assert hands.truth.height == pytest.approx(3.0, abs=0.2)


@pytest.mark.parametrize('release', ['1.16', '1.17'])
def test_offboard_returns_by_itself_within_0_1_s(release):
    hands = flying(release=release)
    hands.silent()
    hands.run(3.0)
    assert hands.nav_state != NavState.OFFBOARD
    hands.flag = 'velocity'
    hands.run(0.02)
    assert hands.until(lambda: hands.nav_state == NavState.OFFBOARD) <= 0.121
    assert not hands.emulator.firmware.commander.failsafe


def test_setpoints_in_land_are_not_gated_and_hold_it_off_for_40_s():
    hands = flying()
    hands.fly((0.0, 0.0, 0.0))
    assert hands.command(Cmd.NAV_LAND) == Result.ACCEPTED
    hands.run(40.0)
    assert hands.nav_state == NavState.AUTO_LAND
    assert hands.armed
    hands.silent()
    assert hands.until(lambda: not hands.armed) == pytest.approx(8.5, abs=0.5)


def test_on_the_ground_zero_setpoints_stop_the_land_detector():
    hands = flying()
    hands.silent()
    hands.command(Cmd.NAV_LAND)
    hands.until(lambda: hands.emulator.firmware.body.on_ground)
    hands.flag, hands.setpoint = 'velocity', trajectory_setpoint(velocity=(0.0, 0.0, 0.0))
    hands.run(40.0)
    assert hands.armed


@pytest.mark.parametrize('vehicle', ['kinematic', 'quadrotor'])
def test_land_without_a_stream_takes_10_9_s(vehicle):
    hands = flying(vehicle=vehicle)
    hands.silent()
    hands.command(Cmd.NAV_LAND)
    assert hands.until(lambda: not hands.armed) + 0.3 == pytest.approx(11.0, abs=0.4)
    assert hands.emulator.firmware.commander.disarming_reason is Reason.LANDING


def test_after_landing_the_mode_is_offboard_again():
    hands = flying()
    hands.silent()
    hands.command(Cmd.NAV_LAND)
    hands.until(lambda: not hands.armed)
    hands.run(0.1)
    assert hands.nav_state == NavState.OFFBOARD


@pytest.mark.parametrize('vehicle', ['kinematic', 'quadrotor'])
def test_1_m_s_gives_0_6_to_0_97(vehicle):
    hands = flying(vehicle=vehicle)
    x, _, _ = hands.emulator.firmware.estimator.estimate.position
    hands.fly((1.0, 0.0, 0.0))
    hands.run(3.0)
    mean = (hands.emulator.firmware.estimator.estimate.position[0] - x) / 3.0
    assert 0.6 <= mean <= 0.97
    assert 0.6 <= hands.truth.velocity[0] <= 0.97


@pytest.mark.parametrize('vehicle', ['kinematic', 'quadrotor'])
def test_a_position_is_held_within_0_2_m(vehicle):
    hands = flying(vehicle=vehicle)
    hands.go((4.0, -3.0, -5.0))
    hands.run(12.0)
    estimate = hands.emulator.firmware.estimator.estimate
    assert estimate.position == pytest.approx((4.0, -3.0, -5.0), abs=0.2)
