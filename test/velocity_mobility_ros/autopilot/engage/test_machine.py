"""From the first message to the landing, and what ends a flight."""

import math

import pytest
from support.autopilot.simple import PARAMETERS, Flight
from velocity_mobility_ros.autopilot.engage.engage_parameters import EngageParameters
from velocity_mobility_ros.autopilot.engage.records import Request
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.autopilot.outputs import Action, Intent, Result, SetpointKind
from velocity_mobility_ros.autopilot.reports import Battery, Flags, Mode


def ready(settings=PARAMETERS):
    flight = Flight(settings)
    assert flight.run(1.0).state is State.READY
    return flight


def airborne(settings=PARAMETERS):
    """Return a vehicle that holds after its take-off."""
    flight = ready(settings)
    flight.ask(Request.TAKE_OFF)
    assert flight.run(5.0, State.TAKE_OFF).state is State.TAKE_OFF
    flight.autopilot.landed = False
    flight.run(2.0)
    flight.known['has_taken_off'] = True
    assert flight.run(1.0).state is State.HOLD
    return flight


def tracking(settings=PARAMETERS):
    flight = airborne(settings)
    flight.known['command_age'] = 0.01
    assert not flight.ask(Request.ENGAGE).refused
    assert flight.run(0.1).state is State.TRACK
    return flight


def asked(flight):
    return [action for _, action in flight.autopilot.asked]


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


@pytest.mark.parametrize('flown', [airborne, tracking])
def test_the_pilot_takes_over_within_one_step_and_nothing_speaks_against_it(flown):
    flight = flown()
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


def test_a_bridge_that_stood_still_holds_and_waits():
    flight = tracking()
    flight.known['tick_age'] = 0.7
    assert flight.tick().state is State.HOLD_REENTRY
    flight.known['tick_age'] = 0.02
    assert flight.run(1.0).state is State.HOLD_REENTRY


def test_an_autopilot_that_falls_silent_gets_no_heartbeat_and_no_engagement_when_it_is_back():
    flight = tracking()
    flight.is_silent = flight.autopilot.is_deaf = True
    flight.run(6.0)
    assert flight.outputs.state is State.LINK_LOST and flight.outputs.heartbeat is None
    flight.is_silent = False
    assert flight.run(2.0).state is State.EXTERNAL


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


def test_a_late_position_brakes_and_holds_and_one_that_stays_away_lands():
    flight = tracking()
    flight.position_lost = True
    flight.run(0.4)
    assert flight.outputs.state is State.TRACK
    flight.run(0.3)
    assert flight.outputs.state in (State.BRAKE, State.HOLD)
    flight.position_lost = False
    flight.run(1.0)
    assert flight.outputs.state is State.HOLD and Action.LAND not in asked(flight)
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


def test_termination_is_final():
    flight = tracking()
    flight.autopilot.mode = Mode.TERMINATION
    assert 'restarted' in flight.tick().reason
    assert flight.run(1.0).state is State.FAULT


def test_a_critical_battery_lands_and_a_low_one_does_not():
    flight = tracking()
    flight.known['battery'] = Battery(0.0, True, 0.2, 1)
    assert flight.run(1.0).state is State.TRACK
    flight.known['battery'] = Battery(0.0, True, 0.1, 2)
    assert flight.run(1.0).state is State.LANDING


def test_far_outside_of_its_room_the_vehicle_returns():
    flight = tracking()
    flight.known['outside'] = 1.5
    assert flight.run(1.0).state is State.TRACK
    flight.known['outside'] = 2.5
    flight.run(0.1)
    assert flight.outputs.state is State.LANDING and flight.autopilot.mode is Mode.RETURN


def test_a_second_bridge_ends_the_tracking():
    flight = tracking()
    flight.known['commanders'] = 2
    out = flight.tick()
    assert out.state is State.HOLD_REENTRY and 'stop all but one' in out.reason
    assert flight.ask(Request.ENGAGE).refused


def test_a_take_off_that_does_not_end_is_a_landing():
    flight = ready()
    flight.ask(Request.TAKE_OFF)
    flight.run(5.0, State.TAKE_OFF)
    flight.autopilot.landed = False
    assert flight.run(31.0).state in (State.HANDOVER, State.LANDING)


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


def test_a_refused_arming_is_repeated_and_then_told_with_its_reasons():
    flight = ready()
    flight.autopilot.replies[Action.ARM] = Result.TEMPORARILY_REJECTED
    flight.known['flags'] = Flags(0.0, {'manual_control_signal_lost': 1})
    flight.ask(Request.TAKE_OFF)
    out = flight.run(10.0, State.READY)
    assert out.state is State.READY and asked(flight).count(Action.ARM) == 5
    assert 'temporarily rejected' in out.reason and 'manual_control_signal_lost' in out.reason


def test_a_denied_arming_is_not_repeated():
    flight = ready()
    flight.autopilot.replies[Action.ARM] = Result.DENIED
    flight.ask(Request.TAKE_OFF)
    flight.run(10.0, State.READY)
    assert asked(flight).count(Action.ARM) == 1


def test_a_mode_that_is_refused_is_replaced_by_the_landing():
    """Without a global position PX4 refuses to hold."""
    flight = tracking()
    flight.autopilot.replies[Action.HOLD] = Result.TEMPORARILY_REJECTED
    flight.known['command_age'] = math.inf
    flight.run(20.0)
    assert flight.autopilot.mode is Mode.LAND or flight.outputs.state is State.READY


def test_if_nothing_is_accepted_the_heartbeat_ends():
    flight = tracking()
    for action in (Action.HOLD, Action.LAND):
        flight.autopilot.replies[action] = Result.DENIED
    flight.autopilot.replies[Action.RETURN] = Result.DENIED
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


def test_a_vehicle_in_the_air_is_not_disarmed():
    flight = airborne()
    assert flight.ask(Request.DISARM).refused and 'land first' in flight.outputs.reason


@pytest.mark.parametrize('request_', list(Request))
def test_every_refusal_is_in_words(request_):
    out = Flight().ask(request_)
    assert out.reason and (out.refused or request_ is Request.RELEASE)
