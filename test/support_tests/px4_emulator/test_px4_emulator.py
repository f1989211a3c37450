"""What the emulated PX4 refuses, loses and gets wrong, as the firmware was measured to.

An emulator that is kinder than PX4 would let a wrong bridge pass.
"""

import math
from collections import Counter

import pytest

from support.px4_emulator import Cmd, LinkSettings, NavState, Result, events
from support.px4_emulator.constants import Reason
from support.px4_emulator.direct_drive import drive, flying, trajectory_setpoint
from support.px4_emulator.estimate.projection import to_global, to_local
from support.px4_emulator.estimate.wgs84 import moved
from support.px4_emulator.ros.formats import fields_hash, message_of
from support.px4_emulator.wire import releases
from support.px4_emulator.wire.link import Link

REF = 47.3977, 8.5456
SUFFIXES = {
    '1.14': set(), '1.15': set(), '1.16': {'vehicle_status_v1'},
    '1.17': {'vehicle_status_v1', 'vehicle_local_position_v1', 'battery_status_v1'},
    '1.18': {
        'vehicle_status_v4', 'vehicle_command_ack_v1', 'vehicle_local_position_v1',
        'battery_status_v1',
    },
}  # fmt: skip
MISSING = {
    '1.14': {'vehicle_command_ack', 'vehicle_land_detected', 'battery_status'},
    '1.15': {'vehicle_land_detected'},
}


@pytest.mark.parametrize('release', SUFFIXES)
def test_topics_of_each_release(release):
    hands = drive(release=release, instance=3)
    hands.run(2.0)
    assert hands.offboard() == (None if release == '1.14' else Result.ACCEPTED)
    names = {hands.emulator.topic_name(topic) for topic in hands.emulator.out_topics}
    assert all(name.startswith('/px4_3/fmu/out/') for name in names)
    names = {name.rpartition('/')[2] for name in names}
    assert {name for name in names if name.rpartition('_v')[2].isdigit()} == SUFFIXES[release]
    assert set(releases.FREE) - {sent.topic for sent in hands.log} == MISSING.get(release, set())
    assert hands.emulator.topic_name('vehicle_command', 'in') == '/px4_3/fmu/in/vehicle_command'
    assert hands.last['vehicle_status'].system_id == 4


def test_rates_of_1_17():
    counts = Counter(sent.topic for sent in drive(release='1.17').run(10.0))
    assert counts['vehicle_odometry'] == pytest.approx(990, abs=5)
    assert counts['vehicle_local_position'] == pytest.approx(500, abs=5)
    assert counts['vehicle_status'] == pytest.approx(20, abs=2)


def test_a_topic_by_its_versioned_name_has_no_format():
    assert fields_hash('1.17', message_of('/fmu/out/vehicle_status')) is not None
    assert fields_hash('1.17', message_of('/fmu/out/vehicle_status_v1')) is None


def test_it_arms_with_a_heartbeat_only_though_offboard_mode_is_accepted_without():
    hands = drive(1.0)
    assert hands.offboard() == Result.ACCEPTED and hands.nav_state == NavState.OFFBOARD
    assert hands.last['vehicle_status'].pre_flight_checks_pass is False
    assert hands.arm() == hands.arm(param2=21196.0) == Result.TEMPORARILY_REJECTED
    hands.flag = 'velocity'
    hands.run(1.0)
    assert hands.arm() == Result.ACCEPTED
    hands.until(lambda: not hands.armed)
    assert hands.emulator.firmware.commander.disarming_reason is Reason.NO_TAKE_OFF


@pytest.mark.parametrize('why', ['landing mode', 'battery', 'kill switch'])
def test_it_does_not_arm(why):
    hands = drive(2.0)
    hands.flag = 'velocity'
    hands.run(1.0)
    if why == 'battery':
        hands.emulator.happens(events.battery, 0.1, 1)
    if why == 'kill switch':
        hands.emulator.happens(events.kill_switch)
    if why == 'landing mode':
        hands.command(Cmd.NAV_LAND)
    else:
        hands.offboard()
    assert hands.arm() == Result.TEMPORARILY_REJECTED and not hands.armed


def test_some_commands_meet_silence_and_an_unknown_mode_is_accepted_and_does_nothing():
    hands = drive(instance=1)
    assert hands.command(Cmd.DO_SET_MODE, target_system=1, param1=1.0, param2=6.0) is None
    assert hands.mode(99.0) == Result.ACCEPTED and hands.nav_state == NavState.AUTO_LOITER
    assert hands.mode(4.0, 99.0) == Result.TEMPORARILY_REJECTED
    assert hands.command(31999) == Result.UNSUPPORTED
    assert hands.offboard() == Result.ACCEPTED and hands.nav_state == NavState.OFFBOARD


def test_in_the_air_it_does_not_disarm_and_without_gps_it_does_not_hold():
    hands = flying()
    assert hands.disarm() == Result.TEMPORARILY_REJECTED and hands.armed
    hands.emulator.happens(events.gps, False)
    hands.run(0.1)
    assert hands.mode(4.0, 3.0) == Result.TEMPORARILY_REJECTED
    assert hands.command(Cmd.NAV_LAND) == Result.ACCEPTED


def test_setpoints_are_not_gated():
    """The last velocity is flown on without new ones, and in a landing they hold it off."""
    hands = flying()
    hands.fly((0.0, 2.0, 0.0))
    hands.run(3.0)
    hands.setpoint = None
    hands.run(3.0)
    assert hands.nav_state == NavState.OFFBOARD
    assert hands.truth.velocity[1] == pytest.approx(2.0, rel=0.1)
    hands.fly((0.0, 0.0, 0.0))
    hands.command(Cmd.NAV_LAND)
    hands.run(20.0)
    assert hands.nav_state == NavState.AUTO_LAND and hands.armed
    hands.silent()
    hands.until(lambda: not hands.armed, 12.0)


@pytest.mark.parametrize('release', ['1.16', '1.17'])
def test_offboard_mode_ends_without_the_heartbeat_and_comes_back_with_it(release):
    hands = flying(release=release)
    flag = hands.flag
    hands.silent()
    hands.run(0.9)
    assert hands.nav_state == NavState.OFFBOARD
    hands.flag = flag
    hands.run(0.5)
    hands.silent()
    assert 0.96 <= hands.until(lambda: hands.nav_state != NavState.OFFBOARD) <= 1.13
    assert hands.emulator.firmware.commander.failsafe
    hands.run(2.0)
    hands.flag = 'velocity'
    assert hands.until(lambda: hands.nav_state == NavState.OFFBOARD) <= 0.15


@pytest.mark.parametrize('velocity', [(math.nan, 1.0, 0.0), (1.0, 1.0, math.nan)])
def test_a_setpoint_that_makes_no_sense_stops_it(velocity):
    hands = flying()
    hands.fly((0.0, 2.0, 0.0))
    hands.run(2.0)
    hands.setpoint = trajectory_setpoint(velocity=velocity)
    hands.run(2.5)
    assert hands.truth.velocity == pytest.approx((0.0, 0.0, 0.0), abs=0.1)


def test_a_kill_switch_lets_it_fall_and_disarms():
    hands = flying(10.0)
    hands.emulator.happens(events.kill_switch)
    hands.run(0.6)
    assert hands.last['vehicle_land_detected'].freefall and hands.armed
    hands.run(5.0)
    assert not hands.armed
    assert hands.emulator.firmware.commander.disarming_reason is Reason.KILL_SWITCH


def test_gps_off_makes_xy_invalid_after_5_1_s_and_its_return_is_a_jump():
    hands = flying(noise=0.0)
    hands.emulator.happens(events.gps, False)
    valid = hands.until(lambda: not hands.last['vehicle_local_position'].xy_valid)
    assert valid == pytest.approx(5.1, abs=0.1)
    hands.until(lambda: hands.nav_state == NavState.ALTCTL, 0.2)
    before = hands.last['vehicle_odometry']
    hands.emulator.happens(events.gps, True)
    hands.run(0.04)
    after, local = hands.last['vehicle_odometry'], hands.last['vehicle_local_position']
    assert after.reset_counter == before.reset_counter + 3
    jump = [b - a for a, b in zip(before.position, after.position, strict=True)]
    assert jump[:2] == pytest.approx(local.delta_xy, abs=0.05) and abs(jump[0]) > 1.0


def test_a_reset_moves_the_estimate_and_not_the_vehicle():
    hands = flying(noise=0.0)
    hands.setpoint = None
    hands.emulator.happens(events.counter, 'xy', 255)
    before, start = hands.last['vehicle_local_position'], hands.truth
    assert before.heading_reset_counter == 3 and 0.01 <= abs(before.delta_heading) <= 0.28
    hands.emulator.happens(events.estimate_reset, xy=(3.0, 0.0), z=1.0, heading=0.35)
    hands.run(2.0)
    after = hands.last['vehicle_local_position']
    assert after.x - before.x == pytest.approx(3.0, abs=0.05) and after.xy_reset_counter == 0
    assert (after.delta_xy, after.delta_z, after.delta_heading) == ([3.0, 0.0], 1.0, 0.35)
    assert hands.truth.height == pytest.approx(start.height, abs=0.05)
    assert hands.truth.latitude == pytest.approx(start.latitude, abs=1e-6)


def test_on_a_jump_of_the_clock_one_message_has_a_stamp_of_boot():
    hands = drive(61.0, time_jump_period=20.0)
    epoch = hands.emulator.settings.epoch_us
    raw = [sent for sent in hands.log if sent.message.timestamp < 0.5 * epoch]
    assert 2 <= len(raw) <= 4
    assert all(60e6 <= sent.message.timestamp <= 122e6 for sent in raw)


def test_without_the_agent_nothing_comes():
    hands = flying()
    hands.emulator.agent_down(2.0)
    assert not hands.run(8.0) and not hands.emulator.is_in_graph
    assert hands.run(1.0) and hands.emulator.is_in_graph


def test_a_link_loses_delays_and_reorders():
    link, found = Link(LinkSettings(loss=0.2, delay=0.05, jitter=0.1), 'test'), []
    for k in range(2000):
        link.send(k * 10_000, k)
        found += [(k, one) for one in link.due(k * 10_000)]
    assert 0.77 < len(found) / 2000 < 0.83
    delays, order = [at - sent for at, sent in found], [sent for _, sent in found]
    assert min(delays) >= 5 and max(delays) <= 15 and order != sorted(order)


def test_the_map_has_the_published_place_and_is_not_the_earth():
    """Whoever takes local metres for WGS84 is found."""
    east = 47.39769999969, 8.54586571555  # 20 m on PX4's map, 20.0603 m on WGS84
    assert to_global(0.0, 20.0, *REF) == pytest.approx(east, abs=2e-11)
    assert to_local(*east, *REF) == pytest.approx((0.0, 20.0), abs=2e-5)
    assert moved(*REF, 488.0, 0.0, 20.0603) == pytest.approx(east, abs=1e-9)


@pytest.mark.parametrize('vehicle', ['kinematic', 'quadrotor'])
def test_f22_east_is_longitude_north_is_latitude_up_is_altitude_and_right_is_positive(vehicle):
    """By the true place, whatever the nose points at."""
    hands = flying(vehicle=vehicle, heading=2.0)
    start = hands.truth
    hands.fly((0.0, 1.0, 0.0))
    hands.run(3.0)
    east = hands.truth
    assert east.longitude - start.longitude > 2e-5
    assert east.latitude == pytest.approx(start.latitude, abs=2e-6)
    hands.fly((1.0, 0.0, -1.0), yawspeed=0.5)
    hands.run(3.0)
    north = hands.truth
    assert north.latitude - east.latitude > 2e-5 and north.altitude - east.altitude > 2.0
    assert 1.2 < math.remainder(north.heading - east.heading, 2.0 * math.pi) < 1.7
    assert hands.last['vehicle_odometry'].angular_velocity[2] == pytest.approx(0.5, abs=0.05)


def test_the_nose_points_along_the_heading_and_dips_when_it_accelerates_forward():
    hands = flying(vehicle='quadrotor', heading=1.0)
    hands.fly((3.0 * math.cos(1.0), 3.0 * math.sin(1.0), 0.0))
    hands.run(0.4)
    w, x, y, z = hands.truth.attitude
    nose = 1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)
    assert math.atan2(nose[1], nose[0]) == pytest.approx(1.0, abs=0.05)
    assert nose[2] > 0.1, 'down is positive'
    assert hands.last['vehicle_local_position'].heading == pytest.approx(1.0, abs=0.05)
