"""Strict mode: a good flight has no violation, and every rule is provoked once."""

import math
from types import SimpleNamespace

import pytest
from support.px4_emulator import Cmd, LinkSettings, NavState, events
from support.px4_emulator.direct_drive import (
    drive,
    flying,
    offboard_control_mode,
    trajectory_setpoint,
    vehicle_command,
)


def rules(hands):
    return {one.rule for one in hands.emulator.violations}


def send(hands, topic, message):
    hands.emulator.receive(topic, message)
    hands.run(0.02)
    return rules(hands)


def setpoint(hands, **fields):
    hands.setpoint = None
    return send(hands, 'trajectory_setpoint', trajectory_setpoint(**fields))


def command(hands, number=Cmd.RUN_PREARM_CHECKS, **fields):
    return send(hands, 'vehicle_command', vehicle_command(number, **fields))


@pytest.mark.parametrize('vehicle', ['kinematic', 'quadrotor'])
def test_a_good_flight_has_no_violation(vehicle):
    hands = flying(vehicle=vehicle)
    for k in range(50):
        hands.fly((0.0, 0.04 * k, 0.0))
        hands.run(0.02)
    hands.run(2.0)
    hands.silent()
    hands.flag = 'velocity'
    hands.command(Cmd.NAV_LAND)
    hands.until(lambda: not hands.armed)
    assert hands.emulator.violations == []


def test_a_lossy_link_is_not_the_bridges_fault():
    bad = LinkSettings(loss=0.2, delay=0.01, jitter=0.05, duplicates=0.1)
    hands = drive(link_in=bad, link_out=bad)
    hands.go((0.0, 0.0, -3.0))
    hands.run(1.2)
    hands.until(lambda: hands.offboard() == 0)
    hands.until(lambda: hands.arm() == 0)
    hands.run(10.0)
    assert hands.truth.height == pytest.approx(3.0, abs=0.2)
    # The script repeats a command after 0.3 s, which is too soon.
    assert rules(hands) <= {'overlap'}


def test_setpoint_outside_offboard():
    hands = flying()
    hands.command(Cmd.NAV_LAND)
    assert 'setpoint_outside_offboard' not in rules(hands)
    hands.run(0.2)
    assert rules(hands) == {'setpoint_outside_offboard'}


@pytest.mark.parametrize('flags', [{}, {'position': True, 'velocity': True}])
def test_heartbeat_flags(flags):
    message = offboard_control_mode(None, **flags)
    assert send(drive(), 'offboard_control_mode', message) == {'heartbeat_flags'}


@pytest.mark.parametrize('vector', [(math.inf, 0.0, 0.0), (0.0, 0.0, -math.inf)])
def test_infinite(vector):
    assert setpoint(drive(), velocity=vector) == {'infinite'}


def test_out_of_range():
    assert setpoint(drive(), velocity=(1e9, 0.0, 0.0)) == {'out_of_range'}


def test_unpaired_xy():
    assert setpoint(drive(), velocity=(math.nan, 1.0, 0.0)) == {'unpaired_xy'}


@pytest.mark.parametrize('yaw', [3.2, -4.0])
def test_yaw_range(yaw):
    assert setpoint(drive(), velocity=(0.0, 0.0, 0.0), yaw=yaw) == {'yaw_range'}


def test_zero_position():
    hands = drive()
    hands.flag = 'velocity'
    hands.run(0.1)
    assert setpoint(hands, position=(0.0, 0.0, 0.0)) == {'zero_position'}


def test_velocity_step():
    hands = flying()
    hands.fly((0.0, 0.0, 0.0))
    hands.run(0.1)
    hands.fly((0.0, 8.0, 0.0))
    hands.run(0.1)
    assert rules(hands) == {'velocity_step'}


def test_a_setpoint_that_comes_late_and_the_next_in_time_are_no_step():
    """The sender was not let run for a moment: what it says is what it should say now."""
    hands = flying()
    hands.fly((0.0, 0.0, 0.0))
    hands.run(0.1)
    for wait, east in ((0.1, 0.06), (0.0, 0.30), (0.02, 0.36)):
        hands.setpoint = None
        hands.run(wait)
        send(hands, 'trajectory_setpoint', trajectory_setpoint(velocity=(0.0, east, 0.0)))
    assert rules(hands) == set()
    send(hands, 'trajectory_setpoint', trajectory_setpoint(velocity=(0.0, 9.0, 0.0)))
    assert rules(hands) == {'velocity_step'}


def test_heartbeat_gap():
    hands = flying()
    hands.flag = None
    hands.run(0.8)
    assert rules(hands) == {'heartbeat_gap'}


def test_left_in_offboard():
    hands = flying()
    hands.silent()
    hands.run(1.3)
    assert rules(hands) == {'heartbeat_gap', 'left_in_offboard'}


def test_stale_stamp():
    hands = drive(3.0)
    stamp = hands.last['timesync_status'].remote_timestamp - 700_000
    message = offboard_control_mode('velocity', timestamp=stamp)
    assert send(hands, 'offboard_control_mode', message) == {'stale_stamp'}


def test_wrong_target():
    assert command(drive(), system=9) == {'wrong_target'}
    assert command(drive(), target_component=55) == {'wrong_target'}


def test_from_external():
    assert command(drive(), from_external=False) == {'from_external'}


def test_source_component():
    assert command(drive(), source_component=0) == {'source_component'}


def test_command_rate():
    hands = drive()
    for _ in range(6):
        assert 'command_rate' not in rules(hands)
        command(hands)
        hands.run(0.1)
    assert 'command_rate' in rules(hands)


def test_overlap():
    hands = drive()
    hands.emulator.receive('vehicle_command', vehicle_command(Cmd.DO_SET_MODE))
    assert command(hands) == {'overlap'}


def test_command_after_override():
    hands = flying()
    hands.setpoint = None
    hands.emulator.happens(events.pilot_takes)
    hands.run(0.2)
    assert hands.offboard() == 0
    assert rules(hands) == {'command_after_override'}


def resumed(is_wanted=False):
    hands = flying()
    hands.silent()
    hands.run(2.0)
    hands.emulator.violations.clear()
    if is_wanted:
        hands.emulator.operator_word()
    hands.flag = 'velocity'
    hands.until(lambda: hands.nav_state == NavState.OFFBOARD)
    hands.run(0.5)
    return hands


def test_moved_after_resume():
    hands = resumed()
    assert setpoint(hands, velocity=(0.0, 0.0, 0.0)) == set()
    assert setpoint(hands, velocity=(0.08, 0.0, 0.0)) == {'moved_after_resume'}


def test_after_the_operators_word_it_may_move():
    hands = resumed()
    hands.emulator.operator_word()
    assert setpoint(hands, velocity=(0.5, 0.0, 0.0)) == set()


def test_an_offboard_mode_that_comes_back_after_the_operators_word_may_move():
    hands = resumed(is_wanted=True)
    assert setpoint(hands, velocity=(0.5, 0.0, 0.0)) == set()
    hands.silent()
    hands.run(2.0)
    hands.emulator.violations.clear()
    hands.flag = 'velocity'
    hands.until(lambda: hands.nav_state == NavState.OFFBOARD)
    hands.run(0.5)
    assert 'moved_after_resume' in setpoint(hands, velocity=(0.5, 0.0, 0.0))


def test_reengaged():
    hands = resumed()
    hands.offboard()
    assert rules(hands) == {'reengaged'}


def test_xy_on_ground():
    hands = drive()
    hands.flag = 'velocity'
    hands.run(1.2)
    hands.offboard(), hands.arm()
    assert setpoint(hands, velocity=(0.0, 0.3, 0.0)) == {'xy_on_ground'}
    hands.emulator.violations.clear()
    hands.run(1.0)
    assert setpoint(hands, position=(5.0, 0.0, 0.0)) == {'xy_on_ground'}


def test_rearm():
    hands = drive()
    hands.flag = 'velocity'
    hands.run(1.2)
    hands.offboard(), hands.arm()
    hands.until(lambda: not hands.armed)
    hands.arm()
    assert rules(hands) == {'rearm'}


def test_a_violation_says_when_and_what():
    hands = drive(1.0)
    setpoint(hands, velocity=(math.inf, 0.0, 0.0))
    (found,) = hands.emulator.violations
    assert found.time == pytest.approx(1.0, abs=0.03)
    assert 'inf' in found.what and found.rule == 'infinite'


def test_stop_without_a_position_is_no_step():
    """When the estimate is lost there is nothing left but to stop at once."""
    hands = flying()
    hands.fly((0.0, 0.0, 0.0))
    for k in range(50):
        hands.fly((0.0, 0.05 * k, 0.0))
        hands.run(0.02)
    hands.emulator.happens(events.gps, False)
    hands.until(lambda: not hands.last['vehicle_local_position'].xy_valid)
    assert setpoint(hands, velocity=(0.0, 0.0, 0.0)) == set()


def test_messages_of_1_14_are_understood():
    """They have another flag, and none of the newer ones."""
    names = 'position', 'velocity', 'acceleration', 'attitude', 'body_rate', 'actuator'
    old = SimpleNamespace(timestamp=0, **{name: name == 'velocity' for name in names})
    hands = drive(release='1.14')
    assert send(hands, 'offboard_control_mode', old) == set()
    assert hands.emulator.firmware.heartbeat.flags == {'velocity'}
