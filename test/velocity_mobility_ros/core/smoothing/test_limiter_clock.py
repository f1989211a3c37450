"""The time that a limiter may use: table C.3 of the limiters, rows of the clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from velocity_mobility_ros.core.smoothing.limiter_clock import LimiterClock, elapsed

NOW = 1_700_000_000_000_000_000


@pytest.mark.parametrize(('step_ns', 'dt', 'setbacks'), [
    (10_000_000, 0.01, 0),
    (0, 0.0, 0),
    (-1, 0.0, 1),
    (-5_000_000_000, 0.0, 1),
    (100_000_000, 0.1, 0),
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
