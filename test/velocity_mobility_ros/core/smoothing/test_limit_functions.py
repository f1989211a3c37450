"""Limit functions of one number: rates are kept, allowed values come through exactly."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.smoothing.limit_functions import (
    AsymmetricRate,
    FixedRate,
    asymmetric_rate,
    check_rates,
    fixed_rate,
    free_decrease,
)

VALUE = st.floats(-50.0, 50.0)
RATE = st.floats(0.1, 100.0)
DT = st.floats(1e-3, 1.0)


@given(VALUE, VALUE, RATE, DT)
def test_a_fixed_rate_is_kept(previous, wanted, rate, dt):
    value = fixed_rate(FixedRate(rate), previous, wanted, dt)
    assert abs(value - previous) <= rate * dt * (1 + 1e-9)
    assert min(previous, wanted) <= value <= max(previous, wanted)


@given(VALUE, VALUE, RATE, RATE, DT)
def test_asymmetric_rates_are_kept_away_from_zero_and_towards_it(previous, wanted, up, down, dt):
    value = asymmetric_rate(AsymmetricRate(up, down), previous, wanted, dt)
    assert min(previous, wanted) <= value <= max(previous, wanted)
    if value * previous < 0.0:
        assert abs(previous) / down + abs(value) / up <= dt * (1 + 1e-9)
    elif abs(value) > abs(previous):
        assert abs(value - previous) <= up * dt * (1 + 1e-9)
    else:
        assert abs(value - previous) <= down * dt * (1 + 1e-9)


@given(VALUE, VALUE, RATE, DT)
def test_equal_rates_are_a_fixed_rate(previous, wanted, rate, dt):
    value = asymmetric_rate(AsymmetricRate(rate, rate), previous, wanted, dt)
    assert value == pytest.approx(fixed_rate(FixedRate(rate), previous, wanted, dt), abs=1e-12)


@given(VALUE, VALUE, RATE, DT)
def test_a_free_decrease_is_at_once_and_an_increase_is_not(previous, wanted, up, dt):
    value = asymmetric_rate(free_decrease(up), previous, wanted, dt)
    if previous * wanted < 0.0:
        assert abs(value) == pytest.approx(min(abs(wanted), up * dt), rel=1e-12)
    elif abs(wanted) <= abs(previous):
        assert value == wanted


@pytest.mark.parametrize(('rates', 'expected'), [
    (AsymmetricRate(1.0, 0.0), 0.5),
    (AsymmetricRate(0.0, 10.0), 0.0),
    (AsymmetricRate(2.0, 1.0), -1.0),
    (AsymmetricRate(2.0, 0.5), 0.0),
    (AsymmetricRate(math.inf, math.inf), -3.0),
])  # fmt: skip
def test_a_change_of_sign_is_split_at_zero(rates, expected):
    assert asymmetric_rate(rates, 0.5, -3.0, 1.0) == expected


@pytest.mark.parametrize('limit', [
    lambda *rest: fixed_rate(FixedRate(0.0), *rest),
    lambda *rest: asymmetric_rate(AsymmetricRate(0.0, 0.0), *rest),
])  # fmt: skip
def test_a_rate_of_zero_freezes(limit):
    assert limit(0.3, 1.0, 0.1) == 0.3
    assert limit(0.3, -1.0, 0.1) == 0.3
    assert limit(0.3, 0.3, 0.1) == 0.3


@given(VALUE, VALUE, RATE)
def test_a_constant_request_is_reached_exactly(previous, wanted, rate):
    assume(abs(wanted - previous) < 900.0 * rate * 0.1)
    value = previous
    for _ in range(1000):
        value = fixed_rate(FixedRate(rate), value, wanted, 0.1)
    assert value == wanted


@given(st.floats(-1e308, 1e308), st.floats(-7e307, 7e307), st.floats(0.0, 1e308), DT)
def test_the_largest_numbers_give_numbers(previous, wanted, rate, dt):
    assume(math.isfinite(wanted - previous))
    assert math.isfinite(fixed_rate(FixedRate(rate), previous, wanted, dt))


@pytest.mark.parametrize(('rates', 'line'), [
    (FixedRate(-1.0), 'rate = -1.0 must be at least 0 per second'),
    (AsymmetricRate(1.0, -0.5), 'down = -0.5 must be at least 0 per second'),
    (free_decrease(math.nan), 'up = nan must be at least 0 per second'),
])  # fmt: skip
def test_a_negative_rate_is_refused(rates, line):
    with pytest.raises(ParameterError) as caught:
        check_rates(rates)
    assert str(caught.value) == line


def test_no_limit_is_a_rate():
    check_rates(free_decrease(1.0))
