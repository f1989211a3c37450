"""What the state machine does otherwise for an autopilot with other traits."""

import math

import pytest

from support.autopilot.simple import Flight
from support.autopilot.stages import asked
from velocity_mobility_ros.autopilot.autopilot_reports import Mode
from velocity_mobility_ros.autopilot.autopilot_requests import (
    ARDUPILOT, MAVROS_ARDUPILOT, MAVROS_PX4, PX4, Action, Intent, MavResult
)
from velocity_mobility_ros.autopilot.engage.engage_records import EngageParameters, Request, State

ALL = (PX4, ARDUPILOT, MAVROS_PX4, MAVROS_ARDUPILOT)
BY_REQUEST = (ARDUPILOT, MAVROS_ARDUPILOT)
STATED = EngageParameters(
    px4_offboard_loss_action='hold', px4_rc_policy='none', ardupilot_failsafes='FS_GCS_ENABLE 1',
    allow_kill=True,
)  # fmt: skip


def ready(traits, settings=STATED):
    flight = Flight(settings)
    flight.known['traits'] = traits
    flight.autopilot.needs_heartbeat = traits not in BY_REQUEST
    assert flight.run(1.0).state is State.READY
    return flight


def taking_off(traits):
    flight = ready(traits)
    assert not flight.ask(Request.TAKE_OFF).refused
    assert flight.run(6.0, State.TAKE_OFF).state is State.TAKE_OFF
    return flight


def holding(traits):
    flight = taking_off(traits)
    flight.run(0.2)
    flight.autopilot.landed = False
    flight.known['has_taken_off'] = True
    assert flight.run(1.0).state is State.HOLD
    return flight


@pytest.mark.parametrize('traits', ALL)
def test_every_autopilot_takes_off_tracks_and_lands(traits):
    flight = holding(traits)
    flight.known['command_age'] = 0.01
    assert not flight.ask(Request.ENGAGE).refused
    assert flight.run(0.1).intent is Intent.TRACK
    flight.ask(Request.LAND)
    assert flight.run(10.0, State.READY).state is State.READY
    first = [Action.OFFBOARD, Action.ARM]
    lifts = [Action.TAKEOFF] if traits.takes_off_itself else []
    assert asked(flight) == [*first, *lifts, Action.LAND]
    assert [*dict.fromkeys(flight.states)] == [
        State.READY, State.PRECHECK, State.SET_OFFBOARD, State.ARMING, State.TAKE_OFF, State.HOLD,
        State.TRACK, State.HANDOVER, State.LANDING,
    ]  # fmt: skip


@pytest.mark.parametrize('traits', BY_REQUEST)
def test_a_take_off_that_is_refused_ends_on_the_ground(traits):
    flight = ready(traits)
    flight.autopilot.replies[Action.TAKEOFF] = MavResult.DENIED
    flight.ask(Request.TAKE_OFF)
    flight.run(6.0, State.HANDOVER)
    assert 'take off was answered: denied' in flight.outputs.reason
    assert flight.run(2.0, State.READY).state is State.READY
    assert asked(flight)[-2:] == [Action.TAKEOFF, Action.DISARM]


@pytest.mark.parametrize('traits', BY_REQUEST)
def test_a_take_off_is_not_asked_for_again_while_it_spools_up(traits):
    flight = ready(traits)
    flight.autopilot.replies[Action.TAKEOFF] = MavResult.ACCEPTED
    flight.ask(Request.TAKE_OFF)
    flight.run(6.0, State.TAKE_OFF)
    for _ in range(200):
        flight.autopilot.landed = True
        flight.tick()
    assert asked(flight).count(Action.TAKEOFF) == 1
    flight.autopilot.landed = False
    flight.tick()
    assert flight.memory.pending is None and flight.outputs.state is State.TAKE_OFF


@pytest.mark.parametrize('traits', BY_REQUEST)
def test_guided_mode_by_somebody_else_is_left_to_them(traits):
    """A ground station may fly an ArduPilot in the same mode."""
    flight = ready(traits)
    flight.autopilot.fly(Mode.OFFBOARD)
    flight.run(5.0)
    assert flight.outputs.state is State.READY and flight.outputs.intent is Intent.SILENT
    assert not flight.ask(Request.ENGAGE).refused
    flight.run(1.0)
    assert flight.outputs.state is State.PRECHECK  # the checks are not left out
    assert flight.run(3.0).state is State.HOLD and asked(flight) == []


@pytest.mark.parametrize('traits', ALL)
def test_a_standstill_does_not_end_a_take_off_that_needs_no_bridge(traits):
    flight = taking_off(traits)
    flight.run(0.2)
    flight.known['tick_age'] = 1.5
    flight.tick()
    goes_on = flight.outputs.state is State.TAKE_OFF
    assert goes_on == traits.takes_off_itself


def test_px4_behind_mavros_gets_its_stream_before_offboard_mode():
    flight = Flight(STATED)
    flight.known['traits'] = MAVROS_PX4
    flight.autopilot.fly()
    flight.run(1.0)
    assert flight.outputs.state is State.READY and flight.outputs.intent is Intent.SILENT
    flight.ask(Request.ENGAGE)
    streamed = 0.0
    while flight.outputs.state is not State.HOLD:
        assert flight.outputs.intent is Intent.STOP
        flight.tick()
        streamed += not asked(flight)
    assert streamed >= 60  # more than 1.2 s before the first request
    assert flight.outputs.intent is Intent.HOLD


@pytest.mark.parametrize(('traits', 'names'), [
    (PX4, ('px4_offboard_loss_action', 'px4_rc_policy')),
    (MAVROS_PX4, ('px4_offboard_loss_action', 'px4_rc_policy')),
    (ARDUPILOT, ('ardupilot_failsafes',)),
    (MAVROS_ARDUPILOT, ('ardupilot_failsafes',)),
])  # fmt: skip
def test_the_operator_states_what_that_autopilot_does_alone(traits, names):
    flight = ready(traits, EngageParameters())
    flight.ask(Request.TAKE_OFF)
    reason = flight.run(0.5).reason
    assert all(f'{name} is empty' in reason for name in names)
    assert reason.count('is empty') == len(names)


@pytest.mark.parametrize('traits', ALL)
def test_what_happens_at_last_is_said_in_the_terms_of_the_autopilot(traits):
    flight = holding(traits)
    flight.autopilot.is_deaf = True
    flight.known['command_age'] = math.inf
    flight.ask(Request.LAND)
    out = flight.run(20.0, State.FAULT)
    assert traits.no_answer_text in out.reason and traits.fallback_text in out.reason
