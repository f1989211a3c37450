"""Spin laws: what every one owes, what becomes of W12, and how each law comes to its rate."""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.parameters.target_parameters import SPIN_LAW_NAMES
from soliton_encirclement_ros.core.ring.spin_laws import (
    COMMITMENT, SPIN_LAWS, SolitonV1SpinMemory, SpinGains, TwoChannelSpinMemory, error_rate,
    low_pass, unwrap
)
from support.spinning import Spinning
from support.strategies import ANY_NUMBER

FAMILY = pytest.mark.parametrize('name', SPIN_LAWS)
ORIGINALS = pytest.mark.parametrize('name', ['v1', 'v3'])
TICK = 0.05


def law(name: str, **changes: Any) -> Spinning:
    """Return a fresh law with default gains, some changed."""
    gains = {
        'kp': 1.0,
        'kd': 0.2,
        'max_abs': 1.0,
        'rho_min': 0.05,
        'base': 0.0,
        'period': TICK,
        'filter_time': 0.5,
        'max_rate': 0.5,
    }
    return Spinning(SPIN_LAWS[name], SpinGains(**{**gains, **changes}))


def flown(one: Spinning, errors: list[float], known: bool = True, start: int = 0) -> list[float]:
    """Return the rates for errors at successive ticks."""
    return [one.update((start + k) * TICK, err, known) for k, err in enumerate(errors)]


def test_names_and_choices_agree() -> None:
    """Every choice of the parameter is a law and the other way round."""
    assert tuple(SPIN_LAWS) == SPIN_LAW_NAMES


@FAMILY
def test_a_turning_swarm_arrives(name: str) -> None:
    """With the ring following the rate at once, the error goes to zero from anywhere."""
    one, err = law(name), 2.5
    for k in range(600):
        err -= TICK * one.update(k * TICK, err, True)
    assert err == pytest.approx(0.0, abs=1e-3)


@given(st.lists(st.tuples(st.floats(0.0, 2.0), st.floats(-math.pi, math.pi)), max_size=20))
@FAMILY
def test_rate_is_within_its_limit(name: str, ticks: list[tuple[float, float]]) -> None:
    """No sequence of errors asks for more than the limit."""
    one, now = law(name), 0.0
    for elapsed, err in ticks:
        now += elapsed
        assert abs(one.update(now, err, True)) <= 1.0


@given(st.lists(st.tuples(ANY_NUMBER, st.booleans()), max_size=10))
@FAMILY
def test_invariant_5_finite_for_any_error(name: str, errors: list[tuple]) -> None:
    """Invariant 5: errors that are no numbers give a finite rate.

    The memory is a record of floats of one kind, as a compiled engine needs it.
    """
    spin_law = law(name)
    kind = type(spin_law.memory)
    for k, (err, known) in enumerate(errors):
        assert math.isfinite(spin_law.update(k * TICK, err, known))
        assert type(spin_law.memory) is kind
        assert all(type(number) is float for number in spin_law.memory)


def test_w12_a_step_of_the_error_is_filtered() -> None:
    """W12, ours: the same jump changes the rate by no more than max_rate in a tick."""
    rates = flown(law('filtered'), [0.1] * 100 + [0.4] * 100)
    changes = [b - a for a, b in pairwise(rates)]
    assert max(map(abs, changes)) <= 0.5 * TICK + 1e-12
    assert rates[-1] == pytest.approx(0.4, rel=1e-3)


def seesaw() -> list[float]:
    """Return errors that flicker round half a turn."""
    return [math.pi - 0.02 if k % 2 else -math.pi + 0.02 for k in range(400)]


def test_w12_a_direction_once_chosen_is_kept() -> None:
    """W12, ours: the ring goes on turning the way it began."""
    rates = flown(law('filtered'), seesaw())
    assert rates[-10:] in ([1.0] * 10, [-1.0] * 10)


@pytest.mark.as_original
@ORIGINALS
def test_w12_an_adversary_never_expires_as_original(name: str) -> None:
    """W12, as the original: whether it was heard makes no difference."""
    heard, guessed = law(name), law(name)
    assert flown(heard, [0.5] * 20) == flown(guessed, [0.5] * 20, known=False)


@pytest.mark.parametrize('base', [0.0, 0.3])
def test_w12_without_an_adversary_the_rate_decays_to_the_base(base: float) -> None:
    """W12, ours: silence is no direction."""
    spin_law = law('filtered', base=base)
    before = flown(spin_law, [0.9] * 200)
    after = flown(spin_law, [0.9] * 100, known=False, start=200)
    assert before[-1] == pytest.approx(0.9, rel=1e-3)
    assert abs(after[0] - before[-1]) <= 0.5 * TICK + 1e-12
    assert after[-1] == base
    assert flown(law('filtered', base=base), [0.9] * 50, known=False) == [base] * 50


@pytest.mark.as_original
def test_w12_the_base_depends_on_the_version_as_original() -> None:
    """W12, as the originals: v1 knows the base without gains, v3 behind a closed gate."""
    assert law('v1', kp=0.0, kd=0.0, base=0.4).update(0.0, 0.7, True) == 0.4
    assert law('v1', base=0.4).update(0.0, 0.0, True) == 0.0
    assert law('v3', kp=0.0, kd=0.0, base=0.4).update(0.0, 0.7, True) == 0.0
    assert law('v3', base=0.4).update(0.0, 0.0, True) == 0.4
    assert law('v1', kp=0.0, kd=0.0, base=4.0).update(0.0, 0.7, True) == 1.0
    assert law('v3', base=4.0).update(0.0, 0.0, True) == 4.0


@pytest.mark.parametrize(('base', 'expected'), [(0.3, 0.3), (4.0, 1.0), (-4.0, -1.0)])
def test_w12_the_base_counts_wherever_there_is_nothing_to_turn_to(
    base: float, expected: float
) -> None:
    """W12, ours: without gains and behind a closed gate alike, within the limit."""
    assert flown(law('filtered', kp=0.0, kd=0.0, base=base), [0.7] * 50) == [expected] * 50
    assert flown(law('filtered', base=base), [0.0] * 50) == [expected] * 50


def test_ours_without_lag_and_with_a_fast_rate_is_a_plain_pd() -> None:
    """Filter time 0: the law of the first version."""
    spin_law = law('filtered', filter_time=0.0, max_rate=1e6, max_abs=50.0)
    flight = flown(spin_law, [0.3, 0.3, 0.4, 0.45])
    assert flight[1:] == pytest.approx([0.3, 0.4 + 0.2 * 0.1 / TICK, 0.45 + 0.2 * 0.05 / TICK])


def test_ours_follows_a_step_with_the_filters_lag() -> None:
    """Without rate limit and damping, 63 % after one time constant."""
    flight = flown(law('filtered', max_rate=1e6, kd=0.0), [0.2] + [0.6] * 100)
    assert flight[10] == pytest.approx(0.2 + 0.4 * (1.0 - (0.5 / 0.55) ** 10))
    assert flight[-1] == pytest.approx(0.6, rel=1e-3)


@given(st.lists(st.tuples(st.floats(0.0, 1.0), st.floats(-4.0, 4.0), st.booleans()), max_size=30))
def test_ours_changes_no_faster_than_allowed(ticks: list[tuple]) -> None:
    """Whatever the errors and the times between them; time that stands changes nothing."""
    one, now, rates = law('filtered'), 0.0, [(0.0, 0.0)]
    for elapsed, err, known in ticks:
        now += elapsed
        rates.append((now, one.update(now, err, known)))
    for (before, a), (after, b) in pairwise(rates):
        assert abs(b - a) <= 0.5 * (after - before) + 1e-12
    assert one.update(0.0, -0.5) == rates[-1][1], 'time that runs back neither'


@pytest.mark.parametrize('sign', [1.0, -1.0])
def test_ours_takes_the_short_way_across_half_a_turn_unless_the_other_is_clearly_shorter(
    sign: float,
) -> None:
    """An adversary that walks on beyond half a turn is not met the other way round at first."""
    spin_law = law('filtered', kd=0.0)
    beyond = [sign * (3.2 - 2.0 * math.pi)] * 100
    flight = flown(spin_law, [sign * 3.0] * 100 + beyond)
    assert flight[100:] == [pytest.approx(sign)] * 100
    assert flown(spin_law, [sign * (4.0 - 2.0 * math.pi)] * 200, start=200)[-1] == -sign


def test_ours_forgets_an_error_that_is_not_believed() -> None:
    """Unheard, exactly zero or no number: the filter starts anew, the rate goes on."""
    for err, known in ((0.5, False), (0.0, True), (math.nan, True), (math.inf, True)):
        spin_law = law('filtered')
        rate = flown(spin_law, [0.5] * 20)[-1]
        assert spin_law.memory == (rate, 0.5, 19 * TICK)
        omega = spin_law.update(20 * TICK, err, known)
        assert math.isnan(spin_law.memory.filtered)
        assert spin_law.memory[::2] == (omega, 20 * TICK)


@given(st.floats(-3.4, 3.4), st.floats(-3.2, 3.2), st.floats(1e-3, 1.0), st.floats(0.0, 5.0))
def test_the_filter_moves_towards_the_error_and_stays_in_range(
    filtered: float, err: float, elapsed: float, lag: float
) -> None:
    """By a share of the short way; within half a turn and the commitment."""
    moved, rate = low_pass(filtered, err, elapsed, lag)
    assert abs(moved) <= math.pi + COMMITMENT
    assert math.cos(moved - (filtered + rate * elapsed)) == pytest.approx(1.0)
    assert math.cos(err - moved) >= math.cos(err - filtered) - 1e-9
    assert low_pass(math.nan, err, elapsed, lag)[1] == 0.0, 'the first error is taken as it is'
    assert low_pass(filtered, err, 0.0, 0.0) == (filtered, 0.0), 'time that stands moves nothing'


def test_the_seeds_law_makes_no_rate_of_the_unknown() -> None:
    """Before the first error, at an error of exactly 0, and within a microsecond."""
    assert error_rate(SolitonV1SpinMemory(math.nan, math.nan), 1.0, 0.5) == 0.0
    assert error_rate(SolitonV1SpinMemory(0.5, 1.0), 2.0, 0.0) == 0.0
    assert error_rate(SolitonV1SpinMemory(0.4, 1.0), 1.0 + 5e-7, 0.5) == 0.0


def test_the_seeds_law_damps_the_change_of_the_error_by_the_time_that_went_by() -> None:
    """From just below pi to just above -pi is a small step; its table is in test_edge_weights."""
    spin_law = law('v1', max_abs=50.0)
    assert spin_law.update(0.0, 0.3) == pytest.approx(0.3)
    assert spin_law.update(0.5, 0.4) == pytest.approx(0.4 + 0.2 * 0.1 / 0.5)
    spin_law.update(0.6, 3.1)
    assert spin_law.update(1.6, -3.1) == pytest.approx(-3.1 + 0.2 * (2.0 * math.pi - 6.2))


def test_the_successors_memory_counts_turns() -> None:
    """From just below half a turn to just above: the unwrapped error goes on growing."""
    first, still = unwrap(TwoChannelSpinMemory(math.nan, math.nan), 3.1)
    then, change = unwrap(first, -3.1)
    assert (first, still) == (TwoChannelSpinMemory(3.1, 3.1), 0.0)
    assert then == (-3.1, pytest.approx(2.0 * math.pi - 3.1))
    assert change == pytest.approx(2.0 * math.pi - 6.2)


def test_reference_table_of_the_successor(reference: Callable[[str], Any]) -> None:
    """Fifteen sets of gains, forty errors each."""
    for case in reference('soliton_v3.json')['wrapped_angle_pd']['cases']:
        spin_law = law('v3', **{name: case[name] for name in ('kp', 'kd', 'max_abs')},
                  period=case['dt'])  # fmt: skip
        found = [spin_law.update(0.0, s['error']) for s in case['steps']]
        expected = [s['output'] for s in case['steps']]
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_golden_of_spec_part_18() -> None:
    """The successor: six errors, the last ones across half a turn, whenever they come."""
    errors = (0.5, 0.4, 0.35, 3.1, -3.1, -3.0)
    expected = [0.5, -4.440892098500626e-16, 0.1500000000000008, 1.0, -1.0, -1.0]
    for spaced in (0.0, 10.0):
        spin_law = law('v3')
        found = [spin_law.update(spaced * k, err) for k, err in enumerate(errors)]
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_the_successor_starts_anew_at_an_error_of_exactly_zero() -> None:
    """Spec 10.3: the next error has no rate; one that is no number gives 0."""
    spin_law = law('v3', base=0.4)
    spin_law.update(0.0, 0.5)
    spin_law.update(0.0, 0.0)
    assert spin_law.update(0.0, 0.3) == pytest.approx(0.3)
    for bad in (math.nan, math.inf):
        assert law('v3', base=0.4).update(0.0, bad) == 0.0
