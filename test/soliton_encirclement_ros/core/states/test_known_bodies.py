"""What an agent knows of others for ever, and what it tells of those that are silent."""

import pytest
from soliton_encirclement_ros.core.states.known_bodies import MOST_TOLD, KnownBodies
from soliton_encirclement_ros.core.states.states import AgentState, SilentBody

PRESENT, SILENT = 1.0, 2.0
TIMEOUT = 0.25
STILL = (0.0, 0.0, 0.0)


def state(k, seq, x, age=0.0, silent=()):
    return AgentState(k, seq, (x, 0.0, 0.0), STILL, age=age, silent=silent)


def told(k, x, age):
    return SilentBody(k, (x, 0.0, 0.0), STILL, age)


def knowing(*received):
    """Return what agent 1 knows after (time, states) were received."""
    bodies = KnownBodies(1)
    for now, states in received:
        bodies.receive(states, now, TIMEOUT)
    return bodies


def rows(bodies, now):
    """Return x, age and kind by number."""
    return {
        int(number): (x, pytest.approx(age), kind)
        for x, _, _, _, _, _, age, kind, number in bodies.rows(now, TIMEOUT, PRESENT, SILENT)
    }


def test_a_body_is_known_for_ever():
    bodies = knowing((1.0, [state(2, 5, 7.0, age=0.05)]))
    assert rows(bodies, 1.1) == {2: (7.0, 0.15, PRESENT)}
    assert rows(bodies, 1000.0) == {2: (7.0, 999.05, SILENT)}


def test_own_states_and_older_ones_are_passed_over():
    bodies = knowing((1.0, [state(1, 5, 0.0), state(2, 5, 7.0)]), (1.1, [state(2, 4, 3.0)]))
    assert rows(bodies, 1.1) == {2: (7.0, 0.1, PRESENT)}


def test_a_sender_that_starts_again_counts_after_the_timeout():
    bodies = knowing((1.0, [state(2, 500, 7.0)]), (2.0, [state(2, 1, 3.0)]))
    assert rows(bodies, 2.0) == {2: (3.0, 0.0, PRESENT)}


def test_silent_ones_are_told_with_their_age_and_the_heard_are_not():
    bodies = knowing((1.0, [state(2, 1, 7.0), state(3, 1, 9.0)]), (1.5, [state(3, 2, 9.5)]))
    assert bodies.silent(1.5, TIMEOUT) == ((2, (7.0, 0.0, 0.0), STILL, pytest.approx(0.5)),)


def test_a_silent_one_is_learnt_from_others():
    """Its age is that at the sender plus that of the message."""
    bodies = knowing((1.0, [state(2, 1, 7.0, age=0.1, silent=(told(4, 3.0, 6.0),))]))
    assert rows(bodies, 1.0)[4] == (3.0, 6.1, SILENT)
    assert [body.agent_id for body in bodies.silent(1.0, TIMEOUT)] == [4]


@pytest.mark.parametrize(('age', 'x'), [(0.5, 3.0), (0.9, 7.0)])
def test_of_two_the_younger_counts(age, x):
    """What was heard 0.8 s ago at (7, 0) gives way to what others heard later."""
    known = (1.0, [state(4, 1, 7.0)])
    bodies = knowing(known, (1.8, [state(2, 1, 0.0, silent=(told(4, x, age),))]))
    assert rows(bodies, 1.8)[4][0] == x


def test_whom_one_hears_oneself_is_not_learnt_from_others():
    heard = (1.0, [state(4, 1, 7.0), state(2, 1, 0.0, silent=(told(4, 3.0, 0.0),))])
    assert rows(knowing(heard), 1.0)[4] == (7.0, 0.0, PRESENT)


def test_nobody_learns_of_itself():
    bodies = knowing((1.0, [state(2, 1, 0.0, silent=(told(1, 3.0, 0.1),))]))
    assert list(rows(bodies, 1.0)) == [2]


def test_a_message_holds_the_first_silent_ones():
    bodies = knowing((1.0, [state(k, 1, float(k)) for k in range(30, 1, -1)]))
    found = bodies.silent(9.0, TIMEOUT)
    assert [body.agent_id for body in found] == list(range(2, 2 + MOST_TOLD))


def test_who_receives_the_same_shares_what_it_knows():
    """Both get rows of the other, but not of themselves, and none changes what the other has."""
    first, second = KnownBodies(1), KnownBodies(2)
    received = tuple(state(k, 1, float(k)) for k in (1, 2, 3))
    for one in (first, second):
        one.receive(received, 1.0, TIMEOUT)
    assert list(rows(first, 1.0)) == [2, 3]
    assert list(rows(second, 1.0)) == [1, 3]
    mine, others = (one.rows(1.0, TIMEOUT, PRESENT, SILENT) for one in (first, second))
    assert mine[-1] is others[-1], 'computed once'
    mine.clear()
    assert list(rows(first, 1.0)) == [2, 3]


def test_what_one_tells_itself_changes_nothing():
    """Its own messages come back to it."""
    bodies = knowing((1.0, [state(2, 1, 7.0)]))
    before = bodies.silent(2.0, TIMEOUT)
    bodies.receive([state(1, 9, 0.0, age=0.1, silent=before)], 2.1, TIMEOUT)
    assert rows(bodies, 2.1) == {2: (7.0, 1.1, SILENT)}
    assert bodies.silent(2.1, TIMEOUT) == ((2, (7.0, 0.0, 0.0), STILL, pytest.approx(1.1)),)
