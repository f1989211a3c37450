"""The bridge with an emulated PX4, without ROS: flights, faults, and nothing that is forbidden.

The labels are those of the conformance tests of the bridge. Every flight ends with a look at what
the emulator's strict mode found.
"""

import math
from dataclasses import replace

import pymap3d
import pytest
from support.autopilot.emulated import ENGAGE, FLYABLE, FRAME, PLACE, EmulatedVehicle
from support.px4_emulator import events
from support.px4_emulator.constants import NavState
from support.px4_emulator.settings import LinkSettings, Settings
from velocity_mobility_ros.autopilot.bridge.bridge import BridgeParameters
from velocity_mobility_ros.autopilot.engage.records import Request
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.autopilot.guidance.guidance_parameters import GuidanceParameters
from velocity_mobility_ros.core.smoothing.motion_limit import Motion

RELEASES = ('1.14', '1.15', '1.16', '1.17', '1.18')
ALLOWED = frozenset()


def vehicle(parameters=None, **changes):
    base = {'vehicle': 'kinematic', 'parameters': FLYABLE}
    return EmulatedVehicle(Settings(**(base | changes)), parameters)


def guided(**changes):
    return BridgeParameters(ENGAGE, GuidanceParameters(**changes), FRAME)


def broken(one, allowed=ALLOWED):
    """Return the strict rules that were broken."""
    return {violation.rule for violation in one.px4.violations} - set(allowed)


def metres_moved(one, start):
    """Return east and north [m] of the true way since a place."""
    north = math.radians(one.truth.latitude - start.latitude) * 6.37e6
    east = math.radians(one.truth.longitude - start.longitude) * 6.37e6
    return east * math.cos(math.radians(start.latitude)), north


@pytest.mark.parametrize('release', RELEASES)
@pytest.mark.parametrize('body', ['kinematic', 'quadrotor'])
def test_e01_a_square_and_a_landing(release, body):
    one = vehicle(release=release, vehicle=body)
    one.take_off()
    assert one.truth.height == pytest.approx(3.0, abs=0.3)
    for east, north in ((2.0, 0.0), (0.0, 2.0), (-2.0, 0.0), (0.0, -2.0)):
        start = one.truth
        one.command = Motion((east, north, 0.0), 0.0)
        one.tick()
        one.ask(Request.ENGAGE)
        one.run(4.0)
        x, y = metres_moved(one, start)
        assert x * east + y * north > 0.7 * 4.0 * 4.0  # most of 4 s at 2 m/s, the right way
    assert one.truth.height == pytest.approx(3.0, abs=0.3)
    one.command = None
    assert one.ask(Request.LAND)[0]
    one.run(30.0, State.READY)
    assert not one.is_armed and one.state is State.READY and broken(one) == set()


def test_f22_commands_move_the_vehicle_on_earth_as_they_say():
    one = vehicle()
    one.take_off()
    start = one.truth
    one.track(east=2.0)
    one.run(5.0)
    assert one.truth.longitude > start.longitude + 5e-5
    assert abs(one.truth.latitude - start.latitude) < 1e-5
    one.command = Motion((0.0, 0.0, 1.0), 0.0)
    one.run(3.0)
    assert one.truth.altitude > start.altitude + 1.5
    heading = one.truth.heading
    one.command = Motion((0.0, 0.0, 0.0), 0.5)
    one.run(2.0)
    turned = math.remainder(one.truth.heading - heading, 2.0 * math.pi)
    assert turned < -0.5 and broken(one) == set()


def test_e30_a_command_of_the_body_turns_by_the_heading():
    one = vehicle(heading=math.radians(60.0))
    one.take_off()
    one.in_body = True
    start = one.truth
    one.track(east=2.0)  # forward
    one.run(4.0)
    east, north = metres_moved(one, start)
    assert math.degrees(math.atan2(east, north)) == pytest.approx(60.0, abs=4.0)


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


def test_e09_a_short_standstill_holds():
    one = vehicle()
    one.take_off()
    one.track(east=3.0)
    one.run(3.0)
    one.is_frozen = True
    one.run(0.6)
    one.is_frozen = False
    one.run(3.0)
    assert one.state is State.HOLD_REENTRY and one.nav_state == 'OFFBOARD' and one.speed() < 0.2


def test_e10_without_commands_the_vehicle_brakes_holds_and_is_handed_over():
    one = vehicle()
    one.take_off()
    one.track(east=5.0)
    one.run(5.0)
    one.command = None
    one.run(1.0)
    assert one.state is State.BRAKE
    one.run(3.0)
    assert one.state is State.HOLD and one.speed() < 0.3
    one.run(12.0)
    assert one.nav_state == 'AUTO_LOITER' and one.state is State.EXTERNAL and broken(one) == set()


@pytest.mark.parametrize('bad', [math.nan, math.inf, 1e9])
def test_e11_bad_commands_do_not_get_through(bad):
    one = vehicle()
    one.take_off()
    one.track(east=2.0)
    one.command = Motion((bad, 0.0, 0.0), 0.0)
    one.run(5.0)
    assert one.speed() < 5.1 and broken(one) == set()
    if not math.isfinite(bad) or bad < 1e9:
        assert one.state is not State.TRACK and one.speed() < 0.3


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


@pytest.mark.parametrize('jump', [
    {'xy': (3.0, 0.0)}, {'z': 1.0}, {'heading': math.radians(20.0)},
    {'xy': (3.0, -1.0), 'z': -1.0, 'heading': -0.3},
])  # fmt: skip
def test_e14_a_jump_of_the_estimate_does_not_move_a_vehicle_that_holds(jump):
    one = vehicle()
    one.take_off()
    one.run(2.0)
    start = one.truth
    one.px4.happens(events.estimate_reset, **jump)
    one.run(5.0)
    assert math.hypot(*metres_moved(one, start)) < 0.3
    assert one.truth.height == pytest.approx(start.height, abs=0.3)
    assert abs(math.remainder(one.truth.heading - start.heading, 2 * math.pi)) < 0.1


def test_e15_a_counter_that_begins_again_and_one_that_skips():
    one = vehicle()
    one.take_off()
    one.px4.happens(events.counter, 'xy', 255)
    one.run(1.0)
    start = one.truth
    one.px4.happens(events.estimate_reset, xy=(3.0, 0.0))
    one.run(3.0)
    assert math.hypot(*metres_moved(one, start)) < 0.3
    one.px4.happens(events.counter, 'xy', 7)
    one.run(3.0)
    assert math.hypot(*metres_moved(one, start)) < 0.6


def test_e16_a_controller_in_the_plane_keeps_its_height():
    one = vehicle(guided(vertical_mode='hold_height'))
    one.take_off()
    one.run(2.0)
    height = one.truth.height
    one.track(east=1.0)
    for k in range(60):
        one.command = Motion((math.cos(0.3 * k), math.sin(0.3 * k), 0.0), 0.0)
        one.run(1.0)
        if k == 30:
            one.px4.happens(events.estimate_reset, z=1.0)
    assert one.truth.height == pytest.approx(height, abs=0.3) and one.state is State.TRACK


@pytest.mark.parametrize('way', [(1.0, 0.0), (0.6, -0.8), (-0.7, 0.7)])
def test_e17_nothing_leads_out_of_the_room(way):
    one = vehicle(guided(keep_in_radius=25.0, max_height=10.0))
    one.take_off()
    one.track(*(5.0 * part for part in way), 2.0)
    for _ in range(40):
        one.run(0.5)
        x, y, z = one.bridge.position
        assert math.hypot(x, y) < 25.3 and z < 10.3
    assert one.state is State.TRACK and broken(one) == set()


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


def test_e26_four_vehicles_with_origins_of_their_own_agree_on_where_they_are():
    places = [(0.0, 0.0), (0.0018, 0.0), (0.0, 0.0027), (-0.0009, 0.004)]
    for north, east in places:
        one = vehicle(
            latitude=PLACE[0] + north, longitude=PLACE[1] + east, gps_error=0.0, noise=0.0
        )
        one.take_off()
        one.run(1.0)
        true = pymap3d.geodetic2enu(
            one.truth.latitude, one.truth.longitude, one.truth.altitude, *PLACE
        )
        assert math.dist(one.bridge.position[:2], true[:2]) < 0.05
        assert one.bridge.position[2] == pytest.approx(one.truth.height, abs=0.05)


def test_e27_an_origin_that_moves_in_flight_is_held_and_no_jump():
    one = vehicle()
    one.take_off()
    one.track(east=1.0)
    one.run(2.0)
    one.px4.happens(events.new_reference, PLACE[0] + 1e-4, PLACE[1], PLACE[2])
    one.run(0.5)
    start = one.truth
    assert one.state is State.HOLD_REENTRY
    one.run(4.0)
    assert math.hypot(*metres_moved(one, start)) < 1.0
    before = one.bridge.position
    assert one.ask(Request.ENGAGE)[0]
    one.run(2.0)
    assert one.state is State.TRACK and one.bridge.position[0] > before[0] + 1.0


@pytest.mark.parametrize('seed', range(4))
def test_e28_a_fifth_of_all_messages_is_lost(seed):
    lossy = LinkSettings(loss=0.2, delay=0.0, jitter=0.1)
    one = vehicle(link_in=lossy, link_out=lossy, seed=seed)
    one.take_off()
    start = one.truth
    one.track(east=2.0)
    one.run(5.0)
    assert metres_moved(one, start)[0] > 6.0
    one.command = None
    assert one.ask(Request.LAND)[0]
    one.run(40.0, State.READY)
    assert not one.is_armed


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
