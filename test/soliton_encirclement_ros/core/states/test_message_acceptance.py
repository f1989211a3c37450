"""Acceptance by sequence number, expiry and pruning."""

import math

from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.core import AgentState, TargetState
from soliton_encirclement_ros.core.states.agent_cache import AgentCache
from soliton_encirclement_ros.core.states.message_acceptance import (
    NEVER,
    NOT_YET,
    Sighting,
    SingleCache,
    is_fresh,
    sighted,
)

ORIGIN = (0.0, 0.0, 0.0)
TIMEOUT = 0.25
HEARD = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6), st.floats(0.0, 0.4)), max_size=40)
"""Sender, sequence number, time since the last message [s]."""


def said(agent_id: int, seq: int, x: float = 0.0) -> AgentState:
    """Return an agent's state."""
    return AgentState(agent_id, seq, (x, 0.0, 0.0), ORIGIN)


@given(HEARD)
def test_invariant_8_rule_against_its_definition(heard: list[tuple[int, int, float]]) -> None:
    """Invariant 8: dropped if and only if not newer and the last accepted has not expired."""
    cache, accepted, now = AgentCache(TIMEOUT), {}, 0.0
    for sender, seq, wait in heard:
        now += wait
        last = accepted.get(sender)
        stale = last is not None and seq <= last[0] and now - last[1] <= TIMEOUT
        state = said(sender, seq, now)
        assert cache.accept(state, now) is not stale
        if not stale:
            accepted[sender] = (seq, now, state)
        assert cache.states() == [entry[2] for entry in accepted.values()]


def test_alive_up_to_and_including_the_timeout() -> None:
    """The boundary counts as alive."""
    cache = AgentCache(TIMEOUT)
    cache.accept(said(1, 0), 1.0)
    assert cache.is_alive(1, 1.0 + TIMEOUT)
    assert not cache.is_alive(1, 1.0 + TIMEOUT + 1e-9)
    assert not cache.is_alive(2, 1.0)


def test_pruning_forgets_state_and_number() -> None:
    """A pruned agent may start again from any number; the others are untouched."""
    cache = AgentCache(TIMEOUT)
    cache.accept(said(1, 9), 0.0)
    cache.accept(said(2, 9), 0.2)
    assert cache.prune(0.3) == [1]
    assert cache.get(1) is None and 1 not in cache
    assert cache.accept(said(1, 0), 0.3)
    assert not cache.accept(said(2, 0), 0.3)


def test_order_is_that_of_first_hearing() -> None:
    """Refreshing keeps the place, returning after pruning goes last (order of summation)."""
    cache = AgentCache(TIMEOUT)
    for agent_id in (3, 1, 2):
        cache.accept(said(agent_id, 0), 0.0)
    for agent_id in (2, 1):
        cache.accept(said(agent_id, 1), 0.2)
    assert cache.ids() == [3, 1, 2]
    cache.prune(0.4)
    cache.accept(said(3, 0), 0.4)
    assert cache.ids() == [1, 2, 3]


def test_single_sender_follows_the_same_rule() -> None:
    """Replays are refused within the timeout; the state outlives it.

    Unlike the original, the target's and the adversary's memories of each other restart too.
    """
    cache = SingleCache(TIMEOUT)
    assert cache.state is None and not cache.is_alive(0.0)
    first, late = TargetState(5, ORIGIN, ORIGIN), TargetState(0, ORIGIN, ORIGIN)
    assert cache.accept(first, 0.0)
    assert not cache.accept(first, 0.1)
    assert not cache.accept(late, TIMEOUT)
    assert cache.state is first and not cache.is_alive(0.26)
    assert cache.accept(late, 0.26)
    assert cache.state is late and cache.is_alive(0.26)


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(0.0, 0.4)), max_size=20))
def test_a_sighting_follows_the_rule_of_a_single_sender(words: list[tuple[int, float]]) -> None:
    """The same words count, whoever keeps them."""
    cache, known, now = SingleCache(TIMEOUT), Sighting(math.nan, math.nan, NOT_YET, NEVER), 0.0
    for seq, wait in words:
        now += wait
        cache.accept(TargetState(seq, (now, -now, 0.0), ORIGIN), now)
        known = sighted(known, now, -now, seq, now, TIMEOUT)
        assert (known.x, known.y, known.seq) == (*cache.state.position[:2], cache.state.seq)
        assert is_fresh(known.received, now + 0.1, TIMEOUT) == cache.is_alive(now + 0.1)
