"""What a vehicle has received: many states at once, and who is no member of the ring."""

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.core.named_rows import values_of
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.parameters.target_parameters import TargetParameters
from soliton_encirclement_ros.core.scenario.random_streams import random_stream
from soliton_encirclement_ros.members.own_target import Target
from soliton_encirclement_ros.swarm.reception import follow
from support.ring_scene import AT_ORIGIN, ORIGIN, STILL, Flyer

TIMEOUT = 0.25
BATCHES = st.lists(
    st.tuples(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 6))), st.floats(0.0, 0.4)),
    max_size=12,
)
"""Sender and sequence number of the messages of a tick, time since the tick before [s]."""


def said(pairs: list[tuple[int, int]]) -> list[AgentState]:
    """Return agents' states by number and sequence number."""
    return [AgentState(k, seq, (float(k), float(seq), 0.0), ORIGIN) for k, seq in pairs]


@given(BATCHES)
def test_all_at_once_is_as_one_by_one(batches: list[tuple[list[tuple[int, int]], float]]) -> None:
    """Whatever is received when: the same links and states."""
    at_once, one_by_one, now = Flyer('soliton', Setup(), 9), Flyer('soliton', Setup(), 9), 0.0
    for pairs, wait in batches:
        now += wait
        at_once.receive(now, said(pairs))
        for state in said(pairs):
            one_by_one.receive(now, [state])
        left, right = at_once.rows, one_by_one.rows
        for rows in (left, right):
            follow(rows.rules, rows.flight, rows.i, now)
        assert left.numbers == right.numbers
        assert values_of(left.flight.links.rows[left.i]) == (
            values_of(right.flight.links.rows[right.i])
        )
        assert left.flight.sent == right.flight.sent


def test_states_of_the_target_are_no_neighbours() -> None:
    agent = Flyer('soliton', Setup(), 9)
    agent.receive(0.0, [STILL, *said([(1, 1)])])
    assert agent.neighbours(0.0) == [1]


class Aim(Target):
    """A target that names the agents whose arcs it weighs."""

    def __init__(self) -> None:
        """Stand still."""
        super().__init__(TargetParameters(), SwarmParameters(), random_stream(0, 'x'))

    def neighbours(self, now: float) -> list[int]:
        """Return their numbers."""
        return [agent for agent, _ in self.speak(now, AT_ORIGIN).lambdas]


LISTENERS = pytest.mark.parametrize('listen', [lambda: Flyer('soliton', Setup(), 9), Aim])


@LISTENERS
def test_vehicles_that_are_no_members_of_the_ring_are_left_out(listen) -> None:
    listener = listen()
    first, second = said([(1, 1), (2, 1)])
    listener.receive(0.0, [first, second._replace(ring_member=False)])
    assert listener.neighbours(0.0) == [1]


@LISTENERS
def test_a_member_that_leaves_the_ring_counts_until_its_timeout(listen) -> None:
    listener = listen()
    (member,) = said([(1, 1)])
    listener.receive(0.0, [member])
    for k in range(1, 7):
        listener.receive(0.05 * k, [member._replace(seq=1 + k, ring_member=False)])
        assert listener.neighbours(0.05 * k) == [1] * (0.05 * k <= TIMEOUT)


def test_a_target_may_count_from_zero() -> None:
    """Its first message is a message like any other."""
    agent = Flyer('soliton', Setup())
    agent.receive(0.0, [TargetState(0, ORIGIN, (1.0, 0.0, 0.0))])
    assert agent.hears_target(0.1) and agent.target_age(0.1) == pytest.approx(0.1)
    assert agent.decide(0.1, Pose((30.0, 0.0, 0.0), ORIGIN)).command != ORIGIN
