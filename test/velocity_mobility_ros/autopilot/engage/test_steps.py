"""One request at a time: the next one waits for the answer to the one before, but not for ever."""

import pytest
from support.autopilot.simple import DT, Flight
from velocity_mobility_ros.autopilot.engage.records import Request
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.autopilot.engage.steps import ANSWER_WAIT
from velocity_mobility_ros.autopilot.outputs import Action


def gap(is_mute):
    """Return the time between the requests for offboard mode and for arming."""
    flight = Flight()
    flight.run(1.0)
    flight.autopilot.is_mute = is_mute
    flight.ask(Request.TAKE_OFF)
    assert flight.run(5.0, State.TAKE_OFF).state is State.TAKE_OFF
    (first, one), (second, other) = flight.autopilot.asked
    assert (one, other) == (Action.OFFBOARD, Action.ARM)
    return second - first


def test_after_an_answer_the_next_request_is_sent_at_once():
    assert gap(is_mute=False) <= 3 * DT


def test_if_the_status_comes_without_an_answer_the_next_request_waits_for_a_while():
    assert gap(is_mute=True) == pytest.approx(ANSWER_WAIT, abs=2 * DT)
