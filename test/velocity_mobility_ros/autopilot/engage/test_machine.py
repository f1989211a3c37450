"""From the first message to the landing, and the checks before."""

import math

from support.autopilot.simple import Flight
from support.autopilot.stages import airborne, asked, ready, tracking
from velocity_mobility_ros.autopilot.engage.engage_parameters import EngageParameters
from velocity_mobility_ros.autopilot.engage.records import Request
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.autopilot.outputs import Action, Intent, SetpointKind
from velocity_mobility_ros.autopilot.reports import Flags, Mode


def test_a_flight_from_the_ground_to_the_ground():
    flight = tracking()
    assert flight.outputs.intent is Intent.TRACK
    assert flight.outputs.heartbeat is SetpointKind.VELOCITY
    flight.ask(Request.LAND)
    assert flight.run(10.0, State.READY).state is State.READY
    assert asked(flight) == [Action.OFFBOARD, Action.ARM, Action.LAND]
    order = list(dict.fromkeys(flight.states))
    assert order == [State.READY, State.PRECHECK, State.SET_OFFBOARD,
                     State.ARMING, State.TAKE_OFF, State.HOLD, State.TRACK, State.HANDOVER,
                     State.LANDING]  # fmt: skip


def test_nothing_is_asked_for_without_the_operator():
    flight = ready()
    flight.known['command_age'] = 0.01
    flight.run(30.0)
    assert asked(flight) == [] and set(flight.states) == {State.READY}
    assert flight.outputs.intent is Intent.SILENT


def test_a_vehicle_that_flies_already_gets_no_setpoint_before_offboard_mode():
    flight = Flight()
    flight.autopilot.fly()
    flight.run(1.0)
    flight.ask(Request.ENGAGE)
    while flight.outputs.state is not State.HOLD:
        assert flight.outputs.intent is Intent.SILENT
        flight.tick()
    assert flight.outputs.intent is Intent.HOLD and asked(flight) == [Action.OFFBOARD]


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


def test_without_commands_for_long_the_autopilot_takes_over():
    flight = tracking()
    flight.known['command_age'] = math.inf
    flight.run(9.0)
    assert flight.outputs.state is State.HOLD
    assert flight.run(3.0).state is State.EXTERNAL and flight.autopilot.mode is Mode.HOLD
    assert flight.outputs.heartbeat is None and flight.outputs.intent is Intent.SILENT


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


def test_without_the_operators_word_on_the_autopilots_parameters_there_is_no_engagement():
    flight = ready(EngageParameters())
    flight.ask(Request.TAKE_OFF)
    out = flight.run(16.0)
    assert 'COM_OBL_RC_ACT' in out.reason and 'px4_rc_policy' in out.reason
