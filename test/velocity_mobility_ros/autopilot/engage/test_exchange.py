"""One request at a time: sent, answered, repeated with growing pauses, believed by the status."""

import pytest

from support.autopilot.simple import DT, PARAMETERS, Flight
from velocity_mobility_ros.autopilot.autopilot_requests import Action, Answer, MavResult
from velocity_mobility_ros.autopilot.engage.autopilot_exchange import (
    ANSWER_WAIT, RequestOutcome, advance_request
)
from velocity_mobility_ros.autopilot.engage.engage_records import Pending, Request, State

MODES = frozenset({Action.OFFBOARD, Action.HOLD, Action.LAND, Action.RETURN})


def carried_out(answers=(), done_at=None, may_repeat=True, seconds=20.0, action=Action.OFFBOARD):
    """Return when it was sent, and how and when it ended; answers: (time, result)."""
    pending, sent, now = Pending(action, 0.0), [], 0.0
    waiting = sorted(answers, key=lambda one: one[0])
    while now < seconds:
        arrived = [Answer(now, MODES, one[1]) for one in waiting if one[0] <= now]
        waiting = [one for one in waiting if one[0] > now]
        is_done = done_at is not None and now >= done_at
        found = advance_request(
            PARAMETERS, pending, tuple(arrived), is_done, may_repeat, now, 'is it on?'
        )
        pending = found.pending
        if found.send is not None:
            sent.append(round(now, 2))
        if found.outcome is not RequestOutcome.UNDER_WAY:
            return sent, found, now
        now += 0.02
    raise AssertionError('it never ended')


def test_without_answers_it_is_repeated_with_growing_pauses_and_then_given_up():
    sent, found, _ = carried_out()
    assert sent == pytest.approx([0.0, 0.7, 1.6, 2.9, 5.0], abs=0.1)
    assert found.outcome is RequestOutcome.FAILED and 'is it on?' in found.reason


def test_what_is_reached_already_is_not_asked_for():
    assert carried_out(done_at=0.0)[0] == []


def test_only_the_status_shows_success():
    """PX4 accepts some modes that it does not know, and does nothing."""
    sent, found, now = carried_out([(0.01, MavResult.ACCEPTED)], done_at=0.3)
    assert (sent, found.outcome) == ([0.0], RequestOutcome.DONE) and now == pytest.approx(0.3, abs=0.03)
    sent, found, _ = carried_out([(0.01 + 2 * k, MavResult.ACCEPTED) for k in range(20)])
    assert found.outcome is RequestOutcome.FAILED and 'the status does not show it' in found.reason
    assert len(sent) == 5 and sent[1] == pytest.approx(1.5, abs=0.1)


def test_a_temporary_rejection_is_repeated_while_the_checks_hold():
    rejected = [(0.01 + 0.6 * k, MavResult.TEMPORARILY_REJECTED) for k in range(3)]
    sent, found, _ = carried_out(rejected, done_at=1.5)
    assert found.outcome is RequestOutcome.DONE and sent[1] == pytest.approx(0.5, abs=0.05)
    sent, found, _ = carried_out(rejected, may_repeat=False)
    assert len(sent) == 1 and found.reason == 'offboard was answered: temporarily rejected'


@pytest.mark.parametrize(
    'result', [MavResult.DENIED, MavResult.UNSUPPORTED, MavResult.FAILED, MavResult.CANCELLED]
)
def test_other_refusals_end_it_at_once(result):
    sent, found, now = carried_out([(0.05, result)])
    assert len(sent) == 1 and now < 0.1 and result.value in found.reason


def test_progress_is_waited_for():
    sent, _, _ = carried_out([(0.05, MavResult.IN_PROGRESS), (1.0, MavResult.IN_PROGRESS)], done_at=2.0)
    assert sent == [0.0]


def test_the_answer_to_another_command_is_not_taken():
    sent, found, _ = carried_out([(0.05, MavResult.DENIED)], done_at=1.0, action=Action.ARM)
    assert len(sent) == 2 and found.outcome is RequestOutcome.DONE


def test_an_answer_before_the_first_request_is_not_taken():
    pending = Pending(Action.HOLD, 0.0)
    early = (Answer(0.0, MODES, MavResult.DENIED),)
    assert advance_request(PARAMETERS, pending, early, False, True, 0.0, '').send is Action.HOLD


def gap(is_mute, together=False):
    """Return the time between the requests for offboard mode and for arming."""
    flight = Flight()
    flight.run(1.0)
    flight.autopilot.is_mute = is_mute
    flight.known['together'] = together
    flight.ask(Request.TAKE_OFF)
    if together:
        flight.run(5.0, State.ARMING)
        flight.tick()
        assert not flight.ask(Request.GO).refused
    assert flight.run(5.0, State.TAKE_OFF).state is State.TAKE_OFF
    (first, one), (second, other) = flight.autopilot.asked
    assert (one, other) == (Action.OFFBOARD, Action.ARM)
    return second - first


def test_after_an_answer_the_next_request_is_sent_at_once():
    assert gap(is_mute=False) <= 3 * DT


@pytest.mark.parametrize('together', [False, True])
def test_if_the_status_comes_without_an_answer_the_next_request_waits_for_a_while(together):
    assert gap(True, together) == pytest.approx(ANSWER_WAIT, abs=2 * DT)
