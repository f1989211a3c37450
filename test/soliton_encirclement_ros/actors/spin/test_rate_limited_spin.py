"""Our spin law; W12 is held in test_spin_laws.py."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.actors.spin.rate_limited_spin import (
    COMMITMENT,
    RATE_LIMITED_SPIN,
    low_pass,
)
from soliton_encirclement_ros.actors.spin.spin_law import SpinGains
from support.spinning import Spinning

TICK = 0.05


def law(
    filter_time: float = 0.5, max_rate: float = 0.5, kd: float = 0.2, max_abs: float = 1.0
) -> Spinning:
    """Return a fresh law."""
    gains = SpinGains(1.0, kd, max_abs, 0.05, 0.0, TICK, filter_time, max_rate)
    return Spinning(RATE_LIMITED_SPIN, gains)


def flown(one: Spinning, errors: list[float]) -> list[float]:
    """Return the rates for errors at successive ticks."""
    return [one.update(k * TICK, err) for k, err in enumerate(errors)]


def test_without_lag_and_with_a_fast_rate_it_is_a_plain_pd() -> None:
    """Filter time 0: the law of the first version."""
    found = flown(law(0.0, 1e6, max_abs=50.0), [0.3, 0.3, 0.4, 0.45])
    assert found[1:] == pytest.approx([0.3, 0.4 + 0.2 * 0.1 / TICK, 0.45 + 0.2 * 0.05 / TICK])


def test_a_step_is_followed_with_the_filters_lag() -> None:
    """Without rate limit and damping, 63 % after one time constant."""
    found = flown(law(0.5, 1e6, kd=0.0), [0.2] + [0.6] * 100)
    assert found[10] == pytest.approx(0.2 + 0.4 * (1.0 - (0.5 / 0.55) ** 10))
    assert found[-1] == pytest.approx(0.6, rel=1e-3)


@given(st.lists(st.tuples(st.floats(0.0, 1.0), st.floats(-4.0, 4.0), st.booleans()), max_size=30))
def test_the_rate_changes_no_faster_than_allowed(ticks: list[tuple]) -> None:
    """Whatever the errors and the times between them."""
    one, now, rates = law(), 0.0, [(0.0, 0.0)]
    for elapsed, err, known in ticks:
        now += elapsed
        rates.append((now, one.update(now, err, known)))
    for (before, a), (after, b) in pairwise(rates):
        assert abs(b - a) <= 0.5 * (after - before) + 1e-12


def test_noise_is_damped() -> None:
    """An error that flickers by 0.2 rad moves the rate by less than 0.04 rad/s, not by 2."""
    found = flown(law(), [0.3 + (0.1 if k % 2 else -0.1) for k in range(400)])[200:]
    assert max(found) - min(found) < 0.04


@pytest.mark.parametrize('sign', [1.0, -1.0])
def test_it_takes_the_short_way_across_half_a_turn(sign: float) -> None:
    """An adversary that walks on beyond half a turn is not met the other way round."""
    found = flown(law(kd=0.0), [sign * 3.0] * 100 + [sign * (3.2 - 2.0 * math.pi)] * 100)
    assert found[100:] == [pytest.approx(sign)] * 100


def test_far_beyond_half_a_turn_it_turns_back() -> None:
    """The way that was chosen is given up where the other one is clearly shorter."""
    found = flown(law(kd=0.0), [3.0] * 100 + [4.0 - 2.0 * math.pi] * 200)
    assert found[-1] == -1.0


def test_time_that_stands_or_runs_back_changes_nothing() -> None:
    """Two updates at one time, or one before the last, give the same rate."""
    one = law()
    flown(one, [0.5] * 20)
    rate = one.update(19 * TICK, 0.5)
    assert one.update(19 * TICK, -0.5) == one.update(0.0, -0.5) == rate


def test_the_memory_forgets_an_error_that_is_not_believed() -> None:
    """Unheard, exactly zero or no number: the filter starts anew, the rate goes on."""
    for err, known in ((0.5, False), (0.0, True), (math.nan, True), (math.inf, True)):
        one = law()
        rate = flown(one, [0.5] * 20)[-1]
        assert one.memory == (rate, 0.5, 19 * TICK)
        omega = one.update(20 * TICK, err, known)
        assert math.isnan(one.memory.filtered)
        assert one.memory[::2] == (omega, 20 * TICK)


@given(st.floats(-3.4, 3.4), st.floats(-3.2, 3.2), st.floats(1e-3, 1.0), st.floats(0.0, 5.0))
def test_the_filter_moves_towards_the_error_and_stays_in_range(
    filtered: float, err: float, elapsed: float, lag: float
) -> None:
    """By a share of the short way; within half a turn and the commitment."""
    moved, rate = low_pass(filtered, err, elapsed, lag)
    assert abs(moved) <= math.pi + COMMITMENT
    assert math.cos(moved - (filtered + rate * elapsed)) == pytest.approx(1.0)
    assert math.cos(err - moved) >= math.cos(err - filtered) - 1e-9


def test_the_filter_takes_the_first_error_as_it_is() -> None:
    """Within a turn, without a rate; and time that stands moves nothing."""
    assert low_pass(math.nan, 0.5 + 2.0 * math.pi, 0.05, 0.5) == (pytest.approx(0.5), 0.0)
    assert low_pass(0.2, 0.5, 0.0, 0.0) == (0.2, 0.0)
