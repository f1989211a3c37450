"""What happens to a vehicle: pilots, losses, kill switch, reboot."""

import pytest
from support.px4_emulator import NavState, events
from support.px4_emulator.constants import Reason
from support.px4_emulator.direct_drive import drive, flying, trajectory_setpoint


def mode_after(hands, seconds):
    hands.run(seconds)
    return hands.nav_state


def test_a_pilot_takes_position_and_it_holds():
    hands = flying()
    hands.flag, hands.setpoint = 'velocity', None
    hands.emulator.happens(events.pilot_takes)
    hands.run(3.0)
    status = hands.last['vehicle_status']
    assert (status.nav_state, status.nav_state_user_intention) == (2, 2)
    assert hands.truth.height == pytest.approx(3.0, abs=0.2)


def test_a_pilot_who_takes_over_in_a_failsafe_is_told():
    hands = flying()
    hands.silent()
    hands.run(1.2)
    hands.emulator.happens(events.pilot_takes)
    hands.run(0.1)
    assert hands.last['vehicle_status'].failsafe_and_user_took_over


def test_setpoints_make_a_pilots_vehicle_jitter():
    """There is no gate: who writes last wins each cycle."""
    hands = flying()
    hands.fly((0.0, 2.0, 0.0))
    hands.run(1.0)
    hands.emulator.happens(events.pilot_takes)
    hands.run(2.0)
    speeds = []
    for _ in range(100):
        hands.run(0.02)
        speeds.append(hands.truth.velocity[1])
    assert hands.nav_state == NavState.POSCTL
    assert max(speeds) > 1.0 and max(speeds) - min(speeds) > 0.2


def test_rc_loss_holds_for_5_s_then_returns_and_stays_returned():
    hands = flying()
    hands.emulator.happens(events.pilot_takes)
    hands.setpoint = None
    hands.run(1.0)
    hands.emulator.happens(events.rc_lost)
    assert mode_after(hands, 0.2) == NavState.AUTO_LOITER
    assert mode_after(hands, 5.0) == NavState.AUTO_RTL


def test_rc_loss_in_offboard_is_ignored_with_com_rcl_except_4():
    hands = flying(has_pilot=True, parameters={'com_rcl_except': 4})
    hands.emulator.happens(events.rc_lost)
    assert mode_after(hands, 6.0) == NavState.OFFBOARD


def test_kill_switch_falls_then_disarms_after_5_s():
    hands = flying(10.0)
    hands.emulator.happens(events.kill_switch)
    hands.run(0.6)
    assert hands.last['vehicle_land_detected'].freefall and hands.armed
    hands.run(5.0)
    assert not hands.armed
    assert hands.emulator.firmware.commander.disarming_reason is Reason.KILL_SWITCH
    hands.run(1.0)
    assert hands.offboard() == 0 and hands.arm() == 1


def test_a_critical_battery_returns_if_it_may():
    hands = flying(parameters={'com_low_bat_act': 3})
    hands.emulator.happens(events.battery, 0.08, 2)
    assert mode_after(hands, 5.2) == NavState.AUTO_RTL
    ignored = flying()
    ignored.emulator.happens(events.battery, 0.08, 2)
    assert mode_after(ignored, 5.2) == NavState.OFFBOARD
    assert ignored.last['failsafe_flags'].battery_warning == 2


def test_a_breached_fence_takes_it_out_of_offboard_until_a_mode_is_chosen():
    hands = flying()
    hands.emulator.happens(events.fence_breach)
    assert mode_after(hands, 6.0) == NavState.AUTO_LOITER
    assert hands.last['failsafe_flags'].geofence_breached
    assert hands.offboard() == 0
    assert hands.nav_state == NavState.OFFBOARD


def test_termination_is_final():
    hands = flying()
    hands.emulator.at(hands.emulator.now + 0.5, events.terminate)
    assert mode_after(hands, 0.4) == NavState.OFFBOARD
    assert mode_after(hands, 0.5) == NavState.TERMINATION
    assert mode_after(hands, 3.0) == NavState.TERMINATION


def test_a_reboot_begins_a_new_time_with_new_counters():
    hands = drive(2.0)
    hands.emulator.reboot()
    assert not hands.run(2.9)
    hands.run(0.2)
    assert not hands.last['vehicle_local_position'].xy_valid
    assert hands.last['vehicle_odometry'].reset_counter == 0
    hands.run(3.0)
    local = hands.last['vehicle_local_position']
    assert local.xy_valid and local.ref_timestamp == pytest.approx(4e6, abs=1e5)
    assert 11 <= hands.last['vehicle_odometry'].reset_counter <= 13


def test_after_a_reboot_stamps_are_of_boot_until_the_clock_is_synchronised():
    hands = drive(2.0)
    hands.emulator.reboot()
    hands.run(1.0)
    assert hands.emulator.firmware.stamp() == pytest.approx(1e6, abs=1e5)
    hands.run(3.0)
    assert hands.last['vehicle_odometry'].timestamp > 1e15


def test_a_jump_of_the_hosts_clock_loses_no_heartbeat():
    hands = flying()
    hands.emulator.happens(events.time_jump, 5.0)
    assert mode_after(hands, 3.0) == NavState.OFFBOARD


def test_it_can_begin_in_the_air():
    hands = drive()
    hands.flag = 'velocity'
    hands.emulator.happens(events.in_the_air, 10.0)
    hands.run(3.0)
    assert hands.armed and hands.nav_state == NavState.AUTO_LOITER
    assert hands.truth.height == pytest.approx(10.0, abs=0.1)
    assert hands.offboard() == 0
    hands.run(2.0)
    assert hands.truth.height == pytest.approx(10.0, abs=0.3)


def test_a_descending_setpoint_ends_an_offboard_flight():
    hands = flying()
    hands.fly((0.0, 0.0, 0.7))
    hands.until(lambda: not hands.armed, 15.0)
    assert hands.emulator.firmware.commander.disarming_reason is Reason.LANDING


def test_auto_takeoff_ends_in_loiter():
    hands = drive(2.0)
    assert hands.command(22) == 0
    assert hands.arm() == 0
    hands.until(lambda: hands.nav_state == NavState.AUTO_LOITER, 15.0)
    assert hands.truth.height == pytest.approx(2.5, abs=0.3)


@pytest.mark.parametrize('vehicle', ['kinematic', 'quadrotor'])
def test_it_returns_home_lands_and_disarms(vehicle):
    hands = flying(vehicle=vehicle, parameters={'rtl_return_alt': 8.0})
    hands.go((15.0, -10.0, -3.0))
    hands.run(15.0)
    hands.silent()
    hands.mode(4.0, 5.0)
    hands.until(lambda: not hands.armed, 90.0)
    estimate = hands.emulator.firmware.estimator.estimate
    assert estimate.position == pytest.approx((0.0, 0.0, 0.0), abs=1.0)


@pytest.mark.parametrize(
    'fields',
    [
        {'velocity': (float('nan'), 1.0, 0.0)},
        {'velocity': (1.0, 1.0, float('nan'))},
        {},
    ],
)
def test_a_setpoint_that_makes_no_sense_stops_it(fields):
    hands = flying()
    hands.fly((0.0, 2.0, 0.0))
    hands.run(2.0)
    hands.setpoint = trajectory_setpoint(**fields)
    hands.run(2.5)
    assert hands.truth.velocity == pytest.approx((0.0, 0.0, 0.0), abs=0.1)


def test_zero_positions_fly_to_the_origin():
    hands = flying()
    hands.go((10.0, 0.0, -3.0))
    hands.run(12.0)
    hands.setpoint = trajectory_setpoint(position=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0))
    hands.flag = 'velocity'
    hands.run(10.0)
    assert hands.emulator.firmware.estimator.estimate.position[0] == pytest.approx(0, abs=0.2)


def test_setpoints_from_before_the_controller_was_enabled_are_not_used():
    hands = drive()
    hands.emulator.happens(events.in_the_air, 10.0)
    hands.flag = 'attitude'
    hands.run(1.0)
    hands.fly((0.0, 2.0, 0.0))
    hands.flag = 'attitude'
    hands.run(0.1)
    assert hands.offboard() == 0
    hands.run(1.0)
    assert hands.truth.velocity[1] == pytest.approx(0.0, abs=0.1)
    hands.setpoint, hands.flag = None, 'velocity'
    hands.run(2.0)
    assert hands.truth.velocity[1] == pytest.approx(0.0, abs=0.1)
    hands.fly((0.0, 2.0, 0.0))
    hands.run(2.0)
    assert hands.truth.velocity[1] > 1.5


def test_1_17_without_gps_and_pilot_ends_in_descend():
    hands = flying(release='1.17')
    hands.emulator.happens(events.gps, False)
    assert mode_after(hands, 5.4) == NavState.DESCEND
    hands.silent()
    hands.until(lambda: not hands.armed, 20.0)


def test_counters_wrap():
    hands = drive(0.1)
    hands.emulator.happens(events.counter, 'xy', 255)
    hands.emulator.happens(events.estimate_reset, xy=(1.0, 0.0))
    hands.run(0.1)
    assert hands.last['vehicle_local_position'].xy_reset_counter == 0


@pytest.mark.parametrize(('eph', 'mode'), [(12.0, NavState.OFFBOARD), (13.0, NavState.ALTCTL)])
def test_a_position_that_is_not_accurate_is_not_believed(eph, mode):
    """With a hysteresis of 2.5."""
    hands = flying()
    hands.emulator.happens(events.accuracy, eph)
    assert mode_after(hands, 0.2) == mode
    hands.emulator.happens(events.accuracy, 6.0)
    hands.run(2.0)
    assert hands.nav_state == mode
    hands.emulator.happens(events.accuracy, 4.0)
    assert mode_after(hands, 1.3) == NavState.OFFBOARD
