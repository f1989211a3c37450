"""The edge weight and the token that carries it; with the spin, against the reference table."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.ring.edge_weights import (
    LONG_AGO, NO_TOKEN, arc_weight, edge_weight, passed_token
)
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY, bearing
from soliton_encirclement_ros.core.ring.spin_laws import SPIN_LAWS, SpinGains, centre_error
from support.spinning import Spinning

TURN = 2.0 * math.pi
ANGLE = st.one_of(st.floats(0.0, TURN), st.integers(0, 6).map(float))
"""Whole numbers for ties of angles and of arcs."""

RINGS = st.lists(
    st.lists(st.tuples(st.integers(1, 7), ANGLE), max_size=7, unique_by=lambda agent: agent[0]),
    min_size=1,
    max_size=30,
)
"""What the target sees at successive broadcasts."""

PROTECTION = st.one_of(st.sampled_from([0.0, 90.0, 359.9999999, 360.0]), st.floats(0.0, 360.0))


class EdgeWeights:
    """The weights at successive broadcasts of a target."""

    def __init__(self, protection: float, always_fresh: bool) -> None:
        """Start without a holder."""
        self.rules, self.token = (protection, always_fresh), NO_TOKEN

    @property
    def holder(self) -> int:
        """Who holds the token."""
        return self.token.holder

    def update(self, now: float, thetas: Mapping[int, float]) -> dict[int, float]:
        """Return the weight of every agent's arc."""
        ids, angles = [*thetas], [*thetas.values()]
        order = sorted(range(len(ids)), key=angles.__getitem__)
        self.token = passed_token(self.token, now, *self.rules, ids, angles, order)
        return {agent: arc_weight(self.token, agent) for agent in ids}


def even(count: int) -> dict[int, float]:
    """Return an even ring."""
    return {i: TURN * i / count for i in range(count)}


def test_reference_table(reference: Callable[[str], Any]) -> None:
    """Sixteen targets, sixty broadcasts each: every weight and the spin reference."""
    for case in reference('soliton_v1.json')['target_broadcast']['cases']:
        weights = EdgeWeights(case['protection_angle_deg'], always_fresh=False)
        gains = SpinGains(
            kp=case['spin_kp'],
            kd=case['spin_kd'],
            max_abs=case['spin_max_abs'],
            rho_min=case['rho_min'],
            base=0.0,
            period=0.01,
            filter_time=0.0,
            max_rate=1.0,
        )
        spin, order = Spinning(SPIN_LAWS['v1'], gains), []
        for s in case['steps']:
            offsets = {a['id']: relative(case, a['position']) for a in s['agents']}
            order = [i for i in order if i in offsets] + [i for i in offsets if i not in order]
            thetas = {i: bearing(*offsets[i]) for i in order}
            expected = {int(agent): weight for agent, weight in s['lambdas'].items()}
            assert weights.update(s['t'], thetas) == pytest.approx(expected, rel=1e-12)
            adversary = relative(case, s['adversary']) if s['adversary'] else (1.0, 0.0)
            xs, ys = [offsets[i][0] for i in order], [offsets[i][1] for i in order]
            err = centre_error(xs, ys, *adversary, case['rho_min'])
            omega_ref = spin.update(s['t'], err, True)
            assert omega_ref == pytest.approx(s['omega_ref'], rel=1e-12, abs=1e-12)


def relative(case: dict[str, Any], position: list[float]) -> tuple[float, float]:
    """Return a position's offset from the case's target."""
    return position[0] - case['target'][0], position[1] - case['target'][1]


def test_golden_default_of_the_seed() -> None:
    """Spec 10.4: ninety degrees and ten agents give 27."""
    assert edge_weight(90.0, 10) == 27.0


@pytest.mark.parametrize(
    ('protection', 'count'), [(360.0, 10), (359.9999999, 10), (90.0, 1), (90.0, 0), (0.0, 10)]
)
def test_weight_is_one_where_there_is_no_edge(protection: float, count: int) -> None:
    """Nothing to open, nobody to open it, or nothing to cover (W25, as the original)."""
    assert edge_weight(protection, count) == 1.0


@pytest.mark.as_original
def test_w7_weight_goes_stale_during_cooldown_as_original() -> None:
    """Invariant 9 is broken as in the original (W7): M changes, the blocked holder keeps 27."""
    weights = EdgeWeights(90.0, always_fresh=False)
    assert weights.update(0.0, even(10))[0] == 27.0
    fewer = {0: 0.0, **{i: 0.1 + 0.2 * i for i in range(1, 8)}}
    found = weights.update(0.5, fewer)
    assert weights.holder == 0
    assert found[0] == 27.0 != edge_weight(90.0, 8)
    assert weights.update(1.5, fewer)[7] == edge_weight(90.0, 8)


@given(PROTECTION, RINGS, st.floats(0.01, 0.7))
def test_invariant_9_the_holders_weight_is_always_that_of_the_swarm(
    protection: float, rings: list[list], period: float
) -> None:
    """Invariant 9, ours (W7 mended): the weight fits the current number of agents at all times."""
    weights = EdgeWeights(protection, always_fresh=True)
    for k, ring in enumerate(rings):
        found = weights.update(k * period, dict(ring))
        if weights.holder != NOBODY:
            assert found[weights.holder] == edge_weight(protection, len(ring))


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
