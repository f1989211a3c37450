"""Rates of channels: the clock, the limit functions, and the limiter, by table C.3 row by row."""

import math

import pytest
from hypothesis import assume, given, strategies as st

from support.strategies import ANY_NUMBER
from velocity_mobility_ros.core.rate_limit import (
    AsymmetricRate, FixedRate, RateLimiter, asymmetric_rate, check_rates, fixed_rate, free_decrease
)
from velocity_mobility_ros.core.step_time import LimiterClock, elapsed
from velocity_mobility_ros.core.user_errors import MobilityError, ParameterError

NOW = 1_700_000_000_000_000_000


@pytest.mark.parametrize(('step_ns', 'dt', 'setbacks'), [
    (10_000_000, 0.01, 0),
    (0, 0.0, 0),
    (-1, 0.0, 1),
    (100_000_001, 0.1, 0),
    (3_600_000_000_000, 0.1, 0),
])  # fmt: skip
def test_same_time_time_back_and_long_gaps(step_ns, dt, setbacks):
    found = elapsed(LimiterClock(NOW, 0), NOW + step_ns, 0.1)
    assert found == (LimiterClock(NOW + step_ns, setbacks), dt)


@given(st.integers(0, 2**62), st.lists(st.integers(1, 10**8), min_size=1, max_size=20))
def test_it_does_not_drift_at_times_of_the_present(start, steps):
    clock, total = LimiterClock(start, 0), 0.0
    for step in steps:
        clock, dt = elapsed(clock, clock.time_ns + step, 0.1)
        assert dt == step / 1e9
        total += dt
    assert total == pytest.approx((clock.time_ns - start) / 1e9, rel=1e-14)


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
    (AsymmetricRate(0.0, 0.0), 0.5),
    (AsymmetricRate(math.inf, math.inf), -3.0),
])  # fmt: skip
def test_a_change_of_sign_is_split_at_zero(rates, expected):
    assert asymmetric_rate(rates, 0.5, -3.0, 1.0) == expected


@given(VALUE, VALUE, RATE)
def test_a_constant_request_is_reached_exactly(previous, wanted, rate):
    assume(abs(wanted - previous) < 900.0 * rate * 0.1)
    value = previous
    for _ in range(1000):
        value = fixed_rate(FixedRate(rate), value, wanted, 0.1)
    assert value == wanted


@pytest.mark.parametrize(('rates', 'line'), [
    (FixedRate(-1.0), 'rate = -1.0 must be at least 0 per second'),
    (AsymmetricRate(1.0, -0.5), 'down = -0.5 must be at least 0 per second'),
    (free_decrease(math.nan), 'up = nan must be at least 0 per second'),
])  # fmt: skip
def test_a_negative_rate_is_refused(rates, line):
    with pytest.raises(ParameterError) as caught:
        check_rates(rates)
    assert str(caught.value) == line


S = 1_000_000_000


def limiter(rate=1.0, start=(0.0,), **options):
    return RateLimiter(fixed_rate, FixedRate(rate), start, 5 * S, **options)


def test_time_that_goes_back_holds_and_is_counted():
    channels = limiter()
    assert channels.update([100.0], 2 * S) == [0.0]
    assert channels.state.clock.setbacks == 1
    assert channels.update([100.0], 2 * S + S // 20) == [0.05]
    assert channels.state.clock.setbacks == 1


@pytest.mark.parametrize('value', [math.nan, math.inf, -math.inf])
def test_a_request_that_is_not_finite_is_rejected_and_counted(value):
    channels = limiter(start=(0.5, 0.5))
    assert channels.update((0.52, value), 5 * S + S // 20) == [0.5, 0.5]
    assert channels.state.rejected == 1
    assert channels.update((0.52, 0.5), 5 * S + S // 10) == [0.52, 0.5]


def test_another_number_of_channels_is_an_error():
    channels = limiter(start=(0.0, 0.0))
    for wrong in ([1.0], [1.0, 1.0, 1.0]):
        with pytest.raises(MobilityError, match=f'{len(wrong)} values for 2 channels'):
            channels.update(wrong, 6 * S)
    assert len(channels.update([1.0, 1.0], 6 * S)) == 2


def test_lists_of_the_caller_are_its_own():
    start, wanted = [0.0], [0.01]
    channels = limiter(start=start)
    start[0] = 9.0
    output = channels.update(wanted, 5 * S + S // 20)
    wanted[0], output[0] = 7.0, 8.0
    assert channels.update([0.01], 5 * S + S // 10) == [0.01]


@pytest.mark.parametrize('options', [
    {'rate': -1.0}, {'rate': math.nan}, {'start': (math.nan,)}, {'max_dt': 0.0},
    {'max_dt': math.nan},
])  # fmt: skip
def test_what_cannot_work_is_refused_at_the_start(options):
    with pytest.raises(ParameterError) as caught:
        limiter(**options)
    assert '\n' not in str(caught.value)


@given(st.lists(st.tuples(ANY_NUMBER, st.integers(-S, S)), max_size=30))
def test_whatever_comes_the_output_is_finite_and_within_the_rate(requests):
    channels, now, last = limiter(2.0), 5 * S, 0.0
    for wanted, step in requests:
        now += step
        (value,) = channels.update([wanted], now)
        assert math.isfinite(value)
        slack = 2.0 * math.ulp(last)
        assert abs(value - last) <= max(0.0, 2.0 * min(step / S, 0.1)) * (1 + 1e-9) + slack
        last = value
