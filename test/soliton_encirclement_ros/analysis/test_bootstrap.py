"""Bootstrap intervals against numbers known otherwise."""

import math
import statistics
from itertools import product

import numpy as np
import pytest
from soliton_encirclement_ros.analysis import bootstrap
from soliton_encirclement_ros.analysis.bootstrap import mean_intervals, median_intervals


def column(*values):
    return np.array(values, dtype=float)[:, None]


def plain(intervals):
    return tuple(float(one[0]) for one in intervals)


def exact_ends(values, middle):
    """Return the 2.5 % and 97.5 % quantiles of an estimate over all resamples there are."""
    found = sorted(middle(drawn) for drawn in product(values, repeat=len(values)))
    return found[round(0.025 * len(found))], found[round(0.975 * len(found)) - 1]


def test_estimates_are_those_of_the_textbook():
    values = [3.0, 1.0, 4.0, 1.5, 9.0, 2.6]
    assert mean_intervals(column(*values)).value[0] == pytest.approx(statistics.mean(values))
    assert median_intervals(column(*values)).value[0] == statistics.median(values)
    assert median_intervals(column(*values[:5])).value[0] == statistics.median(values[:5])


@pytest.mark.parametrize('values', [(1.0, 2.0, 4.0, 8.0, 16.0), (0.3, 0.1, 0.9, 0.4, 0.8, 0.6)])
def test_intervals_are_those_of_all_resamples(values):
    low, high = exact_ends(values, statistics.mean)
    _, ours_low, ours_high = plain(mean_intervals(column(*values)))
    size = max(values) - min(values)
    assert ours_low == pytest.approx(low, abs=0.04 * size)
    assert ours_high == pytest.approx(high, abs=0.04 * size)
    assert plain(median_intervals(column(*values)))[1:] == exact_ends(values, statistics.median)


def test_an_infinite_value_leaves_no_mean_but_a_median():
    values = column(1.0, 2.0, math.inf, 3.0, 1.5)
    assert all(map(math.isnan, plain(mean_intervals(values))))
    assert plain(median_intervals(values)) == (2.0, 1.0, math.inf)
    assert plain(median_intervals(column(math.inf, math.inf))) == (math.inf,) * 3
    assert math.isnan(plain(median_intervals(column(-math.inf, math.inf)))[0])


def test_one_value_has_no_interval():
    for estimate in (mean_intervals, median_intervals):
        value, low, high = plain(estimate(column(4.0)))
        assert value == 4.0 and math.isnan(low) and math.isnan(high)


def test_a_column_does_not_depend_on_its_neighbours():
    values = np.random.default_rng(3).normal(size=(7, 5))
    values[2, 1] = math.inf
    for estimate in (mean_intervals, median_intervals):
        together = np.array(estimate(values))
        alone = np.array([plain(estimate(values[:, i : i + 1])) for i in range(5)]).T
        assert np.array_equal(together, alone, equal_nan=True)


def test_draws_in_parts_are_those_at_once(monkeypatch):
    values = np.random.default_rng(4).normal(size=(50, 2))
    whole = mean_intervals(values)
    bootstrap._few_draws.cache_clear()
    monkeypatch.setattr(bootstrap, 'LARGEST_DRAW', 50 * 100)
    assert np.array_equal(np.array(mean_intervals(values)), np.array(whole))
