"""Statistics of samples, with values that never come and with no values at all."""

import math

import numpy as np
import pytest
from soliton_encirclement_ros.core.run.sample_statistics import (
    Spread,
    Wins,
    difference,
    is_better,
    mean,
    median,
    percentile,
    root_mean_square,
    spread,
    wins,
)


def test_of_no_values_there_is_nothing():
    assert median([]) is None and spread([]) is None
    nothing = np.empty(0)
    for value in (mean(nothing), percentile(nothing, 95.0), root_mean_square(nothing)):
        assert math.isnan(value)


def test_what_never_happened_counts_as_the_largest():
    assert median([math.inf, 1.0, 2.0]) == 2.0
    assert spread([math.inf, 1.0]) == Spread(math.inf, 1.0, math.inf, 2)


def test_percentiles_interpolate():
    assert percentile(np.array([0.0, 10.0]), 95.0) == pytest.approx(9.5)


def test_the_root_mean_square_is_over_all_entries():
    assert root_mean_square(np.array([[3.0, -3.0], [3.0, 3.0]])) == 3.0
    assert math.isnan(root_mean_square(np.array([1.0, math.nan])))


def test_pairs_are_counted_both_ways():
    pairs = [(1.0, 2.0), (2.0, 1.0), (1.0, math.inf), (math.inf, math.inf)]
    assert wins(pairs, lambda a, b: is_better(a, b, False)) == Wins(2, 1, 1)
    assert wins(pairs, lambda a, b: is_better(a, b, True)) == Wins(1, 1, 2)
    assert wins([], lambda a, b: is_better(a, b, True)) == Wins(0, 0, 0)


def test_never_against_never_is_no_difference():
    assert difference(math.inf, math.inf) == 0.0
    assert difference(1.0, math.inf) == -math.inf
    assert difference(3.0, 1.0) == 2.0
