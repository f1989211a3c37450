"""Checks and commands, requests that are refused, the release of a vehicle, and its motors."""

import math

import pytest

from support.autopilot.simple import Flight
from support.autopilot.stages import airborne, asked, ready, tracking
from velocity_mobility_ros.autopilot.autopilot_reports import Flags, Mode
from velocity_mobility_ros.autopilot.autopilot_requests import Action, Intent, MavResult
from velocity_mobility_ros.autopilot.engage.engage_records import EngageParameters, Request, State


def test_a_refused_arming_is_repeated_and_then_told_with_its_reasons():
    flight = ready()
    flight.autopilot.replies[Action.ARM] = MavResult.TEMPORARILY_REJECTED
    flight.known['flags'] = Flags(0.0, {'manual_control_signal_lost': 1})
    flight.ask(Request.TAKE_OFF)
    out = flight.run(10.0, State.READY)
    assert out.state is State.READY and asked(flight).count(Action.ARM) == 5
    assert 'temporarily rejected' in out.reason and 'manual_control_signal_lost' in out.reason


def test_a_mode_that_is_refused_is_replaced_by_the_landing():
    """Without a global position PX4 refuses to hold."""
    flight = tracking()
    flight.autopilot.replies[Action.HOLD] = MavResult.TEMPORARILY_REJECTED
    flight.known['command_age'] = math.inf
    flight.run(20.0)
    assert flight.autopilot.mode is Mode.LAND or flight.outputs.state is State.READY


def test_if_nothing_is_accepted_the_heartbeat_ends():
    flight = tracking()
    for action in (Action.HOLD, Action.LAND):
        flight.autopilot.replies[action] = MavResult.DENIED
    flight.autopilot.replies[Action.RETURN] = MavResult.DENIED
    flight.ask(Request.RETURN)
    out = flight.run(0.5)
    assert out.state is State.FAULT and out.heartbeat is None and 'failsafe acts' in out.reason
    flight.run(1.5)
    assert flight.autopilot.failsafe


def test_a_release_hands_over_before_the_heartbeat_stops():
    flight = tracking()
    flight.ask(Request.RELEASE)
    for _ in range(200):
        if flight.outputs.state is State.RELEASED:
            break
        assert flight.outputs.heartbeat is not None
        flight.tick()
    assert flight.autopilot.mode is Mode.HOLD and flight.outputs.state is State.RELEASED
    assert not flight.memory.has_failed


def test_a_release_that_is_not_answered_ends_in_time():
    flight = tracking()
    flight.autopilot.is_deaf = True
    begun = flight.now
    flight.ask(Request.RELEASE)
    flight.run(10.0, State.RELEASED)
    assert 4.4 < flight.now - begun < 5.0 and flight.memory.has_failed
    assert {Action.HOLD, Action.LAND} <= set(asked(flight))


def test_a_second_release_does_not_wait():
    flight = tracking()
    flight.autopilot.is_deaf = True
    flight.ask(Request.RELEASE)
    flight.run(0.5)
    assert flight.ask(Request.RELEASE).state is State.RELEASED


def test_a_release_on_the_ground_is_done_at_once_and_disarms_what_is_armed():
    flight = ready()
    assert flight.ask(Request.RELEASE).state is State.RELEASED
    flight = ready()
    flight.ask(Request.TAKE_OFF)
    flight.run(5.0, State.TAKE_OFF)
    flight.ask(Request.RELEASE)
    assert flight.run(1.0).state is State.RELEASED and not flight.autopilot.is_armed


def test_a_release_ends_although_the_autopilot_is_gone():
    flight = tracking()
    flight.ask(Request.HOLD)
    flight.is_silent = flight.autopilot.is_deaf = True
    flight.ask(Request.RELEASE)
    flight.run(6.0, State.RELEASED)
    assert flight.outputs.state is State.RELEASED


def test_the_motors_stop_only_where_allowed_and_asked_for_twice():
    flight = tracking()
    assert flight.ask(Request.KILL).refused and 'allow_kill' in flight.outputs.reason
    settings = EngageParameters(
        px4_offboard_loss_action='hold', px4_rc_policy='none', allow_kill=True
    )
    flight = tracking(settings)
    assert flight.ask(Request.KILL).refused and 'repeat within 5 s' in flight.outputs.reason
    flight.run(5.1)
    assert flight.ask(Request.KILL).refused
    assert not flight.ask(Request.KILL).refused
    assert flight.run(1.0).state is State.FAULT and not flight.autopilot.is_armed


@pytest.mark.parametrize('request_', list(Request))
def test_every_refusal_is_in_words(request_):
    out = Flight().ask(request_)
    assert out.reason and (out.refused or request_ is Request.RELEASE)


def test_nothing_is_asked_for_without_the_operator():
    flight = ready()
    flight.known['command_age'] = 0.01
    flight.run(30.0)
    assert asked(flight) == [] and set(flight.states) == {State.READY}
    assert flight.outputs.intent is Intent.SILENT


def test_a_vehicle_on_the_ground_holds_before_it_is_armed():
    flight = ready()
    flight.ask(Request.TAKE_OFF)
    flight.run(5.0, State.ARMING)
    assert flight.outputs.intent is Intent.HOLD


def test_tracking_brakes_and_holds_when_commands_end_and_goes_on_within_the_gap():
    flight = tracking()
    flight.known.update(command_age=0.6, has_stopped=False)
    assert flight.run(0.1).state is State.BRAKE
    flight.known['command_age'] = 0.1
    assert flight.run(0.1).state is State.TRACK
    flight.known['command_age'] = 0.6
    flight.run(0.1)
    flight.known['has_stopped'] = True
    assert flight.run(0.1).state is State.HOLD
    flight.known['command_age'] = 0.1
    assert flight.run(2.0).state is State.HOLD  # the operator has to speak
    assert not flight.ask(Request.ENGAGE).refused and flight.run(0.1).state is State.TRACK


def test_an_engagement_without_commands_is_refused_in_words():
    flight = airborne()
    out = flight.ask(Request.ENGAGE)
    assert out.refused and 'start the controller first' in out.reason


def test_checks_that_fail_end_an_engagement_with_their_names():
    flight = ready()
    flight.known['flags'] = Flags(0.0, {'battery_unhealthy': 1, 'unknown_flag': 1})
    flight.estimate = {'xy_valid': False, 'eph': 9.0}
    flight.ask(Request.TAKE_OFF)
    out = flight.run(16.0)
    assert out.state is State.READY and asked(flight) == []
    for words in ('battery_unhealthy is set', 'horizontal position', 'eph = 9.0 m, at most 1.5 m'):
        assert words in out.reason


def test_checks_have_to_hold_for_some_time():
    flight = ready()
    flight.ask(Request.TAKE_OFF)
    flight.run(1.5)
    flight.estimate = {'dead_reckoning': True}
    flight.run(0.1)
    flight.estimate = {}
    assert flight.run(1.8).state is State.PRECHECK
    assert flight.run(0.5).state is not State.PRECHECK
