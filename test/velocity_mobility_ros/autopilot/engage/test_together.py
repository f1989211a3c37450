"""A take-off that waits for its release, and reasons that end when they end."""

import pytest

from support.autopilot.simple import Flight
from support.autopilot.stages import airborne, ready, tracking
from velocity_mobility_ros.autopilot.autopilot_reports import Battery, Mode
from velocity_mobility_ros.autopilot.autopilot_requests import Action
from velocity_mobility_ros.autopilot.engage.autopilot_exchange import (
    OPERATOR_LOST, READY, REASON_DURATION
)
from velocity_mobility_ros.autopilot.engage.engage_records import Request, State
from velocity_mobility_ros.autopilot.engage.flight_rules import AGREES


def agreed() -> Flight:
    """Return a vehicle that would arm, and waits for the others."""
    flight = ready()
    flight.known['together'] = True
    assert not flight.ask(Request.TAKE_OFF).refused
    flight.known['together'] = False
    flight.run(5.0)
    assert (flight.memory.state, flight.memory.agrees) == (State.ARMING, True)
    assert flight.outputs.reason == AGREES
    return flight


def armed(flight):
    """Return whether it was ever asked to arm."""
    return Action.ARM in [action for _, action in flight.autopilot.asked]


def test_it_arms_at_the_release_and_not_before():
    flight = agreed()
    flight.run(60.0)
    assert not armed(flight)
    assert not flight.ask(Request.GO).refused
    assert flight.run(5.0, State.TAKE_OFF).state is State.TAKE_OFF


def test_one_that_does_not_agree_is_not_released():
    flight = ready()
    assert flight.ask(Request.GO).refused
    flight.known['together'] = True
    flight.ask(Request.TAKE_OFF)
    assert flight.ask(Request.GO).refused and flight.memory.state is State.PRECHECK
    flight.run(5.0)
    assert not armed(flight)


def test_it_stays_on_the_ground_when_the_operator_vanishes():
    flight = agreed()
    flight.known['operator_age'] = OPERATOR_LOST + 0.1
    assert flight.run(0.1).state is State.READY
    assert 'the operator vanished before the release' in flight.outputs.reason
    assert flight.ask(Request.GO).refused and not armed(flight)


def test_it_stays_on_the_ground_when_its_checks_fail_meanwhile():
    flight = agreed()
    flight.known['battery'] = Battery(0.0, True, 0.1)
    assert flight.run(0.1).state is State.READY
    assert 'the battery is at 10 %' in flight.outputs.reason
    assert not armed(flight)


def test_a_bridge_that_stood_still_meanwhile_does_not_wait_on():
    flight = agreed()
    flight.known['tick_age'] = OPERATOR_LOST + 1.0
    assert flight.run(0.02).state is State.READY


def test_a_take_off_is_cancelled_on_the_ground_alone():
    flight = agreed()
    assert not flight.ask(Request.CANCEL).refused
    assert flight.memory.state is State.READY
    up = airborne()
    assert up.ask(Request.CANCEL).refused and up.memory.state is State.HOLD


def test_an_autopilot_that_goes_on_to_another_mode_is_told():
    flight = tracking()
    flight.autopilot.mode = flight.autopilot.intention = Mode.PILOT
    flight.run(0.1)
    assert flight.outputs.reason == 'mode pilot by the pilot or another program: engage again'
    flight.autopilot.mode, flight.autopilot.failsafe = Mode.RETURN, True
    flight.run(0.1)
    assert flight.outputs.reason == 'failsafe of the autopilot (mode return): engage again'


def test_another_bridge_that_has_ended_is_no_reason_any_more():
    flight = tracking()
    flight.known['commanders'] = 2
    assert flight.run(0.1).state is State.HOLD_REENTRY
    assert '2 bridges send setpoints' in flight.outputs.reason
    assert 'stop all but one' in flight.outputs.reason and flight.ask(Request.ENGAGE).refused
    flight.known['commanders'] = 1
    assert flight.run(0.1).reason == 'the other bridge has ended: engage again'


def test_why_a_take_off_failed_is_told_for_some_time():
    flight = agreed()
    flight.ask(Request.CANCEL)
    assert flight.run(REASON_DURATION - 1.0).reason == 'the take-off was cancelled'
    assert flight.run(2.0).reason == READY


def test_what_has_interrupted_a_vehicle_is_told_for_some_time():
    flight = tracking()
    flight.known.update(command_age=0.7, has_stopped=False)
    assert flight.run(0.1).state is State.BRAKE
    flight.known['command_age'] = 0.01
    assert flight.run(1.0).reason == 'commands and position have come back'
    assert flight.run(REASON_DURATION + 1.0).reason == 'tracks the commanded velocity'


@pytest.mark.parametrize('is_known', [True, False])
def test_a_vehicle_whose_place_is_not_known_is_not_tracked(is_known):
    flight = airborne()
    flight.known['command_age'] = 0.01
    flight.memory = flight.memory._replace(goal=Request.ENGAGE)
    flight.known['frame_fault'] = '' if is_known else 'the height of the ground is not known'
    out = flight.run(0.1)
    assert out.state is (State.TRACK if is_known else State.HOLD)
    assert is_known or out.reason == 'holds: the height of the ground is not known'
