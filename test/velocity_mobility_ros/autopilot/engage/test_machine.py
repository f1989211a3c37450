"""From the first message to the landing, and the checks before."""

from support.autopilot.stages import airborne, asked, ready, tracking
from velocity_mobility_ros.autopilot.engage.records import Request
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.autopilot.outputs import Intent
from velocity_mobility_ros.autopilot.reports import Flags


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
