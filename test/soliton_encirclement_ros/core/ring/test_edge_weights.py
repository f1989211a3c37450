"""The edge weight and the token that carries it; with the spin, against the reference table."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.actors.spin.spin_law import SpinGains, centre_error
from soliton_encirclement_ros.actors.spin.spin_laws import SPIN_LAWS
from soliton_encirclement_ros.core.ring.edge_weights import (
    SWITCH_COOLDOWN,
    SWITCH_HYSTERESIS,
    EdgeWeights,
    arc,
    edge_weight,
)
from soliton_encirclement_ros.core.ring.plane import bearing
from soliton_encirclement_ros.core.ring.ring_neighbours import NOBODY
from support.spinning import Spinning

PROTECTION = st.floats(5.0, 355.0)
TURN = 2.0 * math.pi
RINGS = st.lists(
    st.dictionaries(st.integers(0, 6), st.floats(0.0, 6.28), min_size=2, max_size=7),
    min_size=1,
    max_size=30,
)
"""What the target sees at successive broadcasts."""


def even(count: int) -> dict[int, float]:
    """Return an even ring."""
    return {i: TURN * i / count for i in range(count)}


def gaps_by_start(thetas: dict[int, float]) -> dict[int, float]:
    """Return the arc [rad] from every agent to its successor."""
    ids, angles = list(thetas), list(thetas.values())
    order = sorted(range(len(ids)), key=angles.__getitem__)
    return {ids[order[k]]: arc(angles, order, k) for k in range(len(order))}


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


@given(PROTECTION, st.integers(2, 50))
def test_invariant_9_value_and_equilibrium_arcs(protection: float, count: int) -> None:
    """Invariant 9: (360 - P)(M - 1) / P; then the edge arc is 360 - P and the rest shares P."""
    weight = edge_weight(protection, count)
    assert weight == pytest.approx((360.0 - protection) * (count - 1) / protection)
    total = weight + (count - 1)
    assert 360.0 * weight / total == pytest.approx(360.0 - protection)


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
    protection: float, rings: list[dict], period: float
) -> None:
    """Invariant 9, ours (W7 mended): the weight fits the current number of agents at all times."""
    weights = EdgeWeights(protection, always_fresh=True)
    for k, thetas in enumerate(rings):
        found = weights.update(k * period, thetas)
        if weights.holder != NOBODY:
            assert found[weights.holder] == edge_weight(protection, len(thetas))


@given(PROTECTION, RINGS, st.floats(0.01, 0.7))
def test_invariant_10_one_switch_per_cooldown_and_only_for_a_gain(
    protection: float, rings: list[dict], period: float
) -> None:
    """Invariant 10: a live holder keeps the token for the cooldown and unless clearly beaten."""
    weights, switched = EdgeWeights(protection, always_fresh=True), -math.inf
    for k, thetas in enumerate(rings):
        before = weights.holder
        weights.update(k * period, thetas)
        if weights.holder == before:
            continue
        if before in thetas:
            sign = 1.0 if edge_weight(protection, len(thetas)) >= 1.0 + 1e-6 else -1.0
            gaps = gaps_by_start(thetas)
            assert k * period - switched >= SWITCH_COOLDOWN
            assert sign * gaps[weights.holder] > sign * gaps[before] + SWITCH_HYSTERESIS
        switched = k * period


def test_answers_are_copies() -> None:
    """A caller cannot reach into the memory."""
    weights = EdgeWeights(90.0, always_fresh=True)
    weights.update(0.0, even(3)).clear()
    assert len(weights.update(0.1, even(3))) == 3
