"""What every spin law owes, and what becomes of W12 under each of them."""

import math
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.actors.spin.spin_law import SpinGains
from soliton_encirclement_ros.actors.spin.spin_laws import SPIN_LAWS
from soliton_encirclement_ros.core.parameters.target_parameters import SPIN_LAW_NAMES
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
@pytest.mark.parametrize('err', [0.5, -0.5])
def test_it_turns_towards_the_adversary(name: str, err: float) -> None:
    """A lasting error gives kp times the error, with its sign."""
    assert flown(law(name), [err] * 100)[-1] == pytest.approx(err, rel=1e-3)


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
    """Invariant 5: errors that are no numbers give a finite rate."""
    one = law(name)
    for k, (err, known) in enumerate(errors):
        assert math.isfinite(one.update(k * TICK, err, known))


@pytest.mark.as_original
@ORIGINALS
def test_w12_a_step_of_the_error_saturates_at_once_as_original(name: str) -> None:
    """W12, as the original: one agent fails, the centre jumps, the rate saturates."""
    assert flown(law(name), [0.1, 0.1, 0.4])[1:] == [pytest.approx(0.1), 1.0]


def test_w12_a_step_of_the_error_is_filtered() -> None:
    """W12, ours: the same jump changes the rate by no more than max_rate in a tick."""
    rates = flown(law('filtered'), [0.1] * 100 + [0.4] * 100)
    changes = [b - a for a, b in pairwise(rates)]
    assert max(map(abs, changes)) <= 0.5 * TICK + 1e-12
    assert rates[-1] == pytest.approx(0.4, rel=1e-3)


def seesaw() -> list[float]:
    """Return errors that flicker round half a turn."""
    return [math.pi - 0.02 if k % 2 else -math.pi + 0.02 for k in range(400)]


@pytest.mark.as_original
@ORIGINALS
def test_w12_the_sign_flips_at_half_a_turn_as_original(name: str) -> None:
    """W12, as the original: opposite to the adversary the rate flips between its limits."""
    assert set(flown(law(name), seesaw())[-10:]) == {-1.0, 1.0}


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
    one = law('filtered', base=base)
    before = flown(one, [0.9] * 200)
    after = flown(one, [0.9] * 100, known=False, start=200)
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


@pytest.mark.parametrize(('base', 'expected'), [(0.3, 0.3), (4.0, 1.0), (-4.0, -1.0)])
def test_w12_the_base_counts_wherever_there_is_nothing_to_turn_to(
    base: float, expected: float
) -> None:
    """W12, ours: without gains and behind a closed gate alike, within the limit."""
    assert flown(law('filtered', kp=0.0, kd=0.0, base=base), [0.7] * 50) == [expected] * 50
    assert flown(law('filtered', base=base), [0.0] * 50) == [expected] * 50


@given(st.lists(st.tuples(ANY_NUMBER, st.booleans()), max_size=10))
@FAMILY
def test_a_memory_is_a_record_of_floats_of_one_kind(name: str, errors: list[tuple]) -> None:
    """As a compiled engine needs it; the memory at rest included."""
    one = law(name)
    kind = type(one.memory)
    for k, (err, known) in enumerate(errors):
        one.update(k * TICK, err, known)
        assert type(one.memory) is kind
        assert all(type(number) is float for number in one.memory)


@FAMILY
def test_a_step_leaves_its_memory_as_it_was(name: str) -> None:
    """The same memory and error give the same answer again."""
    one = law(name)
    flown(one, [0.3, 0.4])
    found = [one.law.step(one.memory, 0.2, 0.5, True, one.gains) for _ in range(2)]
    assert found[0] == found[1]
