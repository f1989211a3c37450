"""Strict mode: every rule is provoked once, since bridge tests go by what it does not find."""

import math

import pytest

from support.px4_emulator import Cmd, NavState, events
from support.px4_emulator.direct_drive import (
    drive, flying, offboard_control_mode, trajectory_setpoint, vehicle_command
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


def on_the_ground_armed():
    hands = drive()
    hands.flag = 'velocity'
    hands.run(1.2)
    hands.offboard(), hands.arm()
    return hands


@pytest.mark.parametrize(('rule', 'fields'), [
    ('infinite', {'velocity': (math.inf, 0.0, 0.0)}),
    ('infinite', {'velocity': (0.0, 0.0, -math.inf)}),
    ('out_of_range', {'velocity': (1e9, 0.0, 0.0)}),
    ('unpaired_xy', {'velocity': (math.nan, 1.0, 0.0)}),
    ('yaw_range', {'velocity': (0.0, 0.0, 0.0), 'yaw': 3.2}),
    ('yaw_range', {'velocity': (0.0, 0.0, 0.0), 'yaw': -4.0}),
])  # fmt: skip
def test_setpoints(rule, fields):
    assert setpoint(drive(), **fields) == {rule}


@pytest.mark.parametrize(('rule', 'fields'), [
    ('wrong_target', {'system': 9}), ('wrong_target', {'target_component': 55}),
    ('from_external', {'from_external': False}), ('source_component', {'source_component': 0}),
])  # fmt: skip
def test_addresses_of_commands(rule, fields):
    assert command(drive(), **fields) == {rule}


@pytest.mark.parametrize('flags', [{}, {'position': True, 'velocity': True}])
def test_heartbeat_flags(flags):
    message = offboard_control_mode(None, **flags)
    assert send(drive(), 'offboard_control_mode', message) == {'heartbeat_flags'}


def test_stale_stamp():
    hands = drive(3.0)
    stamp = hands.last['timesync_status'].remote_timestamp - 700_000
    message = offboard_control_mode('velocity', timestamp=stamp)
    assert send(hands, 'offboard_control_mode', message) == {'stale_stamp'}


def test_zero_position():
    hands = drive()
    hands.flag = 'velocity'
    hands.run(0.1)
    assert setpoint(hands, position=(0.0, 0.0, 0.0)) == {'zero_position'}


def test_setpoint_outside_offboard():
    hands = flying()
    hands.command(Cmd.NAV_LAND)
    assert 'setpoint_outside_offboard' not in rules(hands)
    hands.run(0.2)
    assert rules(hands) == {'setpoint_outside_offboard'}


def test_velocity_step():
    hands = flying()
    hands.fly((0.0, 0.0, 0.0))
    hands.run(0.1)
    assert rules(hands) == set()
    hands.fly((0.0, 8.0, 0.0))
    hands.run(0.1)
    assert rules(hands) == {'velocity_step'}


def test_heartbeat_gap_and_left_in_offboard():
    hands = flying()
    hands.silent()
    hands.run(0.8)
    assert rules(hands) == {'heartbeat_gap'}
    hands.run(0.5)
    assert rules(hands) == {'heartbeat_gap', 'left_in_offboard'}


def test_command_rate():
    hands = drive()
    for _ in range(6):
        assert 'command_rate' not in rules(hands)
        command(hands)
        hands.run(0.1)
    assert 'command_rate' in rules(hands)


@pytest.mark.parametrize(
    ('age', 'found'), [(0.0, {'overlap'}), (0.44, {'overlap'}), (0.46, set())]
)
def test_overlap(age, found):
    """Times are those of sending: a first command that came late has waited nevertheless."""
    hands = drive()
    sent = hands.emulator.now - age
    hands.emulator.receive('vehicle_command', vehicle_command(Cmd.DO_SET_MODE), sent)
    assert command(hands) == found


def test_command_after_override():
    hands = flying()
    hands.setpoint = None
    hands.emulator.happens(events.pilot_takes)
    hands.run(0.2)
    assert hands.offboard() == 0
    assert rules(hands) == {'command_after_override'}


def resumed(hands):
    """Let offboard mode be lost, and come back by itself."""
    hands.silent()
    hands.run(2.0)
    hands.emulator.violations.clear()
    hands.flag = 'velocity'
    hands.until(lambda: hands.nav_state == NavState.OFFBOARD)
    hands.run(0.5)
    return hands


def test_moved_after_resume():
    hands = resumed(flying())
    assert setpoint(hands, velocity=(0.0, 0.0, 0.0)) == set()
    assert setpoint(hands, velocity=(0.08, 0.0, 0.0)) == {'moved_after_resume'}


def test_the_operators_word_counts_until_offboard_mode_is_lost_again():
    hands = resumed(flying())
    hands.emulator.operator_word()
    assert setpoint(hands, velocity=(0.5, 0.0, 0.0)) == set()
    assert 'moved_after_resume' in setpoint(resumed(hands), velocity=(0.5, 0.0, 0.0))


def test_reengaged():
    hands = resumed(flying())
    hands.offboard()
    assert rules(hands) == {'reengaged'}


@pytest.mark.parametrize('fields', [{'velocity': (0.0, 0.3, 0.0)}, {'position': (5.0, 0.0, 0.0)}])
def test_xy_on_ground(fields):
    assert setpoint(on_the_ground_armed(), **fields) == {'xy_on_ground'}


def test_rearm():
    hands = on_the_ground_armed()
    hands.until(lambda: not hands.armed)
    hands.arm()
    assert rules(hands) == {'rearm'}
