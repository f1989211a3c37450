"""The ring is computed once for agents that know the same; each sees what it would see alone."""

import math
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.controllers.shared_ring import (
    NO_ROW,
    Ring,
    ring_of,
    ring_view,
)
from soliton_encirclement_ros.core import AgentState, TargetState
from soliton_encirclement_ros.core.laws.record_rows import field_names
from soliton_encirclement_ros.core.ring.predict_bearing import PredictedBearing, predict_bearing
from soliton_encirclement_ros.core.states.agent_cache import AgentCache
from support.ring_scene import made, turning

NOW = 0.05
TARGET = TargetState(1, (1.0, 2.0, 0.0), (0.5, 0.0, 0.0), ((1, 2.0), (3, 0.5)), age=NOW)
FIELDS = ('u', 'u_ss')
ANGLES = st.lists(st.floats(-3.1, 3.1), min_size=1, max_size=8)


def states_at(angles: list[float]) -> list[AgentState]:
    """Return the states of agents 1, 2, ... at some angles around the origin."""
    return [
        AgentState(k, 1, *turning(angle, 0.1), u=0.1 * k, age=NOW)
        for k, angle in enumerate(angles, 1)
    ]


def seen(cache: AgentCache) -> Ring:
    """Return the ring of the agents in a cache."""
    return ring_of(NOW, TARGET, NOW, 1.0, True, FIELDS, cache.receptions)


def ring_after(states: list[AgentState]) -> Ring:
    """Return the ring of an agent that has received some states."""
    cache = AgentCache(0.25)
    cache.accept_all(tuple(states), NOW)
    return seen(cache)


def bearing(state: AgentState) -> PredictedBearing:
    """Return where on the ring an agent is."""
    return predict_bearing(
        state.position, state.velocity, state.age, TARGET.position, TARGET.velocity, NOW, 1.0, True
    )


@given(ANGLES, st.integers(0, 7))
def test_the_shared_ring_is_that_of_an_agent_alone(angles: list[float], which: int) -> None:
    """With the own state among the received ones, or without: same order, angles and weights."""
    states = states_at(angles)
    me = states[which % len(states)]
    shared = ring_view(ring_after(states), me.agent_id, bearing(me))
    others = [state for state in states if state.agent_id != me.agent_id]
    alone = ring_view(ring_after(others), me.agent_id, bearing(me))
    for field in ('count', 'place', 'ids', 'thetas', 'rates'):
        assert getattr(shared, field) == getattr(alone, field), field
    for one, other in zip(shared.weights, alone.weights, strict=True):
        assert one == other or (math.isnan(one) and math.isnan(other))
    for place, agent_id in enumerate(shared.ids):
        if agent_id != me.agent_id:
            row = shared.states[shared.rows[place]]
            assert row == alone.states[alone.rows[place]]
            assert row[9] == 0.1 * agent_id
    assert alone.rows[alone.place] == NO_ROW


def test_agents_that_know_the_same_share_one_ring() -> None:
    """Not equal rings but one; whoever knows something else has another."""
    states = tuple(states_at([0.1, 0.9, 2.0]))
    caches = [AgentCache(0.25), AgentCache(0.25), AgentCache(0.25)]
    caches[0].accept_all(states, NOW)
    caches[1].accept_all(states, NOW)
    caches[2].accept_all(states[:2], NOW)
    first, second, third = [seen(cache) for cache in caches]
    assert first is second
    assert third is not first and len(third.entries) == 2
    mine = ring_view(first, 2, bearing(states[1]))
    assert mine.thetas is first.view.thetas and mine.ids[mine.place] == 2


class North(NamedTuple):
    """A message."""

    north: float


class East(NamedTuple):
    """Another message."""

    east: float


def test_laws_with_messages_of_other_names_do_not_meet() -> None:
    """Records of two kinds with equal numbers are equal; their names are not."""
    assert North(0.0) == East(0.0)
    assert (field_names(North(0.0)), field_names(East(0.0))) == (('north',), ('east',))
    assert made('soliton')._fields is made('soliton')._fields
