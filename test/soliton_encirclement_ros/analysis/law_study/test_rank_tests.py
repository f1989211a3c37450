"""Paired rank statistics against enumeration by hand, and against examples of the literature."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.analysis.law_study.rank_tests import (
    holm,
    rank_biserial,
    signed_rank_p,
    smallest_p,
)

DISTINCT = st.lists(st.integers(1, 1000), min_size=1, max_size=9, unique=True)
VALUES = st.lists(st.integers(-4, 4).map(float), min_size=1, max_size=9)


def ranks_of(sizes):
    """Return ranks, equal sizes sharing the mean of theirs."""
    return [(sum(s < size for s in sizes) + sum(s <= size for s in sizes) + 1) / 2
            for size in sizes]  # fmt: skip


@given(DISTINCT, st.data())
def test_p_is_the_share_of_all_signs_that_are_at_least_as_one_sided(sizes, data):
    signs = data.draw(st.lists(st.sampled_from((-1, 1)), min_size=len(sizes), max_size=len(sizes)))
    ranks = ranks_of(sizes)

    def unevenness(chosen):
        return abs(sum(sign * rank for sign, rank in zip(chosen, ranks, strict=True)))

    every = [unevenness(one) for one in itertools.product((-1, 1), repeat=len(sizes))]
    share = sum(one >= unevenness(signs) for one in every) / len(every)
    values = [float(sign * size) for sign, size in zip(signs, sizes, strict=True)]
    assert signed_rank_p(values) == pytest.approx(share)


def test_the_example_of_a_textbook():
    # Siegel, Nonparametric Statistics, 1956: eight pairs of twins, T = 4, two-sided p below 0.05
    differences = [19.0, 27.0, -1.0, 6.0, 7.0, 13.0, -4.0, 3.0]
    assert signed_rank_p(differences) == pytest.approx(0.0546875)
    assert rank_biserial(differences).value[0] == pytest.approx((32.0 - 4.0) / 36.0)


def test_all_of_one_sign_have_the_smallest_p():
    values = [float(k) for k in range(1, 21)]
    assert signed_rank_p(values) == smallest_p(20) == 2.0**-19


def test_equal_pairs_say_nothing():
    assert signed_rank_p([]) is None
    assert signed_rank_p([0.0, 0.0]) == 1.0
    assert signed_rank_p([0.0, 1.0, 2.0, 3.0]) == signed_rank_p([1.0, 2.0, 3.0])


def test_what_never_happened_counts_as_largest():
    assert signed_rank_p([math.inf, 1.0, 2.0, -0.5]) == signed_rank_p([9.0, 1.0, 2.0, -0.5])
    assert rank_biserial([math.inf, -1.0]).value[0] == pytest.approx(1.0 / 3.0)


@given(VALUES)
def test_the_correlation_is_the_difference_of_the_rank_sums(values):
    unequal = [value for value in values if value]
    ranks = ranks_of([abs(value) for value in unequal])
    signed = sum(math.copysign(rank, value) for rank, value in zip(ranks, unequal, strict=True))
    expected = signed / sum(ranks) if ranks else 0.0
    assert rank_biserial(values).value[0] == pytest.approx(expected)


def test_its_interval_is_that_of_resampled_pairs():
    stream = np.random.default_rng(3)
    values = stream.normal(0.4, 1.0, 15)
    found = rank_biserial(list(values))
    drawn = [
        rank_biserial([float(one)] if np.isscalar(one) else list(one)).value[0]
        for one in stream.choice(values, (400, 15))
    ]
    assert found.low[0] == pytest.approx(np.percentile(drawn, 2.5), abs=0.1)
    assert found.high[0] == pytest.approx(np.percentile(drawn, 97.5), abs=0.1)
    assert np.isnan(rank_biserial([1.0]).low[0])


def test_holm_multiplies_by_the_number_left_and_never_falls():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, None, 0.6]) == [1.0, None, 1.0]
    assert holm([]) == []
