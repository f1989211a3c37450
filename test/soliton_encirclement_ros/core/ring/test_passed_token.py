"""The token's law over sequences, against one that is written with mappings."""

import math
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.core.ring.edge_weights import (
    LONG_AGO,
    NO_TOKEN,
    EdgeWeights,
    Token,
    edge_weight,
    passed_token,
)
from soliton_encirclement_ros.core.ring.ring_neighbours import NOBODY

ANGLE = st.one_of(st.floats(0.0, 2.0 * math.pi), st.integers(0, 6).map(float))
"""Whole numbers for ties of angles and of arcs."""

RINGS = st.lists(
    st.lists(st.tuples(st.integers(1, 7), ANGLE), max_size=7, unique_by=lambda agent: agent[0]),
    min_size=1,
    max_size=30,
)
PROTECTION = st.one_of(st.sampled_from([0.0, 90.0, 359.9999999, 360.0]), st.floats(0.0, 360.0))


class ByHand:
    """The same law over mappings: every agent's weight is kept."""

    def __init__(self, protection: float, always_fresh: bool) -> None:
        """Start without a holder."""
        self.protection, self.always_fresh = protection, always_fresh
        self.weights: dict[int, float] = {}
        self.holder, self.switched = NOBODY, LONG_AGO

    def update(self, now: float, thetas: Mapping[int, float]) -> dict[int, float]:
        """Return the weight of every agent's arc."""
        if self.holder not in thetas:
            self.holder = NOBODY
        if len(thetas) < 2 or 360.0 - self.protection <= 1e-6:
            self.holder, self.weights = NOBODY, {}
        else:
            self.pass_on(now, thetas)
        self.weights = {agent: self.weights.get(agent, 1.0) for agent in thetas}
        return dict(self.weights)

    def pass_on(self, now: float, thetas: Mapping[int, float]) -> None:
        """Give the token to the best, keep it, or wait."""
        weight = edge_weight(self.protection, len(thetas))
        ring = sorted(thetas, key=thetas.__getitem__)
        arcs = {
            agent: (thetas[after] - thetas[agent]) % (2.0 * math.pi)
            for agent, after in zip(ring, [*ring[1:], ring[0]], strict=True)
        }
        if weight < 1.0 + 1e-6:
            arcs = {agent: -arc for agent, arc in arcs.items()}
        best = max(arcs, key=arcs.__getitem__)
        if best == self.holder:
            self.weights = {best: weight}
        elif self.holder == NOBODY or (
            now - self.switched >= 1.0 and arcs[best] > arcs[self.holder] + 0.05
        ):
            self.weights, self.holder, self.switched = {best: weight}, best, now
        elif self.always_fresh:
            self.weights = {self.holder: weight}


@given(PROTECTION, st.booleans(), RINGS, st.floats(0.01, 0.7))
def test_sequences_and_mappings_give_the_same(
    protection: float, always_fresh: bool, rings: list[list], period: float
) -> None:
    """Holders that go and come back, ties, lone agents, waiting: the same bits."""
    one, other = EdgeWeights(protection, always_fresh), ByHand(protection, always_fresh)
    for k, ring in enumerate(rings):
        found, expected = (law.update(k * period, dict(ring)) for law in (one, other))
        assert list(found.items()) == list(expected.items())
        assert one.holder == other.holder


def passed(token: Token, now: float, thetas: Mapping[int, float], fresh: bool = True) -> Token:
    """Return the token after one broadcast; ninety degrees are covered."""
    ids, angles = np.array(list(thetas), dtype=int), np.array(list(thetas.values()))
    order = np.argsort(angles, kind='stable')
    return passed_token(token, now, 90.0, fresh, ids, angles, order)


RING = {5: 0.0, 3: 1.0, 4: 3.0}
"""The widest arc begins at agent 4: 3.28 rad."""

WEIGHT = edge_weight(90.0, 3)


def test_among_agents_at_one_angle_the_last_heard_starts_the_arc() -> None:
    """Equal angles stay in the order of first hearing, with an arc of 0 between them."""
    assert passed(NO_TOKEN, 0.0, {8: 1.0, 5: 5.0, 2: 1.0}).holder == 2


@pytest.mark.parametrize(('fresh', 'weight'), [(True, WEIGHT), (False, 27.0)])
def test_a_holder_that_waits(fresh: bool, weight: float) -> None:
    """In the cooldown the token stays; fresh or not is a matter of the weight only."""
    assert passed(Token(5, 0.0, 27.0), 0.5, RING, fresh) == Token(5, 0.0, weight)


@pytest.mark.parametrize('thetas', [{}, {4: 1.0}])
def test_without_a_ring_nobody_has_it(thetas: dict) -> None:
    """The time of the last switch is kept."""
    assert passed(Token(4, 0.3, 27.0), 0.5, thetas) == Token(NOBODY, 0.3, 1.0)
