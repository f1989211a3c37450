"""The middle and the band of several curves."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.bands import median_and_band

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
