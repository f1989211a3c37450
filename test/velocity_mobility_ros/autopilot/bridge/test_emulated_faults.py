"""The bridge with an emulated PX4, without ROS: pilots, faults, beginnings and ends.

The labels are those of the conformance tests of the bridge. Every flight ends with a look at what
the emulator's strict mode found.
"""

from dataclasses import replace

import pytest
from support.autopilot.emulated import ENGAGE, FRAME
from support.autopilot.strict import RELEASES, broken, vehicle
from support.px4_emulator import events
from support.px4_emulator.constants import NavState
from support.px4_emulator.settings import LinkSettings
from velocity_mobility_ros.autopilot.bridge.bridge_records import BridgeParameters
from velocity_mobility_ros.autopilot.engage.records import Request
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.autopilot.guidance.guidance_parameters import GuidanceParameters
from velocity_mobility_ros.core.smoothing.motion_limit import Motion


@pytest.mark.parametrize('release', ['1.16', '1.17'])
def test_e09_a_bridge_that_stands_still_for_a_while_does_not_resume(release):
    one = vehicle(release=release)
    one.take_off()
    one.track(east=3.0)
    one.run(3.0)
    one.is_frozen = True
    one.run(1.5)
    assert one.nav_state != 'OFFBOARD'
    one.is_frozen, frozen_until = False, one.now
    one.run(10.0)
    assert one.state is State.EXTERNAL and one.nav_state != 'OFFBOARD'
    assert not one.sent('trajectory_setpoint', frozen_until)
    assert not one.sent('offboard_control_mode', frozen_until + 0.1)
    assert one.ask(Request.ENGAGE)[0]
    one.run(8.0)
    assert one.state is State.TRACK and one.nav_state == 'OFFBOARD' and one.speed() > 2.0


def test_e09_after_a_short_standstill_fresh_commands_are_followed():
    one = vehicle()
    one.take_off()
    one.track(east=3.0)
    one.run(3.0)
    one.is_frozen = True
    one.run(0.6)
    one.is_frozen = False
    one.run(3.0)
    assert one.state is State.TRACK and one.speed() > 2.0


@pytest.mark.parametrize('release', RELEASES)
def test_e12_the_pilot_takes_over(release):
    one = vehicle(release=release)
    one.take_off()
    one.track(east=2.0)
    one.run(3.0)
    one.px4.happens(events.pilot_takes)
    one.run(0.3)
    taken = one.now
    one.run(5.0)
    assert one.state is State.EXTERNAL and 'pilot' in one.reason
    assert not one.sent('trajectory_setpoint', taken) and not one.sent('vehicle_command', taken)
    assert broken(one) == set()


def test_e13_without_gps_it_lands():
    one = vehicle()
    one.take_off()
    one.track(east=2.0)
    one.run(2.0)
    one.px4.happens(events.gps, False)
    one.run(12.0)
    assert one.state in (State.LANDING, State.EXTERNAL, State.READY)
    assert not one.sent('trajectory_setpoint', one.now - 2.0)


def test_e18_a_vehicle_that_must_not_fly_is_told_why():
    one = vehicle()
    one.run(8.0)
    one.px4.happens(events.battery, 0.15, 2)
    one.run(2.0)
    one.ask(Request.TAKE_OFF)
    one.run(16.0)
    assert one.state is State.READY and 'battery' in one.reason and not one.is_armed
    assert not one.sent('vehicle_command', 0.0)


def test_e19_a_vehicle_that_disarms_before_it_takes_off_is_a_fault():
    one = vehicle()
    one.run(9.0)
    one.ask(Request.TAKE_OFF)
    one.run(10.0, State.TAKE_OFF)
    one.px4.happens(events.kill_switch)
    one.run(12.0)
    assert one.state is State.FAULT and not one.is_armed
    count = len(one.sent('vehicle_command', 0.0))
    one.run(10.0)
    assert len(one.sent('vehicle_command', 0.0)) == count and 'rearm' not in broken(one)


@pytest.mark.parametrize('release', RELEASES)
def test_e20_the_end_of_the_process_hands_over_first(release):
    one = vehicle(release=release)
    one.take_off()
    one.track(east=3.0)
    one.run(3.0)
    begun = one.now
    one.ask(Request.RELEASE)
    while one.state is not State.RELEASED:
        assert one.now - begun < 3.0
        one.tick()
    assert one.nav_state == 'AUTO_LOITER' and broken(one) == set()
    one.is_frozen = True
    one.run(5.0)
    assert one.nav_state == 'AUTO_LOITER' and not one.px4.firmware.commander.failsafe


def test_e22_the_agent_and_the_autopilot_start_again():
    one = vehicle()
    one.take_off()
    one.track(east=1.0)
    one.px4.agent_down(5.0)
    one.run(4.0)
    assert one.state in (State.LINK_LOST, State.HANDOVER)
    one.run(20.0)
    assert one.nav_state != 'OFFBOARD' and one.state in (
        State.EXTERNAL, State.READY, State.LANDING)  # fmt: skip


def test_e23_a_kill_switch_is_final():
    one = vehicle()
    one.take_off()
    one.px4.happens(events.kill_switch)
    one.run(10.0)
    assert one.state in (State.FAULT, State.READY) and not one.is_armed
    count = len(one.sent('vehicle_command', one.now - 4.0))
    assert count == 0


def test_e24_termination_is_final():
    one = vehicle()
    one.take_off()
    one.px4.happens(events.terminate)
    one.run(5.0)
    assert one.state is State.FAULT and 'restarted' in one.reason
    assert not one.ask(Request.ENGAGE)[0]


def test_e25_a_jump_of_the_clock_is_no_loss():
    one = vehicle()
    one.take_off()
    one.track(east=1.0)
    one.px4.happens(events.time_jump, 5.0)
    one.run(10.0)
    assert one.state is State.TRACK and one.nav_state == 'OFFBOARD'


@pytest.mark.parametrize('release', RELEASES)
def test_e29_a_vehicle_that_flies_is_taken_without_a_dip(release):
    high = replace(FRAME, z_offset_mode='amsl')
    one = vehicle(BridgeParameters(ENGAGE, GuidanceParameters(), high), release=release)
    one.px4.happens(events.in_the_air, 10.0, NavState.AUTO_LOITER)
    one.run(8.0)
    height = one.truth.height
    begun = one.now
    one.command = Motion((0.0, 0.0, 0.0), 0.0)
    one.tick()
    assert one.ask(Request.ENGAGE)[0], one.reason
    while one.state not in (State.HOLD, State.TRACK):
        assert one.now - begun < 10.0 and not one.sent('trajectory_setpoint', begun)
        one.tick()
    one.run(3.0)
    assert one.truth.height == pytest.approx(height, abs=0.3)


def test_a_bridge_that_starts_in_flight_holds_at_once_and_says_why_it_does_not_track():
    """Its heights are from the ground, on which it has never seen the vehicle."""
    one = vehicle()
    one.take_off()
    one.bridge = type(one.bridge)(one.parameters)
    one.command = Motion((1.0, 0.0, 0.0), 0.0)
    one.run(3.0)
    assert one.state is State.HOLD_REENTRY and one.nav_state == 'OFFBOARD' and one.speed() < 0.2
    accepted, answer = one.ask(Request.ENGAGE)
    assert not accepted and 'has not stood' in answer
    assert one.ask(Request.LAND)[0]
    one.run(30.0, State.READY)
    assert not one.is_armed


def test_e06_lost_requests_are_repeated():
    deaf = LinkSettings(loss=0.6)
    one = vehicle(link_in=deaf, seed=3)
    one.run(20.0, State.READY)
    one.ask(Request.TAKE_OFF)
    one.run(60.0)
    arms = [f for f in one.sent('vehicle_command', 0.0) if f['command'] == 400]
    assert one.is_armed and len(arms) >= 2
