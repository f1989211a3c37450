"""The chosen law against others: pairs, directions, correction."""

import math

import pytest
from soliton_encirclement_ros.analysis.law_study.law_contrasts import contrasts, known_values
from soliton_encirclement_ros.analysis.law_study.rank_tests import holm
from soliton_encirclement_ros.core.law_study.study_records import StudyFlight
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
