"""Late messages stretch the timeouts; lost ones, and failures, do not."""

import pytest
from soliton_encirclement_ros.core import AgentState, TargetState
from soliton_encirclement_ros.nodes.actors.late_senders import LONGEST, LateSenders

ORIGIN = (0.0, 0.0, 0.0)
PERIOD = 0.05


def heard(*arrivals: tuple[float, int]) -> LateSenders:
    """Return a watch after messages of one agent: when they came [s], and their numbers."""
    senders = LateSenders()
    for now, seq in arrivals:
        senders.receive(now, [AgentState(2, seq, ORIGIN, ORIGIN), TargetState(1, ORIGIN, ORIGIN)])
    return senders


def test_messages_in_time_have_the_gap_of_a_period():
    senders = heard(*((PERIOD * k, k) for k in range(1, 50)))
    assert senders.longest_gap == pytest.approx(PERIOD, rel=0.1)


def test_a_late_message_counts_and_is_forgotten():
    senders = heard((1.0, 1), (1.05, 2), (1.65, 3))
    assert senders.longest_gap == pytest.approx(0.6)
    for k in range(1, 200):
        senders.receive(1.65 + PERIOD * k, [AgentState(2, 3 + k, ORIGIN, ORIGIN)])
    assert senders.longest_gap == pytest.approx(PERIOD, rel=0.1)


def test_a_lost_message_is_none_that_was_late():
    assert heard((1.0, 1), (1.05, 2), (1.65, 14)).longest_gap < 0.06


def test_a_failure_is_no_late_message():
    assert heard((1.0, 1), (1.05, 2), (1.1 + LONGEST, 3)).longest_gap < 0.06


def test_several_messages_at_once_are_one_gap():
    senders = heard((1.0, 1))
    states = [AgentState(2, seq, ORIGIN, ORIGIN) for seq in (2, 3, 4)]
    senders.receive(1.4, states)
    assert senders.longest_gap == pytest.approx(0.4)
    senders.receive(1.45, [AgentState(2, 5, ORIGIN, ORIGIN)])
    assert senders.longest_gap == pytest.approx(0.4, rel=0.02)


def test_each_sender_has_its_own_gap():
    senders = LateSenders()
    for k in range(1, 20):
        now = PERIOD * k
        states = [AgentState(2, k, ORIGIN, ORIGIN)]
        if k % 6 == 0:
            states.append(AgentState(3, k // 6, ORIGIN, ORIGIN))
        senders.receive(now, states)
    assert senders.longest_gap == pytest.approx(0.3, rel=0.2)
