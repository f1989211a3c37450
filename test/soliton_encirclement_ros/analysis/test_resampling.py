"""Samples at other times: on straight lines, held, and the band of several curves."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.analysis.plots.comparison_plots import median_and_band
from soliton_encirclement_ros.analysis.resampling import (
    NEVER, interpolated, latest, longest_gap, with_gaps, zero_order_hold
)

TIMES = st.lists(st.integers(0, 20).map(float), max_size=12).map(sorted).map(np.array)


@given(TIMES, TIMES, st.booleans())
def test_the_latest_is_the_last_that_was_taken_by_then(time, at, strictly):
    expected = [
        max([i for i, t in enumerate(time) if t < look or (t == look and not strictly)],
            default=NEVER)
        for look in at
    ]  # fmt: skip
    assert latest(time, at, strictly).tolist() == expected


@given(TIMES, TIMES, st.integers(0, 5).map(float))
def test_a_value_is_held_until_it_is_too_old(time, at, longest):
    held = zero_order_hold(time, time * 10.0, at, longest)
    for look, value in zip(at, held, strict=True):
        taken = [t for t in time if t <= look]
        fresh = taken and look - taken[-1] <= longest
        assert value == taken[-1] * 10.0 if fresh else math.isnan(value)


@pytest.mark.parametrize('shape', [(0,), (0, 3)])
def test_nothing_known_is_nan(shape):
    held = zero_order_hold(np.empty(0), np.empty(shape), np.array([1.0, 2.0]))
    assert held.shape == (2, *shape[1:]) and np.isnan(held).all()


@given(
    st.integers(2, 40), st.floats(0.01, 1.0), st.floats(-5.0, 5.0), st.floats(-2.0, 2.0),
    st.floats(0.001, 1.0),
)  # fmt: skip
def test_a_straight_line_stays_one_at_any_rate(count, step, start, slope, shift):
    time = start + step * np.arange(count)
    base = np.linspace(time[0], time[-1], 17) + 0.0 * shift
    found = interpolated(time, 3.0 + slope * time, base)
    assert np.allclose(found, 3.0 + slope * base, atol=1e-9)


def test_samples_come_back_bit_by_bit_on_their_own_times():
    rng = np.random.default_rng(1)
    time = np.cumsum(rng.uniform(0.01, 0.1, 200))
    values = rng.normal(size=200)
    assert np.array_equal(interpolated(time, values, time), values)


def test_it_is_unknown_outside_in_gaps_and_beside_what_is_unknown():
    time = np.array([0.0, 0.1, 0.2, 5.0, 5.1, 5.2])
    values = np.array([1.0, 1.0, 1.0, 2.0, np.nan, 2.0])
    found = interpolated(time, values, np.array([-0.1, 0.05, 0.2, 2.0, 5.0, 5.05, 5.15, 5.2, 5.3]))
    known = np.array([False, True, True, False, True, False, False, True, False])
    assert np.array_equal(np.isfinite(found), known)


def test_rare_samples_are_no_gap():
    time = 2.0 * np.arange(10)
    assert np.isfinite(interpolated(time, time, np.linspace(0.0, 18.0, 50))).all()


def test_steps_keep_their_value_until_the_next_sample():
    time, values = np.array([0.0, 1.0, 2.0]), np.array([4.0, 3.0, 4.0])
    found = interpolated(time, values, np.array([0.0, 0.9, 1.0, 1.9, 2.0]), steps=True)
    assert found.tolist() == [4.0, 4.0, 3.0, 3.0, 4.0]


def test_between_samples_runs_a_straight_line():
    time, values = np.array([0.0, 1.0, 2.0]), np.array([[0.0, 5.0], [10.0, 5.0], [0.0, 7.0]])
    found = interpolated(time, values, np.array([0.0, 0.25, 1.5, 2.0]))
    assert found == pytest.approx(np.array([[0.0, 5.0], [2.5, 5.0], [5.0, 6.0], [0.0, 7.0]]))


def test_ends_reach_as_far_as_asked_for():
    time = np.concatenate((np.arange(10.0, 11.0, 0.1), np.arange(20.0, 21.0, 0.1)))
    found = interpolated(
        time, time, np.array([5.0, 9.5, 10.5, 15.0, 20.5, 21.5, 30.0]), reach=longest_gap(time)
    )
    known = [False, True, True, False, True, True, False]
    assert np.array_equal(np.isfinite(found), known)
    assert found[1] == time[0] and found[5] == time[-1]


def test_without_a_longest_gap_every_gap_is_bridged():
    found = interpolated(np.array([0.0, 50.0]), np.array([0.0, 5.0]), np.array([10.0]), longest=99)
    assert found == pytest.approx([1.0])


def test_what_was_said_holds_until_the_next_word():
    found = zero_order_hold(
        np.array([1.0, 2.0]), [4, 6], np.array([0.5, 1.0, 1.5, 9.0]), missing=-1
    )
    assert list(found) == [-1, 4, 4, 6]
    assert list(zero_order_hold(np.zeros(0), [], np.arange(2.0), missing=-1)) == [-1, -1]


NAN = np.nan


def test_at_every_time_those_count_that_are_known():
    curves = np.array([[1.0, NAN, 3.0, NAN], [2.0, 5.0, NAN, NAN], [9.0, 7.0, NAN, NAN]])
    middle, low, high = median_and_band(curves, (0.0, 100.0))
    np.testing.assert_array_equal(middle, [2.0, 6.0, 3.0, NAN])
    np.testing.assert_array_equal(low, [1.0, 5.0, 3.0, NAN])
    np.testing.assert_array_equal(high, [9.0, 7.0, 3.0, NAN])


@pytest.mark.parametrize('shape', [(2, 0), (1, 3)])
def test_no_times_and_nothing_known_do_no_harm(shape):
    for line in median_and_band(np.full(shape, NAN), (10.0, 90.0)):
        assert line.shape == shape[1:] and np.isnan(line).all()


def test_where_all_is_known_it_is_median_and_percentiles():
    curves = np.random.default_rng(1).normal(size=(7, 50))
    middle, low, high = median_and_band(curves, (10.0, 90.0))
    np.testing.assert_array_equal(middle, np.median(curves, axis=0))
    np.testing.assert_array_equal([low, high], np.percentile(curves, (10.0, 90.0), axis=0))


def test_a_line_breaks_where_samples_are_missing():
    time = np.array([0.0, 0.1, 0.2, 5.0, 5.1])
    broken_time, broken = with_gaps(time, np.arange(5.0))
    assert np.array_equal(broken, [0.0, 1.0, 2.0, np.nan, 3.0, 4.0], equal_nan=True)
    assert broken_time[3] == pytest.approx(0.3), 'so long a value holds'


def test_rare_samples_are_no_holes():
    time = np.arange(10) * 10.0
    assert len(with_gaps(time, time)[0]) == 10
