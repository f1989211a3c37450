"""What receivers of the same messages share, and that no receiver changes what others read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.core import AgentState, TargetState
from soliton_encirclement_ros.core.states.agent_cache import AgentCache
from soliton_encirclement_ros.core.states.shared_steps import (
    KEPT,
    share_steps,
    shared_step,
    unified,
)

ORIGIN = (0.0, 0.0, 0.0)
TIMEOUT = 0.25
BATCHES = st.lists(
    st.tuples(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 6))), st.floats(0.0, 0.4)),
    max_size=12,
)
"""Sender and sequence number of the messages of a tick, time since the tick before [s]."""


def said(pairs: list[tuple[int, int]]) -> tuple[AgentState, ...]:
    """Return agents' states by number and sequence number."""
    return tuple(AgentState(k, seq, ORIGIN, ORIGIN) for k, seq in pairs)


@given(BATCHES)
def test_all_at_once_is_as_one_by_one(batches: list[tuple[list[tuple[int, int]], float]]) -> None:
    """Whatever is received when, pruned or not: the same states, in the same order."""
    at_once, one_by_one, twin = (AgentCache(TIMEOUT) for _ in range(3))
    now = 0.0
    for pairs, wait in batches:
        now += wait
        states = said(pairs)
        at_once.accept_all(states, now)
        twin.accept_all(states, now)
        for state in states:
            one_by_one.accept(state, now)
        assert at_once.states() == one_by_one.states()
        assert at_once.prune(now) == one_by_one.prune(now)
        assert at_once.receptions == one_by_one.receptions
        assert twin.prune(now) is not None
        assert twin.receptions is at_once.receptions, 'who knows the same shares it'


def test_who_knows_the_same_again_shares_again() -> None:
    """An agent that was away has, after its return, the very mapping of the others."""
    here, away = AgentCache(TIMEOUT, is_ordered=False), AgentCache(TIMEOUT, is_ordered=False)
    for k in range(1, 20):
        now, states = 0.05 * k, said([(1, k), (2, k), (3, k)])
        here.accept_all(states, now)
        if not 3 < k < 12:
            away.accept_all(states[::-1] if k == 1 else states, now)
        assert (away.receptions is here.receptions) == (1 < k <= 3 or k >= 12)
        here.prune(now)
        away.prune(now)


def test_what_was_read_never_changes() -> None:
    """A cache that goes on alone leaves what it shared as it was."""
    first, second = AgentCache(TIMEOUT), AgentCache(TIMEOUT)
    states = said([(1, 1), (2, 1)])
    first.accept_all(states, 0.0)
    second.accept_all(states, 0.0)
    read = first.receptions
    first.accept(said([(3, 1)])[0], 0.1)
    assert [*first.receptions] == [1, 2, 3]
    assert [*read] == [*second.receptions] == [1, 2]


def test_states_of_others_are_left_out() -> None:
    """The target's state is not an agent's."""
    cache = AgentCache(TIMEOUT)
    cache.accept_all((TargetState(1, ORIGIN, ORIGIN), *said([(1, 1)])), 0.0)
    assert cache.ids() == [1]


def test_vehicles_that_are_no_members_of_the_ring_are_left_out() -> None:
    cache = AgentCache(TIMEOUT)
    first, second = said([(1, 1), (2, 1)])
    cache.accept_all((first, second._replace(ring_member=False)), 0.0)
    assert cache.ids() == [1]


def test_a_member_that_leaves_the_ring_counts_until_its_timeout() -> None:
    cache = AgentCache(TIMEOUT)
    (member,) = said([(1, 1)])
    cache.accept_all((member,), 0.0)
    for k in range(1, 7):
        cache.accept_all((member._replace(seq=1 + k, ring_member=False),), 0.05 * k)
        cache.prune(0.05 * k)
        assert (1 in cache) == (0.05 * k <= TIMEOUT)


def test_a_shared_step_is_computed_once_per_object() -> None:
    """The same object gives the same result; an equal one is another."""
    calls = []

    @shared_step
    def step(what: tuple, number: float) -> list:
        calls.append((what, number))
        return [*what, number]

    one, other = tuple([1, 2]), tuple([1, 2])
    assert step(one, 1.0) is step(one, 1.0)
    assert step(other, 1.0) is not step(one, 1.0)
    assert step(one, 2.0) == [1, 2, 2.0]
    assert len(calls) == 3


def test_numbers_are_those_that_are_declared_as_such() -> None:
    """Equal numbers are the same; an argument of another kind is the same if it is one object."""

    @shared_step
    def step(what: tuple | None, number: float, count: int, yes: bool) -> list:
        return [what, number, count, yes]

    found = step(None, 0.5, 10**9, True)
    assert step(None, float('0.5'), int('1000000000'), True) is found
    for other in ((None, 0.5, 10**9, False), (None, 0.25, 10**9, True), ((), 0.5, 10**9, True)):
        assert step(*other) == [*other]


def test_a_shared_step_keeps_few_results() -> None:
    """Old ones go; those that are kept keep their arguments, whose ids nobody else gets."""
    calls = []

    @shared_step
    def step(what: tuple) -> int:
        calls.append(what)
        return len(calls)

    for k in range(10 * KEPT):
        assert step((k,)) == k + 1
    assert len(calls) == 10 * KEPT


@pytest.mark.parametrize('is_on', [True, False])
def test_who_is_alone_keeps_no_results(is_on: bool) -> None:
    calls = []

    @shared_step
    def double(value: float) -> float:
        calls.append(value)
        return 2.0 * value

    share_steps(is_on)
    assert [double(1.0), double(1.0)] == [2.0, 2.0]
    first, second = {1: 'one'}, {1: 'one'}
    assert unified(first, 5.0) is first
    assert (unified(second, 5.0) is first) is is_on
    assert len(calls) == (1 if is_on else 2)
