"""What ends a flight: pilots, failsafes, standstills, and what is lost."""

import math

import pytest

from support.autopilot.simple import Flight
from support.autopilot.stages import airborne, asked, ready, tracking
from velocity_mobility_ros.autopilot.autopilot_reports import Mode
from velocity_mobility_ros.autopilot.autopilot_requests import Action, Intent, SetpointKind
from velocity_mobility_ros.autopilot.engage.engage_records import Request, State


def test_the_pilot_takes_over_within_one_step_and_nothing_speaks_against_it():
    flight = tracking()
    count = len(flight.autopilot.asked)
    flight.autopilot.mode = flight.autopilot.intention = Mode.PILOT
    out = flight.tick()
    assert out.state is State.EXTERNAL and out.intent is Intent.SILENT and out.heartbeat is None
    flight.run(20.0)
    assert len(flight.autopilot.asked) == count and flight.outputs.state is State.EXTERNAL


def test_a_mode_that_is_chosen_during_the_checks_ends_them():
    flight = ready()
    flight.ask(Request.TAKE_OFF)
    flight.run(1.0)
    flight.autopilot.mode = flight.autopilot.intention = Mode.PILOT
    out = flight.tick()
    assert out.state is State.READY and 'pilot' in out.reason
    flight.run(5.0)
    assert asked(flight) == []


def test_the_pilot_takes_over_while_the_vehicle_is_handed_over():
    flight = airborne()
    flight.autopilot.is_deaf = True
    flight.ask(Request.RETURN)
    flight.run(0.3)
    flight.autopilot.mode = flight.autopilot.intention = Mode.PILOT
    count = len(flight.autopilot.asked)
    assert flight.run(5.0).state is State.EXTERNAL and len(flight.autopilot.asked) == count


def test_after_a_failsafe_the_stream_does_not_resume_until_the_operator_speaks():
    flight = tracking()
    flight.autopilot.mode, flight.autopilot.failsafe = Mode.RETURN, True
    flight.autopilot.heard = -math.inf
    out = flight.tick()
    assert out.state is State.EXTERNAL and 'failsafe' in out.reason
    flight.run(20.0)
    assert set(flight.heartbeats[-900:]) == {None} and flight.autopilot.mode is Mode.RETURN
    flight.ask(Request.ENGAGE)
    flight.run(0.2)  # the heartbeat brings offboard mode back at once
    assert flight.autopilot.mode is Mode.OFFBOARD
    assert State.HOLD in flight.states[-10:] and flight.run(0.1).state is State.TRACK


def test_offboard_mode_that_comes_back_by_itself_is_held():
    flight = tracking()
    flight.autopilot.mode = Mode.RETURN
    flight.run(1.0)
    flight.autopilot.mode = Mode.OFFBOARD
    out = flight.tick()
    assert out.state is State.HOLD_REENTRY and out.intent is Intent.HOLD
    assert flight.run(5.0).state is State.HOLD_REENTRY
    assert not flight.ask(Request.HOLD).refused and flight.run(0.1).state is State.HOLD


def test_a_bridge_that_starts_in_offboard_mode_holds():
    flight = Flight()
    flight.autopilot.fly(Mode.OFFBOARD)
    flight.autopilot.heard = flight.now
    flight.known['command_age'] = 0.01
    assert flight.run(1.0).state is State.HOLD_REENTRY and asked(flight) == []


def test_a_bridge_that_starts_while_another_one_flies_the_vehicle_sends_nothing():
    flight = Flight()
    flight.autopilot.fly(Mode.OFFBOARD)
    flight.known['commanders'] = 2
    for _ in range(100):
        flight.autopilot.heard = flight.now  # that one's heartbeat
        out = flight.tick()
        assert out.heartbeat is None and out.intent is Intent.SILENT
    assert out.state is State.READY and asked(flight) == []


@pytest.mark.parametrize('lasts', [1.1, 5.0])
def test_a_bridge_that_stood_still_for_long_does_not_bring_offboard_mode_back(lasts):
    """The first reports are those of before: they still say that nothing has happened."""
    flight = tracking()
    flight.now += lasts
    flight.known['tick_age'] = lasts
    out = flight.tick()
    assert out.state in (State.EXTERNAL, State.LINK_LOST) and out.heartbeat is None
    flight.known['tick_age'] = 0.02
    flight.autopilot.mode = Mode.OFFBOARD  # an old status
    assert flight.run(0.5).heartbeat is None
    flight.autopilot.mode, flight.autopilot.failsafe = Mode.RETURN, True
    flight.heartbeats.clear()
    assert flight.run(5.0).state is State.EXTERNAL and set(flight.heartbeats) == {None}


def test_after_a_standstill_a_ready_bridge_sends_no_heartbeat_until_reports_are_believed():
    """The first ones may still say that the vehicle stands, which somebody else flies by now."""
    flight = ready()
    assert flight.tick().heartbeat is not None
    flight.known['tick_age'] = 1.5
    assert flight.tick().heartbeat is None
    flight.known['tick_age'] = 0.02
    assert flight.run(0.9).heartbeat is None and flight.run(0.3).heartbeat is not None


def test_an_autopilot_that_waited_for_a_bridge_that_stood_still_is_held():
    flight = tracking()
    flight.known['tick_age'] = 1.1
    assert flight.tick().state is State.EXTERNAL
    flight.known['tick_age'] = 0.02
    for _ in range(70):  # it does without a heartbeat for longer
        flight.autopilot.heard = flight.now
        flight.tick()
    assert flight.outputs.state is State.HOLD_REENTRY


def test_a_bridge_that_stood_still_for_a_moment_brakes_until_commands_are_fresh():
    flight = tracking()
    flight.known.update(tick_age=0.7, command_age=0.7, has_stopped=False)
    assert flight.tick().state is State.BRAKE
    flight.known.update(tick_age=0.02)
    assert flight.run(0.1).state is State.BRAKE
    flight.known.update(command_age=0.02)
    assert flight.run(0.1).state is State.TRACK


@pytest.mark.parametrize('estimate', [{'xy_valid': False}, {'z_valid': False}])
def test_without_a_position_the_autopilot_lands(estimate):
    flight = tracking()
    flight.estimate = estimate
    out = flight.tick()
    assert out.state is State.HANDOVER and out.send is Action.LAND
    assert (out.intent, out.heartbeat) == (Intent.STOP, SetpointKind.VELOCITY)
    assert flight.run(1.0).state is State.LANDING


def test_without_a_velocity_either_nothing_is_sent():
    flight = tracking()
    flight.autopilot.is_deaf = True
    flight.estimate = {'xy_valid': False, 'v_xy_valid': False}
    out = flight.tick()
    assert (out.intent, out.heartbeat) == (Intent.SILENT, None)


def test_a_late_position_brakes_and_a_short_gap_goes_unnoticed():
    flight = tracking()
    flight.position_lost = True
    flight.run(0.4)
    assert flight.outputs.state is State.TRACK
    flight.run(0.3)
    assert flight.outputs.state is State.BRAKE
    assert 'no position or odometry' in flight.outputs.reason
    flight.position_lost = False
    flight.run(0.1)
    assert flight.outputs.state is State.TRACK and Action.LAND not in asked(flight)


def test_a_position_that_stays_away_lands():
    flight = tracking()
    flight.position_lost = True
    flight.run(3.2)
    assert asked(flight)[-1] is Action.LAND


def test_a_vehicle_that_disarms_unasked_is_a_fault_and_is_not_armed_again():
    flight = airborne()
    flight.autopilot.is_armed = False
    assert flight.tick().state is State.FAULT
    assert flight.ask(Request.TAKE_OFF).refused
    flight.run(10.0)
    assert asked(flight).count(Action.ARM) == 1
    assert not flight.ask(Request.RESET).refused and flight.run(1.0).state is State.READY


def test_far_outside_of_its_room_the_vehicle_returns():
    flight = tracking()
    flight.known['outside'] = 1.5
    assert flight.run(1.0).state is State.TRACK
    flight.known['outside'] = 2.5
    flight.run(0.1)
    assert flight.outputs.state is State.LANDING and flight.autopilot.mode is Mode.RETURN


def test_a_take_off_that_does_not_end_is_a_landing():
    flight = ready()
    flight.ask(Request.TAKE_OFF)
    flight.run(5.0, State.TAKE_OFF)
    flight.autopilot.landed = False
    assert flight.run(31.0).state in (State.HANDOVER, State.LANDING)
