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
    one = EmulatedVehicle(parameters, **settings)
    one.take_off()
    return one


def tracking(parameters=None, seconds=2.0, east=1.0, **settings):
    one = flown(parameters, **settings)
    one.track(east)
    one.run(seconds)
    return one


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
    one = flown(heading=math.radians(60.0))
    one.in_body = True
    start = one.truth
    one.track(east=2.0)  # forward
    one.run(4.0)
    east, north = one.moved_since(start)
    assert math.degrees(math.atan2(east, north)) == pytest.approx(60.0, abs=4.0)


@pytest.mark.parametrize('bad', [math.nan, math.inf, 1e9])
def test_e11_bad_commands_do_not_get_through(bad):
    one = flown()
    one.track(east=2.0)
    one.command = Motion((bad, 0.0, 0.0), 0.0)
    one.run(5.0)
    assert one.speed() < 5.1 and one.broken() == set()
    if not math.isfinite(bad):
        assert one.state is not State.TRACK and one.speed() < 0.3


@pytest.mark.parametrize('jump', [
    {'xy': (3.0, 0.0)}, {'z': 1.0}, {'xy': (3.0, -1.0), 'z': -1.0, 'heading': -0.3},
])  # fmt: skip
def test_e14_a_jump_of_the_estimate_does_not_move_a_vehicle_that_holds(jump):
    one = flown()
    one.run(2.0)
    start = one.truth
    one.px4.happens(events.estimate_reset, **jump)
    one.run(5.0)
    assert math.hypot(*one.moved_since(start)) < 0.3
    assert one.truth.height == pytest.approx(start.height, abs=0.3)
    assert abs(math.remainder(one.truth.heading - start.heading, 2 * math.pi)) < 0.1


def test_e16_a_controller_in_the_plane_keeps_its_height():
    one = tracking(guided(vertical_mode='hold_height'))
    height = one.truth.height
    for k in range(20):
        one.command = Motion((math.cos(0.3 * k), math.sin(0.3 * k), 0.0), 0.0)
        one.run(1.0)
        if k == 8:
            one.px4.happens(events.estimate_reset, z=1.0)
    assert one.truth.height == pytest.approx(height, abs=0.3) and one.state is State.TRACK


@pytest.mark.parametrize('mode', ['hold_position', 'passthrough'])
def test_at_a_command_of_zero_a_vehicle_whose_velocity_is_wrong_keeps_its_place(monkeypatch, mode):
    one = flown(guided(horizontal_mode=mode))
    monkeypatch.setattr(Estimator, 'velocity_error', (0.4, -0.3))
    one.track(east=3.0)
    one.run(3.0)
    one.command = STILL
    one.run(2.0)
    start, moved = one.truth, []
    for _ in range(24):
        one.run(1.0)
        moved.append(math.hypot(*one.moved_since(start)))
    assert one.state is State.TRACK and one.broken() == set()
    assert max(moved) < 1.0 if mode == 'hold_position' else max(moved) > 10.0


@pytest.mark.parametrize('way', [(1.0, 0.0), (-0.6, 0.8)])
def test_e17_nothing_leads_out_of_the_room(way):
    one = flown(guided(keep_in_radius=25.0, max_height=10.0))
    one.track(*(5.0 * part for part in way), 2.0)
    for _ in range(30):
        one.run(0.5)
        x, y, z = one.bridge.position
        assert math.hypot(x, y) < 25.3 and z < 10.3
    assert one.state is State.TRACK and one.broken() == set()


def test_e27_an_origin_that_moves_in_flight_is_held_and_no_jump():
    one = tracking()
    one.px4.happens(events.new_reference, PLACE[0] + 1e-4, PLACE[1], PLACE[2])
    one.run(0.5)
    start = one.truth
    assert one.state is State.HOLD_REENTRY
    one.run(4.0)
    assert math.hypot(*one.moved_since(start)) < 1.0
    before = one.bridge.position
    assert one.ask(Request.ENGAGE)[0]
    one.run(2.0)
    assert one.state is State.TRACK and one.bridge.position[0] > before[0] + 1.0


def test_e27_an_origin_that_moves_uncounted_does_not_move_a_vehicle_that_holds():
    one = flown()
    estimator, start = one.px4.firmware.estimator, one.truth
    counts = dict(estimator.counters.counts)
    one.px4.happens(events.new_reference, PLACE[0] + 1e-4, PLACE[1], PLACE[2])
    estimator.counters.counts = counts
    one.run(5.0)
    assert one.state is State.HOLD_REENTRY and math.hypot(*one.moved_since(start)) < 1.0


def test_without_a_setpoint_there_is_no_heartbeat_either():
    """With one alone PX4 would fly the last velocity on."""
    one = flown()
    known, other = one.bridge.known, type(one.bridge)(one.parameters)
    nowhere = known.local._replace(position=(math.nan, math.nan, 3.0))
    other.known = known._replace(local=nowhere)
    for _ in range(5):
        out = other.step(one.now)
    assert out.engage.state is State.HOLD_REENTRY and out.engage.heartbeat is not None
    assert (out.setpoint, out.heartbeat) == (None, None)


@pytest.mark.parametrize('seed', range(2))
def test_e28_a_fifth_of_all_messages_is_lost(seed):
    lossy = LinkSettings(loss=0.2, delay=0.0, jitter=0.1)
    one = flown(link_in=lossy, link_out=lossy, seed=seed)
    start = one.truth
    one.track(east=2.0)
    one.run(5.0)
    assert one.moved_since(start)[0] > 6.0
    one.land()


def test_e06_lost_requests_are_repeated():
    one = EmulatedVehicle(link_in=LinkSettings(loss=0.6), seed=3)
    one.run(20.0, State.READY)
    one.ask(Request.TAKE_OFF)
    one.run(60.0, State.TAKE_OFF)
    assert one.is_armed and one.asked.count(Action.ARM) >= 2


def test_e09_after_a_short_standstill_fresh_commands_are_followed():
    one = tracking(seconds=3.0, east=3.0)
    one.is_frozen = True
    one.run(0.6)
    one.is_frozen = False
    one.run(3.0)
    assert one.state is State.TRACK and one.speed() > 2.0


def test_e13_without_gps_it_lands():
    one = tracking(east=2.0)
    one.px4.happens(events.gps, False)
    one.run(10.0)
    since = one.now
    one.run(2.0)
    assert one.state in (State.LANDING, State.EXTERNAL, State.READY)
    assert not [at for at, _ in one.setpoints if at > since]


def test_e18_a_vehicle_that_must_not_fly_is_told_why():
    one = EmulatedVehicle()
    one.run(8.0)
    one.px4.happens(events.battery, 0.15, 2)
    one.run(2.0)
    one.ask(Request.TAKE_OFF)
    one.run(16.0)
    assert one.state is State.READY and 'battery' in one.reason and not one.is_armed
    assert one.requests == []


def test_e34_a_refused_arming_is_explained_by_all_that_is_set_and_not_tried_for_ever():
    """Also by flags that no check of the bridge knows."""
    one = EmulatedVehicle()
    one.px4.happens(events.kill_switch)
    one.run(9.0)
    one.ask(Request.TAKE_OFF)
    one.run(20.0, State.ARMING)
    one.run(20.0, State.READY)
    assert 'arm was answered: temporarily rejected (5 attempts)' in one.reason, one.reason
    assert 'manual_control_signal_lost is set' in one.reason and 'preflight' in one.reason
    one.run(5.0)
    assert one.asked == [Action.OFFBOARD, *[Action.ARM] * 5]
    assert one.broken() == set()  # each answer counts once: else it would ask at every step


def test_e19_a_vehicle_that_disarms_before_it_takes_off_is_a_fault():
    one = EmulatedVehicle()
    one.run(9.0)
    one.ask(Request.TAKE_OFF)
    one.run(10.0, State.TAKE_OFF)
    one.px4.happens(events.kill_switch)
    one.run(12.0)
    since = one.now
    assert one.state is State.FAULT and not one.is_armed
    one.run(10.0)
    assert one.said_since(since) == 0 and 'rearm' not in one.broken()


@pytest.mark.parametrize('event', [events.kill_switch, events.terminate])
def test_e23_e24_a_kill_switch_and_termination_are_final(event):
    one = flown()
    one.px4.happens(event)
    one.run(10.0)
    assert one.state is State.FAULT
    since = one.now
    for request in (Request.ENGAGE, Request.TAKE_OFF):
        accepted, answer = one.ask(request)
        assert not accepted
        assert ('restarted' if event is events.terminate else 'disarmed') in answer
    one.run(4.0)
    assert one.said_since(since) == 0 and one.state is State.FAULT


def test_e22_the_agent_and_the_autopilot_start_again():
    one = tracking()
    one.px4.agent_down(5.0)
    one.run(4.0)
    assert one.state in (State.LINK_LOST, State.HANDOVER)
    one.run(20.0)
    assert one.mode != 'OFFBOARD' and one.state is State.EXTERNAL
    one.land()
    one.px4.reboot()
    one.run(3.0)
    assert one.state is not State.READY
    one.take_off()


def test_e25_a_jump_of_the_clock_is_no_loss():
    one = tracking()
    one.px4.happens(events.time_jump, 5.0)
    one.run(10.0)
    assert one.state is State.TRACK and one.mode == 'OFFBOARD'


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
    one = flown(guided(vertical_mode='hold_height'), release=release)
    one.px4.happens(events.estimate_reset, z=0.5)
    one.track(east=1.0)
    one.run(2.0)
    kept = restarted(
        one, lambda: one.px4.happens(events.estimate_reset, z=-jump) if jump else None
    )
    assert one.state is State.READY and one.mode == 'AUTO_LOITER', one.reason
    assert one.bridge.frame.ground == pytest.approx(kept.ground + jump, abs=1e-6)
    assert one.bridge.position[2] == pytest.approx(one.truth.height, abs=0.1)
    start = one.truth
    one.command = Motion((1.0, 0.0, 0.0), 0.0)
    one.tick()
    assert one.ask(Request.ENGAGE)[0], one.reason
    one.run(5.0)
    assert one.state is State.TRACK and one.moved_since(start)[0] > 1.0
    assert one.truth.height == pytest.approx(start.height, abs=0.3)
    assert one.broken(('heartbeat_gap', 'left_in_offboard')) == set()


def test_two_jumps_while_no_bridge_runs_leave_the_ground_unknown():
    one = flown()

    def jump_twice():
        one.px4.happens(events.estimate_reset, z=1.0)
        one.px4.happens(events.estimate_reset, z=-0.25)

    restarted(one, jump_twice)
    assert 'has jumped 2 times' in one.bridge.frame.fault and one.bridge.pose is None
    assert one.bridge.ground_memory is None
    one.land()
    assert one.bridge.frame.fault == ''


def test_the_ground_of_another_flight_is_not_taken():
    one = flown()
    earlier = one.bridge.ground_memory
    one.land()
    one.take_off()
    assert one.bridge.ground_memory.armed_us > earlier.armed_us
    one.bridge = type(one.bridge)(one.parameters)
    one.bridge.stored_ground = earlier
    one.run(2.0)
    assert 'the kept height is of another flight' in one.bridge.frame.fault
