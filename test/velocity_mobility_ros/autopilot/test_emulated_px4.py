"""What is particular to an emulated PX4, without ROS: estimates that jump, frames, faults.

The labels are those of the conformance tests of the bridge; flights that every autopilot makes are
in test_every_autopilot. Strict mode of the emulator judges what the bridge sends.
"""

import math
from dataclasses import replace

import pytest

from support.autopilot.emulated import EmulatedVehicle
from support.autopilot.emulated_flight import ENGAGE, FRAME, PLACE, guided
from support.px4_emulator import events
from support.px4_emulator.constants import NavState
from support.px4_emulator.estimate.estimator import Estimator
from support.px4_emulator.settings import LinkSettings
from velocity_mobility_ros.autopilot.autopilot_requests import Action
from velocity_mobility_ros.autopilot.bridge import BridgeParameters
from velocity_mobility_ros.autopilot.engage.engage_records import Request, State
from velocity_mobility_ros.autopilot.ground_memory import of_text, to_text
from velocity_mobility_ros.autopilot.setpoint_limits import GuidanceParameters
from velocity_mobility_ros.core.twist_smoothing import STILL, Motion

ENDS = ('1.14', '1.18')
"""Releases: the first one answers no command and does not say whether the vehicle stands."""


def flown(parameters=None, **settings):
    vehicle = EmulatedVehicle(parameters, **settings)
    vehicle.take_off()
    return vehicle


def tracking(parameters=None, seconds=2.0, east=1.0, **settings):
    vehicle = flown(parameters, **settings)
    vehicle.track(east)
    vehicle.run(seconds)
    return vehicle


@pytest.mark.parametrize('release', ['1.14', '1.15', '1.16', '1.18'])
def test_e08_each_release_flies_and_is_left_to_its_pilot_and_to_its_end(release):
    one = tracking(release=release, seconds=3.0, east=2.0)
    one.pilot_takes()
    one.run(0.3)
    since = one.now
    one.run(3.0)
    assert one.state is State.EXTERNAL and 'pilot' in one.reason and one.said_since(since) == 0
    assert one.ask(Request.ENGAGE)[0], one.reason
    one.run(8.0, State.TRACK)
    one.ask(Request.RELEASE)
    one.run(3.0, State.RELEASED)
    assert one.state is State.RELEASED and one.mode == 'AUTO_LOITER' and one.broken() == set()


def test_e30_a_command_of_the_body_turns_by_the_heading():
    vehicle = flown(heading=math.radians(60.0))
    vehicle.in_body = True
    start = vehicle.truth
    vehicle.track(east=2.0)  # forward
    vehicle.run(4.0)
    east, north = vehicle.moved_since(start)
    assert math.degrees(math.atan2(east, north)) == pytest.approx(60.0, abs=4.0)


@pytest.mark.parametrize('bad', [math.nan, math.inf, 1e9])
def test_e11_bad_commands_do_not_get_through(bad):
    vehicle = flown()
    vehicle.track(east=2.0)
    vehicle.command = Motion((bad, 0.0, 0.0), 0.0)
    vehicle.run(5.0)
    assert vehicle.speed() < 5.1 and vehicle.broken() == set()
    if not math.isfinite(bad):
        assert vehicle.state is not State.TRACK and vehicle.speed() < 0.3


@pytest.mark.parametrize('jump', [
    {'xy': (3.0, 0.0)}, {'z': 1.0}, {'xy': (3.0, -1.0), 'z': -1.0, 'heading': -0.3},
])  # fmt: skip
def test_e14_a_jump_of_the_estimate_does_not_move_a_vehicle_that_holds(jump):
    vehicle = flown()
    vehicle.run(2.0)
    start = vehicle.truth
    vehicle.px4.happens(events.estimate_reset, **jump)
    vehicle.run(5.0)
    assert math.hypot(*vehicle.moved_since(start)) < 0.3
    assert vehicle.truth.height == pytest.approx(start.height, abs=0.3)
    assert abs(math.remainder(vehicle.truth.heading - start.heading, 2 * math.pi)) < 0.1


def test_e16_a_controller_in_the_plane_keeps_its_height():
    vehicle = tracking(guided(vertical_mode='hold_height'))
    height = vehicle.truth.height
    for k in range(20):
        vehicle.command = Motion((math.cos(0.3 * k), math.sin(0.3 * k), 0.0), 0.0)
        vehicle.run(1.0)
        if k == 8:
            vehicle.px4.happens(events.estimate_reset, z=1.0)
    assert vehicle.truth.height == pytest.approx(height, abs=0.3) and vehicle.state is State.TRACK


@pytest.mark.parametrize('mode', ['hold_position', 'passthrough'])
def test_at_a_command_of_zero_a_vehicle_whose_velocity_is_wrong_keeps_its_place(monkeypatch, mode):
    vehicle = flown(guided(horizontal_mode=mode))
    monkeypatch.setattr(Estimator, 'velocity_error', (0.4, -0.3))
    vehicle.track(east=3.0)
    vehicle.run(3.0)
    vehicle.command = STILL
    vehicle.run(2.0)
    start, moved = vehicle.truth, []
    for _ in range(24):
        vehicle.run(1.0)
        moved.append(math.hypot(*vehicle.moved_since(start)))
    assert vehicle.state is State.TRACK and vehicle.broken() == set()
    assert max(moved) < 1.0 if mode == 'hold_position' else max(moved) > 10.0


@pytest.mark.parametrize('way', [(1.0, 0.0), (-0.6, 0.8)])
def test_e17_nothing_leads_out_of_the_room(way):
    vehicle = flown(guided(keep_in_radius=25.0, max_height=10.0))
    vehicle.track(*(5.0 * part for part in way), 2.0)
    for _ in range(30):
        vehicle.run(0.5)
        x, y, z = vehicle.bridge.position
        assert math.hypot(x, y) < 25.3 and z < 10.3
    assert vehicle.state is State.TRACK and vehicle.broken() == set()


def test_e27_an_origin_that_moves_in_flight_is_held_and_no_jump():
    vehicle = tracking()
    vehicle.px4.happens(events.new_reference, PLACE[0] + 1e-4, PLACE[1], PLACE[2])
    vehicle.run(0.5)
    start = vehicle.truth
    assert vehicle.state is State.HOLD_REENTRY
    vehicle.run(4.0)
    assert math.hypot(*vehicle.moved_since(start)) < 1.0
    before = vehicle.bridge.position
    assert vehicle.ask(Request.ENGAGE)[0]
    vehicle.run(2.0)
    assert vehicle.state is State.TRACK and vehicle.bridge.position[0] > before[0] + 1.0


def test_e27_an_origin_that_moves_uncounted_does_not_move_a_vehicle_that_holds():
    vehicle = flown()
    estimator, start = vehicle.px4.firmware.estimator, vehicle.truth
    counts = dict(estimator.counters.counts)
    vehicle.px4.happens(events.new_reference, PLACE[0] + 1e-4, PLACE[1], PLACE[2])
    estimator.counters.counts = counts
    vehicle.run(5.0)
    assert vehicle.state is State.HOLD_REENTRY and math.hypot(*vehicle.moved_since(start)) < 1.0


def test_without_a_setpoint_there_is_no_heartbeat_either():
    """With one alone PX4 would fly the last velocity on."""
    vehicle = flown()
    known, other = vehicle.bridge.known, type(vehicle.bridge)(vehicle.parameters)
    nowhere = known.local._replace(position=(math.nan, math.nan, 3.0))
    other.known = known._replace(local=nowhere)
    for _ in range(5):
        out = other.step(vehicle.now)
    assert out.engage.state is State.HOLD_REENTRY and out.engage.heartbeat is not None
    assert (out.setpoint, out.heartbeat) == (None, None)


@pytest.mark.parametrize('seed', range(2))
def test_e28_a_fifth_of_all_messages_is_lost(seed):
    lossy = LinkSettings(loss=0.2, delay=0.0, jitter=0.1)
    vehicle = flown(link_in=lossy, link_out=lossy, seed=seed)
    start = vehicle.truth
    vehicle.track(east=2.0)
    vehicle.run(5.0)
    assert vehicle.moved_since(start)[0] > 6.0
    vehicle.land()


def test_e06_lost_requests_are_repeated():
    vehicle = EmulatedVehicle(link_in=LinkSettings(loss=0.6), seed=3)
    vehicle.run(20.0, State.READY)
    vehicle.ask(Request.TAKE_OFF)
    vehicle.run(60.0, State.TAKE_OFF)
    assert vehicle.is_armed and vehicle.asked.count(Action.ARM) >= 2


def test_e09_after_a_short_standstill_fresh_commands_are_followed():
    vehicle = tracking(seconds=3.0, east=3.0)
    vehicle.is_frozen = True
    vehicle.run(0.6)
    vehicle.is_frozen = False
    vehicle.run(3.0)
    assert vehicle.state is State.TRACK and vehicle.speed() > 2.0


def test_e13_without_gps_it_lands():
    vehicle = tracking(east=2.0)
    vehicle.px4.happens(events.gps, False)
    vehicle.run(10.0)
    since = vehicle.now
    vehicle.run(2.0)
    assert vehicle.state in (State.LANDING, State.EXTERNAL, State.READY)
    assert not [at for at, _ in vehicle.setpoints if at > since]


def test_e18_a_vehicle_that_must_not_fly_is_told_why():
    vehicle = EmulatedVehicle()
    vehicle.run(8.0)
    vehicle.px4.happens(events.battery, 0.15, 2)
    vehicle.run(2.0)
    vehicle.ask(Request.TAKE_OFF)
    vehicle.run(16.0)
    assert vehicle.state is State.READY and 'battery' in vehicle.reason and not vehicle.is_armed
    assert vehicle.requests == []


def test_e34_a_refused_arming_is_explained_by_all_that_is_set_and_not_tried_for_ever():
    """Also by flags that no check of the bridge knows."""
    vehicle = EmulatedVehicle()
    vehicle.px4.happens(events.kill_switch)
    vehicle.run(9.0)
    vehicle.ask(Request.TAKE_OFF)
    vehicle.run(20.0, State.ARMING)
    vehicle.run(20.0, State.READY)
    assert 'arm was answered: temporarily rejected (5 attempts)' in vehicle.reason, vehicle.reason
    assert 'manual_control_signal_lost is set' in vehicle.reason and 'preflight' in vehicle.reason
    vehicle.run(5.0)
    assert vehicle.asked == [Action.OFFBOARD, *[Action.ARM] * 5]
    assert vehicle.broken() == set()  # each answer counts once: else it would ask at every step


def test_e19_a_vehicle_that_disarms_before_it_takes_off_is_a_fault():
    vehicle = EmulatedVehicle()
    vehicle.run(9.0)
    vehicle.ask(Request.TAKE_OFF)
    vehicle.run(10.0, State.TAKE_OFF)
    vehicle.px4.happens(events.kill_switch)
    vehicle.run(12.0)
    since = vehicle.now
    assert vehicle.state is State.FAULT and not vehicle.is_armed
    vehicle.run(10.0)
    assert vehicle.said_since(since) == 0 and 'rearm' not in vehicle.broken()


@pytest.mark.parametrize('event', [events.kill_switch, events.terminate])
def test_e23_e24_a_kill_switch_and_termination_are_final(event):
    vehicle = flown()
    vehicle.px4.happens(event)
    vehicle.run(10.0)
    assert vehicle.state is State.FAULT
    since = vehicle.now
    for request in (Request.ENGAGE, Request.TAKE_OFF):
        accepted, answer = vehicle.ask(request)
        assert not accepted
        assert ('restarted' if event is events.terminate else 'disarmed') in answer
    vehicle.run(4.0)
    assert vehicle.said_since(since) == 0 and vehicle.state is State.FAULT


def test_e22_the_agent_and_the_autopilot_start_again():
    vehicle = tracking()
    vehicle.px4.agent_down(5.0)
    vehicle.run(4.0)
    assert vehicle.state in (State.LINK_LOST, State.HANDOVER)
    vehicle.run(20.0)
    assert vehicle.mode != 'OFFBOARD' and vehicle.state is State.EXTERNAL
    vehicle.land()
    vehicle.px4.reboot()
    vehicle.run(3.0)
    assert vehicle.state is not State.READY
    vehicle.take_off()


def test_e25_a_jump_of_the_clock_is_no_loss():
    vehicle = tracking()
    vehicle.px4.happens(events.time_jump, 5.0)
    vehicle.run(10.0)
    assert vehicle.state is State.TRACK and vehicle.mode == 'OFFBOARD'


@pytest.mark.parametrize('release', ENDS)
def test_e29_a_vehicle_that_flies_is_taken_without_a_dip(release):
    high = replace(FRAME, z_offset_mode='amsl')
    one = EmulatedVehicle(BridgeParameters(ENGAGE, GuidanceParameters(), high), release=release)
    one.px4.happens(events.in_the_air, 10.0, NavState.AUTO_LOITER)
    one.run(8.0)
    height, begun = one.truth.height, one.now
    one.command = STILL
    one.tick()
    assert one.ask(Request.ENGAGE)[0], one.reason
    while one.state not in (State.HOLD, State.TRACK):
        assert one.now - begun < 10.0 and one.setpoints == []
        one.tick()
    one.run(3.0)
    assert one.truth.height == pytest.approx(height, abs=0.3)


def test_a_bridge_that_starts_in_flight_holds_at_once_and_says_why_it_does_not_track():
    """Its heights are from the ground, on which it has never seen the vehicle."""
    one = flown()
    one.bridge = type(one.bridge)(one.parameters)
    one.command = Motion((1.0, 0.0, 0.0), 0.0)
    one.run(3.0)
    assert one.state is State.HOLD_REENTRY and one.mode == 'OFFBOARD' and one.speed() < 0.2
    accepted, answer = one.ask(Request.ENGAGE)
    assert not accepted and 'has not stood' in answer
    one.land()


def restarted(one, meanwhile=lambda: None):
    """Let another bridge fly the vehicle, with what the file holds; it is down for 3 s."""
    kept = of_text(to_text(one.bridge.ground_memory))
    one.is_frozen = True
    one.run(2.0)
    meanwhile()
    one.run(1.0)
    one.bridge, one.is_frozen = type(one.bridge)(one.parameters), False
    one.bridge.stored_ground = kept
    one.run(2.0)
    return kept


@pytest.mark.parametrize('release', ENDS)
@pytest.mark.parametrize('jump', [0.0, 1.5])
def test_a_bridge_that_is_restarted_in_flight_knows_the_ground_and_may_track(release, jump):
    vehicle = flown(guided(vertical_mode='hold_height'), release=release)
    vehicle.px4.happens(events.estimate_reset, z=0.5)
    vehicle.track(east=1.0)
    vehicle.run(2.0)
    kept = restarted(
        vehicle, lambda: vehicle.px4.happens(events.estimate_reset, z=-jump) if jump else None
    )
    assert vehicle.state is State.READY and vehicle.mode == 'AUTO_LOITER', vehicle.reason
    assert vehicle.bridge.frame.ground == pytest.approx(kept.ground + jump, abs=1e-6)
    assert vehicle.bridge.position[2] == pytest.approx(vehicle.truth.height, abs=0.1)
    start = vehicle.truth
    vehicle.command = Motion((1.0, 0.0, 0.0), 0.0)
    vehicle.tick()
    assert vehicle.ask(Request.ENGAGE)[0], vehicle.reason
    vehicle.run(5.0)
    assert vehicle.state is State.TRACK and vehicle.moved_since(start)[0] > 1.0
    assert vehicle.truth.height == pytest.approx(start.height, abs=0.3)
    assert vehicle.broken(('heartbeat_gap', 'left_in_offboard')) == set()


def test_two_jumps_while_no_bridge_runs_leave_the_ground_unknown():
    vehicle = flown()

    def jump_twice():
        vehicle.px4.happens(events.estimate_reset, z=1.0)
        vehicle.px4.happens(events.estimate_reset, z=-0.25)

    restarted(vehicle, jump_twice)
    assert 'has jumped 2 times' in vehicle.bridge.frame.fault and vehicle.bridge.pose is None
    assert vehicle.bridge.ground_memory is None
    vehicle.land()
    assert vehicle.bridge.frame.fault == ''


def test_the_ground_of_another_flight_is_not_taken():
    vehicle = flown()
    earlier = vehicle.bridge.ground_memory
    vehicle.land()
    vehicle.take_off()
    assert vehicle.bridge.ground_memory.armed_us > earlier.armed_us
    vehicle.bridge = type(vehicle.bridge)(vehicle.parameters)
    vehicle.bridge.stored_ground = earlier
    vehicle.run(2.0)
    assert 'the kept height is of another flight' in vehicle.bridge.frame.fault
