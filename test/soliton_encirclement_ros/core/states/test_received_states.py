"""Acceptance by sequence number, expiry and pruning."""

import math

from hypothesis import given, strategies as st

from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.core import AgentState, TargetState
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.states.received_states import (
    NEVER, LastSeen, accept_state, drop_old, empty_cache, list_cached, update_last_seen
)
from soliton_encirclement_ros.core.states.states import NOT_YET
from soliton_encirclement_ros.swarm.memory import SEQ, X, layer_of
from support.ring_scene import ORIGIN, Flyer

TIMEOUT = 0.25
HEARD = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6), st.floats(0.0, 0.4)), max_size=40)
"""Sender, sequence number, time since the last message [s]."""


def accept(cache, state: AgentState, now: float, timeout: float = TIMEOUT) -> bool:
    """Give a cache a state."""
    (x, y, _), (vx, vy, _) = state.position, state.velocity
    return accept_state(cache, state.agent_id, x, y, vx, vy, state.seq, now, timeout)


def said(agent_id: int, seq: int, x: float = 0.0) -> AgentState:
    """Return an agent's state."""
    return AgentState(agent_id, seq, (x, 0.0, 0.0), ORIGIN)


@given(HEARD)
def test_invariant_8_rule_against_its_definition(heard: list[tuple[int, int, float]]) -> None:
    """Invariant 8: dropped if and only if not newer and the last accepted has not expired.

    So it is with an agent and with who only listens.
    """
    cache, agent, accepted, now = empty_cache(), Flyer('soliton', Setup(), 9), {}, 0.0
    for sender, seq, wait in heard:
        now += wait
        last = accepted.get(sender)
        stale = last is not None and seq <= last[0] and now - last[1] <= TIMEOUT
        state = said(sender, seq, now)
        assert accept(cache, state, now) is not stale
        agent.receive(now, [state])
        if not stale:
            accepted[sender] = (seq, now, state)
        assert list_cached(cache) == [*accepted]
        for number, entry in accepted.items():
            row = cache.rows[number]
            assert (row.seq, row.received, row.x) == (*entry[:2], entry[2].position[0])
        assert heard_by(agent) == {k: (*entry[:2], entry[1]) for k, entry in accepted.items()}


def heard_by(agent: Flyer) -> dict[int, tuple[float, float, float]]:
    """Return number, time of reception [s] and x [m] of the states that an agent uses."""
    rows = agent.rows
    links = {rows.numbers[j]: (j, link) for j, link in enumerate(rows.flight.links.rows[rows.i])}
    found = {}
    for number, (j, link) in links.items():
        if link.number > 0:
            sent = rows.flight.sent[layer_of(rows.flight, link.number)][j]
            found[number] = sent[SEQ], link.received, sent[X]
    return found


def test_alive_up_to_and_including_the_timeout() -> None:
    """The boundary counts as alive."""
    cache = empty_cache()
    accept(cache, said(1, 0), 1.0)
    drop_old(cache, TIMEOUT, 1.0 + TIMEOUT)
    assert list_cached(cache) == [1]
    drop_old(cache, TIMEOUT, 1.0 + TIMEOUT + 1e-9)
    assert list_cached(cache) == []


def test_pruning_forgets_state_and_number() -> None:
    """A pruned agent may start again from any number; the others are untouched."""
    cache = empty_cache()
    accept(cache, said(1, 9), 0.0)
    accept(cache, said(2, 9), 0.2)
    drop_old(cache, TIMEOUT, 0.3)
    assert list_cached(cache) == [2]
    assert accept(cache, said(1, 0), 0.3)
    assert not accept(cache, said(2, 0), 0.3)


def test_order_is_that_of_first_hearing() -> None:
    """Refreshing keeps the place, returning after pruning goes last (order of summation)."""
    cache = empty_cache()
    for agent_id in (3, 1, 2):
        accept(cache, said(agent_id, 0), 0.0)
    for agent_id in (2, 1):
        accept(cache, said(agent_id, 1), 0.2)
    assert list_cached(cache) == [3, 1, 2]
    drop_old(cache, TIMEOUT, 0.4)
    accept(cache, said(3, 0), 0.4)
    assert list_cached(cache) == [1, 2, 3]


def test_single_sender_follows_the_same_rule() -> None:
    """Replays are refused within the timeout; the state outlives it.

    Unlike the original, the target's and the adversary's memories of each other restart too.
    """
    agent = Flyer('soliton', Setup(swarm=SwarmParameters(target_state_timeout=TIMEOUT)))
    assert agent.target_age(0.0) == math.inf and not agent.hears_target(0.0)
    first, late = TargetState(5, ORIGIN, ORIGIN), TargetState(1, (1.0, 0.0, 0.0), ORIGIN)
    agent.receive(0.0, [first])
    agent.receive(0.1, [first])
    assert agent.target_age(0.1) == 0.1
    agent.receive(TIMEOUT, [late])
    assert agent.target_age(0.26) == 0.26 and not agent.hears_target(0.26)
    assert (agent.rows.target.seq, agent.rows.target.x) == (5, 0.0)
    agent.receive(0.26, [late])
    assert agent.target_age(0.26) == 0.0 and agent.hears_target(0.26)
    assert (agent.rows.target.seq, agent.rows.target.x) == (1, 1.0)


@given(st.lists(st.tuples(st.integers(1, 5), st.floats(0.0, 0.4)), max_size=20))
def test_a_sighting_follows_the_rule_of_a_single_sender(words: list[tuple[int, float]]) -> None:
    """The same words count, whoever keeps them."""
    agent = Flyer('soliton', Setup(swarm=SwarmParameters(target_state_timeout=TIMEOUT)))
    known, now = LastSeen(math.nan, math.nan, NOT_YET, NEVER), 0.0
    for seq, wait in words:
        now += wait
        agent.receive(now, [TargetState(seq, (now, -now, 0.0), ORIGIN)])
        known = update_last_seen(known, now, -now, seq, now, TIMEOUT)
        report = agent.rows.target
        assert known == (report.x, report.y, report.seq, report.received_at)
