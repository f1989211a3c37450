"""Statistics of samples with values that never come or are none."""

import math

import numpy as np

from soliton_encirclement_ros.core.flight_statistics.sample_statistics import (
    mean, median, percentile, root_mean_square
)


def test_of_no_values_there_is_nothing():
    assert median([]) is None
    nothing = np.empty(0)
    for value in (mean(nothing), percentile(nothing, 95.0), root_mean_square(nothing)):
        assert math.isnan(value)


def test_what_never_happened_counts_as_the_largest():
    assert median([math.inf, 1.0, 2.0]) == 2.0
