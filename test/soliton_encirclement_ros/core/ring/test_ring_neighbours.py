"""Selection of predecessor and successor, with hysteresis."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.controllers.original_laws import NO_PLACE, update_place
from soliton_encirclement_ros.core.laws.law import RingView, TargetView, View
from soliton_encirclement_ros.core.ring.ring_geometry import ALONE, NOBODY, Neighbours
from soliton_encirclement_ros.core.states.received_states import (
    accept_state, drop_old, empty_cache, list_cached
)
from velocity_mobility_ros.core.coordinate_frames import wrap_2pi

HYSTERESIS = 0.05
RING = st.lists(st.integers(-3141, 3141), min_size=2, max_size=12, unique=True).map(
    lambda thousandths: [0.001 * thousandth for thousandth in thousandths]
)
ORIGIN = (0.0, 0.0, 0.0)


def choose(
    own: int, thetas: Sequence[float], old: Neighbours = ALONE, hysteresis: float = 0.0
) -> Neighbours:
    """Return the neighbours of agent ``own`` on a ring where agent i has the angle thetas[i]."""
    position = math.cos(thetas[own]), math.sin(thetas[own])
    return chosen_at(own, position, ORIGIN, dict(enumerate(thetas)), old, hysteresis)


def chosen_at(
    own: int,
    position: Sequence[float],
    target: Sequence[float],
    thetas: dict[int, float],
    old: Neighbours,
    hysteresis: float,
) -> Neighbours:
    """Return the neighbours of an agent by its place, the target's and everybody's angle."""
    order = sorted(thetas, key=lambda k: (thetas[k], k))
    count, angles = len(order), [thetas[k] for k in order]
    unknown = [math.nan] * count
    ring = RingView(
        count, order.index(own), order, angles, unknown, unknown, list(range(count)), []
    )
    seen = TargetView(1, (*target[:2], 0.0), ORIGIN, 0.0, 0.0, True)
    view = View(0.0, own, (*position[:2], 0.0), ORIGIN, ORIGIN, 0.0, seen, ring)
    return update_place(NO_PLACE._replace(near=old), view, hysteresis).place.near


def test_reference_table(reference: Callable[[str], Any]) -> None:
    """Twenty agents, twenty-five ticks each, with silence, overtaking and swaps."""
    table = reference('soliton_v1.json')['neighbour_selection']
    timeout = table['agent_timeout']
    for case in table['cases']:
        cache, old, target = empty_cache(), ALONE, case['target']
        for seq, s in enumerate(case['steps']):
            for heard in s['heard']:
                place = heard['position'][:2]
                accept_state(cache, heard['id'], *place, 0.0, 0.0, seq, s['t'], timeout)
            drop_old(cache, timeout, s['t'])
            alive = list_cached(cache)
            assert len(alive) == s['alive']
            places = {k: (cache.rows[k].x, cache.rows[k].y) for k in alive}
            thetas = {k: seen_from(target, place) for k, place in places.items()}
            own = case['own_id']
            thetas[own] = seen_from(target, s['own'])
            old = chosen_at(own, s['own'], target, thetas, old, table['hysteresis'])
            assert_like_table(old, s)


def seen_from(target: Sequence[float], position: Sequence[float]) -> float:
    """Return the angle [rad] of a position as the original takes it."""
    return math.atan2(position[1] - target[1], position[0] - target[0])


def assert_like_table(chosen: Neighbours, expected: dict[str, Any]) -> None:
    """Compare a choice with a row of the table, where null stands for nobody."""
    if expected['pred'] is None:
        assert chosen == ALONE
        return
    assert (chosen.pred, chosen.succ) == (expected['pred'], expected['succ'])
    gaps = (expected['gap_pred'], expected['gap_succ'])
    assert (chosen.gap_pred, chosen.gap_succ) == pytest.approx(gaps, rel=1e-12, abs=1e-12)


@given(RING)
def test_invariant_3_neighbours_are_mutual(thetas: list[float]) -> None:
    """Invariant 3: succ(pred(i)) = i = pred(succ(i)), with the same gap from both sides."""
    chosen = [choose(i, thetas) for i in range(len(thetas))]
    for i, near in enumerate(chosen):
        assert chosen[near.pred].succ == i == chosen[near.succ].pred
        assert chosen[near.succ].gap_pred == pytest.approx(near.gap_succ)


def old_choice(draw: st.DrawFn, count: int) -> Neighbours:
    """Draw a previous choice among agents 1 to count - 1 and two that are gone."""
    ids = st.sampled_from([NOBODY, *range(1, count + 2)])
    return Neighbours(draw(ids), draw(ids), 0.0, 0.0)


@given(RING, st.data(), st.floats(0.0, 1.0))
def test_invariant_4_result_is_the_nearest_or_the_old_one(
    thetas: list[float], data: st.DataObject, hysteresis: float
) -> None:
    """Invariant 4: never a third one, and never more than the hysteresis too far."""
    old = old_choice(data.draw, len(thetas))
    nearest, chosen = choose(0, thetas), choose(0, thetas, old, hysteresis)
    assert chosen.pred in (nearest.pred, old.pred)
    assert chosen.succ in (nearest.succ, old.succ)
    assert 0.0 <= chosen.gap_pred - nearest.gap_pred <= hysteresis
    assert 0.0 <= chosen.gap_succ - nearest.gap_succ <= hysteresis
    assert chosen.gap_pred == pytest.approx(wrap_2pi(thetas[0] - thetas[chosen.pred]))
    assert chosen.gap_succ == pytest.approx(wrap_2pi(thetas[chosen.succ] - thetas[0]))


@pytest.mark.parametrize(('advance', 'kept'), [(0.04, True), (0.06, False)])
def test_an_intruder_must_be_clearly_closer(advance: float, kept: bool) -> None:
    """The old neighbour stays while the new one is within the hysteresis of it."""
    thetas = [0.0, -0.5, 0.5, 0.5 - advance]
    chosen = choose(0, thetas, Neighbours(1, 2, 0.5, 0.5), HYSTERESIS)
    assert chosen.succ == (2 if kept else 3)
    assert chosen.gap_succ == pytest.approx(0.5 if kept else 0.5 - advance)


def test_a_swap_of_both_is_taken_as_it_is() -> None:
    """Old predecessor and successor have changed sides: no hysteresis."""
    chosen = choose(0, [0.0, 0.02, -0.02], Neighbours(1, 2, 0.02, 0.02), 10.0)
    assert (chosen.pred, chosen.succ) == (2, 1)


def test_nobody_else_is_alone() -> None:
    """Without another agent there is no neighbour."""
    assert choose(0, [1.0]) == ALONE


@pytest.mark.as_original
def test_w10_coincident_agents_see_no_gap_as_original() -> None:
    """W10, as the original: at one and the same angle both gaps are 0 instead of 0 and a turn."""
    assert [choose(i, [0.0, 0.0])[2:] for i in range(2)] == [(0.0, 0.0), (0.0, 0.0)]


def test_equal_angles_are_ordered_by_id() -> None:
    """Ties are broken by id, so that all agents see the same ring."""
    thetas = [0.0, 0.0, 0.0, 2.0]
    assert [choose(i, thetas).succ for i in range(4)] == [1, 2, 3, 0]
