"""Curves of different rates on one time base."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.analysis.compare.time_base import common_times, on_base
from soliton_encirclement_ros.core.errors import RunError


def test_the_base_is_what_all_cover_at_the_longest_step():
    fine, coarse = np.arange(1.0, 9.0, 0.05), np.arange(2.03, 20.0, 0.5)
    base = common_times([fine, coarse])
    assert base[0] == 2.03 and base[-1] <= 8.95 and np.allclose(np.diff(base), 0.5)


def test_equal_times_stay_as_they_are_up_to_the_shortest():
    time = 0.05 * np.arange(1, 100)
    assert np.array_equal(common_times([time, time[:50]]), time[:50])


@pytest.mark.parametrize('times', [[np.arange(3.0), np.arange(5.0, 8.0)], [np.arange(3.0), []]])
def test_without_time_in_common_it_is_said(times):
    with pytest.raises(RunError, match='no time in common once aligned'):
        common_times(list(map(np.asarray, times)))


def test_one_sample_is_a_base_of_one():
    assert common_times([np.array([2.0]), np.array([2.0])]).tolist() == [2.0]


@given(
    st.integers(2, 40), st.floats(0.01, 1.0), st.floats(-5.0, 5.0), st.floats(-2.0, 2.0),
    st.floats(0.001, 1.0),
)  # fmt: skip
def test_a_straight_line_stays_one_at_any_rate(count, step, start, slope, shift):
    time = start + step * np.arange(count)
    base = np.linspace(time[0], time[-1], 17) + 0.0 * shift
    found = on_base(base, time, 3.0 + slope * time)
    assert np.allclose(found, 3.0 + slope * base, atol=1e-9)


def test_samples_come_back_bit_by_bit_on_their_own_times():
    rng = np.random.default_rng(1)
    time = np.cumsum(rng.uniform(0.01, 0.1, 200))
    values = rng.normal(size=200)
    assert np.array_equal(on_base(time, time, values), values)


def test_it_is_unknown_outside_in_gaps_and_beside_what_is_unknown():
    time = np.array([0.0, 0.1, 0.2, 5.0, 5.1, 5.2])
    values = np.array([1.0, 1.0, 1.0, 2.0, np.nan, 2.0])
    found = on_base(np.array([-0.1, 0.05, 0.2, 2.0, 5.0, 5.05, 5.15, 5.2, 5.3]), time, values)
    known = np.array([False, True, True, False, True, False, False, True, False])
    assert np.array_equal(np.isfinite(found), known)


def test_rare_samples_are_no_gap():
    time = 2.0 * np.arange(10)
    assert np.isfinite(on_base(np.linspace(0.0, 18.0, 50), time, time)).all()


def test_steps_keep_their_value_until_the_next_sample():
    time, values = np.array([0.0, 1.0, 2.0]), np.array([4.0, 3.0, 4.0])
    found = on_base(np.array([0.0, 0.9, 1.0, 1.9, 2.0]), time, values, steps=True)
    assert found.tolist() == [4.0, 4.0, 3.0, 3.0, 4.0]


def test_nothing_is_unknown_everywhere():
    assert np.isnan(on_base(np.arange(3.0), np.empty(0), np.empty(0))).all()
