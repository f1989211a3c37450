"""Intervals against numbers known otherwise; laws seed by seed: ranks, direction, correction."""

import itertools
import math
import statistics
from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import wilcoxon

from soliton_encirclement_ros.experiments import paired_statistics
from soliton_encirclement_ros.experiments.paired_statistics import (
    Spread, compare_pairs, estimate, holm, signed_ranks, spread, verdict
)


def mean_of(*values):
    (row,) = estimate([values])
    return row['mean'], row['mean_low'], row['mean_high']


def median_of(*values):
    (row,) = estimate([values])
    return row['median'], row['median_low'], row['median_high']


def exact_ends(values, middle):
    """Return the 2.5 % and 97.5 % quantiles of an estimate over all resamples there are."""
    found = sorted(middle(drawn) for drawn in product(values, repeat=len(values)))
    return found[round(0.025 * len(found))], found[round(0.975 * len(found)) - 1]


def test_estimates_are_those_of_the_textbook():
    values = [3.0, 1.0, 4.0, 1.5, 9.0, 2.6]
    assert mean_of(*values)[0] == pytest.approx(statistics.mean(values))
    assert median_of(*values)[0] == statistics.median(values)
    assert median_of(*values[:5])[0] == statistics.median(values[:5])


@pytest.mark.parametrize('values', [(1.0, 2.0, 4.0, 8.0, 16.0), (0.3, 0.1, 0.9, 0.4, 0.8, 0.6)])
def test_intervals_are_those_of_all_resamples(values):
    low, high = exact_ends(values, statistics.mean)
    _, ours_low, ours_high = mean_of(*values)
    size = max(values) - min(values)
    assert ours_low == pytest.approx(low, abs=0.04 * size)
    assert ours_high == pytest.approx(high, abs=0.04 * size)
    assert median_of(*values)[1:] == exact_ends(values, statistics.median)


def test_an_infinite_value_leaves_no_mean_but_a_median():
    values = (1.0, 2.0, math.inf, 3.0, 1.5)
    assert mean_of(*values) == (None, None, None)
    assert median_of(*values) == (2.0, 1.0, math.inf)
    assert median_of(math.inf, math.inf) == (math.inf,) * 3
    assert median_of(-math.inf, math.inf)[0] is None
    assert estimate([values])[0]['never'] == 1


def test_a_spread_is_the_median_and_the_range():
    assert spread([math.inf, 1.0]) == Spread(math.inf, 1.0, math.inf, 2)
    assert spread([]) is None


def test_one_value_has_no_interval_and_none_has_nothing():
    assert mean_of(4.0) == median_of(4.0) == (4.0, None, None)
    assert median_of() == (None, None, None) and estimate([()])[0]['count'] == 0


def test_a_column_does_not_depend_on_its_neighbours():
    lists = np.random.default_rng(3).normal(size=(5, 7)).tolist()
    lists[1][2] = math.inf
    assert estimate(lists) == [row for one in lists for row in estimate([one])]


def test_draws_in_parts_are_those_at_once(monkeypatch):
    lists = np.random.default_rng(4).normal(size=(2, 50)).tolist()
    whole = estimate(lists)
    paired_statistics._few_draws.cache_clear()
    monkeypatch.setattr(paired_statistics, 'LARGEST_DRAW', 50 * 100)
    assert estimate(lists) == whole


def test_half_the_error_is_better_and_half_the_separation_worse():
    pairs = [(0.1 * k, 0.2 * k) for k in range(1, 13)]
    gap, apart = compare_pairs([pairs, pairs], [False, True])
    assert (gap['count'], gap['better'], gap['worse'], gap['effect']) == (12, 12, 0, 1.0)
    assert (apart['better'], apart['worse'], apart['effect']) == (0, 12, -1.0)
    assert gap['ratio'] == gap['ratio_low'] == gap['ratio_high'] == 0.5
    assert gap['median'] == pytest.approx(-0.65) and gap['median_high'] < 0.0
    assert gap['p'] == 2.0**-11


def test_a_ratio_needs_values_above_zero_that_are_finite():
    (row,) = compare_pairs([[(0.0, 0.2), (0.1, 0.2), (math.inf, 0.2)]], [False])
    assert (row['ratio'], row['better'], row['worse'], row['never']) == (0.5, 2, 1, 1)
    assert row['median'] == pytest.approx(-0.1) and row['mean'] is None


def test_equal_flights_differ_in_nothing_and_no_pair_says_nothing():
    never = (math.inf, math.inf)
    equal, nothing = compare_pairs([[(0.1, 0.1), never], []], [False, False])
    assert (equal['p'], equal['effect'], equal['ratio'], equal['mean']) == (1.0, 0.0, 1.0, 0.0)
    assert nothing['p'] is nothing['effect'] is nothing['ratio'] is None


DISTINCT = st.lists(st.integers(1, 1000), min_size=1, max_size=9, unique=True)
VALUES = st.lists(st.integers(-4, 4).map(float), min_size=1, max_size=9)


def ranks_of(sizes):
    """Return ranks, equal sizes sharing the mean of theirs."""
    return [(sum(s < size for s in sizes) + sum(s <= size for s in sizes) + 1) / 2
            for size in sizes]  # fmt: skip


def p_of(*values):
    return signed_ranks(np.array(values, dtype=float))[0]


@given(DISTINCT, st.data())
def test_p_is_the_share_of_all_signs_that_are_at_least_as_one_sided(sizes, data):
    signs = data.draw(st.lists(st.sampled_from((-1, 1)), min_size=len(sizes), max_size=len(sizes)))
    ranks = ranks_of(sizes)

    def unevenness(chosen):
        return abs(sum(sign * rank for sign, rank in zip(chosen, ranks, strict=True)))

    every = [unevenness(one) for one in itertools.product((-1, 1), repeat=len(sizes))]
    share = sum(one >= unevenness(signs) for one in every) / len(every)
    assert p_of(*np.multiply(signs, sizes)) == pytest.approx(share)


def test_the_example_of_a_textbook():
    # Siegel, Nonparametric Statistics, 1956: eight pairs of twins, T = 4, two-sided p below 0.05
    differences = np.array([19.0, 27.0, -1.0, 6.0, 7.0, 13.0, -4.0, 3.0])
    assert signed_ranks(differences) == pytest.approx((0.0546875, (32.0 - 4.0) / 36.0))


def test_equal_pairs_say_nothing():
    assert p_of() is None
    assert p_of(0.0, 0.0) == 1.0
    assert p_of(0.0, 1.0, 2.0, 3.0) == p_of(1.0, 2.0, 3.0)


def test_with_equal_sizes_p_is_that_of_the_normal_approximation():
    values = [1.0, 1.0, -1.0, 2.0, 3.0]
    expected = wilcoxon(values, method='approx', correction=True).pvalue
    assert p_of(*values) == pytest.approx(expected)


def test_what_never_happened_counts_as_largest():
    assert p_of(math.inf, 1.0, 2.0, -0.5) == p_of(9.0, 1.0, 2.0, -0.5)
    assert signed_ranks(np.array([math.inf, -1.0]))[1] == pytest.approx(1.0 / 3.0)


@given(VALUES)
def test_the_correlation_is_the_difference_of_the_rank_sums(values):
    unequal = [value for value in values if value]
    ranks = ranks_of([abs(value) for value in unequal])
    signed = sum(math.copysign(rank, value) for rank, value in zip(ranks, unequal, strict=True))
    expected = signed / sum(ranks) if ranks else 0.0
    assert signed_ranks(np.array(values))[1] == pytest.approx(expected)


def test_holm_multiplies_by_the_number_left_and_never_falls():
    found = holm(np.array([0.01, 0.04, 0.03, 0.005]))
    assert found.tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    unknown = holm(np.array([0.5, math.nan, 0.6])).tolist()
    assert unknown == pytest.approx([1.0, math.nan, 1.0], nan_ok=True)
    assert not holm(np.array([])).size


def test_a_verdict_needs_significance_and_the_effect_says_which():
    found = [verdict(p, effect) for p, effect in ((0.01, 1.0), (0.01, -0.2), (0.06, 1.0))]
    assert found == ['better', 'worse', 'open']
    assert verdict(math.nan, math.nan) == 'open'
