"""The rate limiter of channels: table C.3 of the limiters, row by row."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strategies import ANY_NUMBER
from velocity_mobility_ros.core.errors import MobilityError, ParameterError
from velocity_mobility_ros.core.smoothing.limit_functions import (
    FixedRate,
    asymmetric_rate,
    fixed_rate,
    free_decrease,
)
from velocity_mobility_ros.core.smoothing.rate_limit import RateLimiter

S = 1_000_000_000


def limiter(rate=1.0, start=(0.0,), **options):
    return RateLimiter(fixed_rate, FixedRate(rate), start, 5 * S, **options)


def test_channels_are_independent():
    channels = limiter(1.0, (0.0, 0.0))
    assert channels.update((1.0, 0.01), 5 * S + S // 20) == [0.05, 0.01]


def test_another_limit_function_is_an_argument():
    channels = RateLimiter(asymmetric_rate, free_decrease(1.0), (0.5,), 5 * S)
    assert channels.update([0.0], 5 * S + 1) == [0.0]
    assert channels.update([1.0], 5 * S + 1 + S // 20) == [0.05]


def test_the_first_call_is_limited_from_the_start():
    assert limiter(start=(3.0,)).update([10.0], 5 * S + S // 20) == [3.05]


def test_the_same_time_again_holds():
    channels = limiter()
    first = channels.update([1.0], 5 * S + S // 20)
    assert channels.update([1.0], 5 * S + S // 20) == first
    assert channels.update([1.0], 5 * S + S // 10) == [0.1]


def test_time_that_goes_back_holds_and_is_counted():
    channels = limiter()
    assert channels.update([100.0], 2 * S) == [0.0]
    assert channels.state.clock.setbacks == 1
    assert channels.update([100.0], 2 * S + S // 20) == [0.05]
    assert channels.state.clock.setbacks == 1


def test_a_long_gap_counts_as_the_longest_step():
    assert limiter().update([100.0], 3600 * S) == [0.1]
    assert limiter(max_dt=2.0).update([100.0], 3600 * S) == [2.0]


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
