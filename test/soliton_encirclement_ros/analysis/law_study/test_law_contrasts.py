"""The chosen law against others: paired ranks, direction, correction, ratios of medians."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import wilcoxon
from soliton_encirclement_ros.analysis.law_study.law_contrasts import (
    contrasts,
    holm,
    known_values,
    rank_biserial,
    signed_rank_p,
    smallest_p,
)
from soliton_encirclement_ros.analysis.law_study.study_findings import best_laws, ratio_to_best
from soliton_encirclement_ros.core.run.experiment_records import StudyFlight
from support.sweeping.studies import CALM, LOSS, OUTLINE, made_flights

EVEN = {'ours': 1.0, 'ours_tuned': 1.0, 'theirs': 2.0, 'without': 1.0}


def rows_of(flights, others=('ours_tuned', 'theirs')):
    return contrasts(OUTLINE, known_values(flights), others)


def flights_of(pairs, metric='E_wgap'):
    """Return flights of one condition with these values of the chosen law and another."""
    return [
        StudyFlight(law, CALM, seed, {metric: value})
        for seed, pair in enumerate(pairs)
        for law, value in zip(('ours', 'theirs'), pair, strict=True)
    ]


def test_half_the_error_is_better_and_half_the_separation_worse():
    rows = {(row.metric, row.case, row.other): row for row in rows_of(made_flights(EVEN))}
    assert len(rows) == 2 * 2 * 2
    gap, apart = rows['E_wgap', 'calm', 'theirs'], rows['min_separation', 'calm', 'theirs']
    assert (gap.pairs, gap.better, gap.worse) == (12, 12, 0)
    assert (gap.verdict, gap.effect) == ('better', 1.0)
    assert (apart.better, apart.worse, apart.verdict, apart.effect) == (0, 12, 'worse', -1.0)
    assert gap.ratio == pytest.approx(0.5, rel=0.1) and gap.ratio_low < gap.ratio < gap.ratio_high
    assert gap.difference < 0.0 and gap.difference_high < 0.0
    assert rows['E_wgap', 'calm', 'ours_tuned'].verdict == 'open'


def test_all_comparisons_of_a_metric_are_corrected_together():
    rows = [row for row in rows_of(made_flights(EVEN)) if row.metric == 'E_wgap']
    assert [row.p_holm for row in rows] == holm([row.p for row in rows])
    smallest = min(row.p for row in rows)
    assert smallest == 2.0**-11
    assert min(row.p_holm for row in rows) == pytest.approx(4 * smallest)


def test_what_the_correction_takes_away_is_no_difference():
    for row in rows_of(made_flights(EVEN, 6)):
        if row.other == 'theirs':
            assert row.p < 0.05 < row.p_holm and row.verdict == 'open'


def test_pairs_that_lack_a_value_are_left_out():
    pairs = [(0.1, 0.2), (None, 0.2), (0.1, None), (0.3, 0.1)]
    row, unknown = rows_of(flights_of(pairs), ['theirs'])[:2]
    assert (row.pairs, row.better, row.worse) == (2, 1, 1)
    assert (unknown.case, unknown.pairs) == (LOSS.case, 0)
    assert (unknown.p, unknown.p_holm, unknown.ratio, unknown.effect) == (None,) * 4
    assert unknown.verdict == 'open'


def test_a_ratio_needs_values_above_zero_that_are_finite():
    row = rows_of(flights_of([(0.0, 0.2), (0.1, 0.2), (math.inf, 0.2)]), ['theirs'])[0]
    assert row.ratio == 0.5
    assert (row.better, row.worse) == (2, 1)
    assert row.difference == pytest.approx(-0.1)


def test_equal_flights_differ_in_nothing():
    row = rows_of(flights_of([(0.1, 0.1), (0.3, 0.3)]), ['theirs'])[0]
    assert (row.p, row.effect, row.ratio, row.difference) == (1.0, 0.0, 1.0, 0.0)


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


def test_with_equal_sizes_p_is_that_of_the_normal_approximation():
    values = [1.0, 1.0, -1.0, 2.0, 3.0]
    expected = wilcoxon(values, method='approx', correction=True).pvalue
    assert signed_rank_p(values) == pytest.approx(expected)


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


MEDIANS = {'a': 0.1, 'b': 0.2, 'c': 0.4, 'd': None, 'e': 0.0}


def test_below_one_is_better_whichever_way_the_metric_goes():
    assert ratio_to_best('E_r', MEDIANS, 'a', ['b', 'c']) == pytest.approx(0.5)
    assert ratio_to_best('E_r', MEDIANS, 'c', ['a', 'b']) == pytest.approx(4.0)
    assert ratio_to_best('min_separation', MEDIANS, 'c', ['a', 'b']) == pytest.approx(0.5)
    assert ratio_to_best('min_separation', MEDIANS, 'a', ['c', 'd']) == pytest.approx(4.0)


def test_no_ratio_without_a_value_or_over_nothing():
    assert ratio_to_best('E_r', MEDIANS, 'd', ['a']) is None
    assert ratio_to_best('E_r', MEDIANS, 'a', ['d']) is None
    assert ratio_to_best('E_r', MEDIANS, 'a', []) is None
    assert ratio_to_best('E_r', MEDIANS, 'a', ['e']) is None
    assert ratio_to_best('E_r', MEDIANS, 'e', ['a']) == 0.0


def test_the_best_laws_share_the_best_median():
    assert best_laws('E_r', {'a': 0.1, 'b': 0.1, 'c': 0.2}, ['a', 'b', 'c']) == ['a', 'b']
    assert best_laws('min_separation', MEDIANS, ['a', 'c', 'd']) == ['c']
    assert best_laws('E_r', MEDIANS, ['d']) == []
