"""A law's median beside those of others."""

import pytest
from soliton_encirclement_ros.analysis.law_study.median_ratios import (
    best_laws,
    by_setting,
    medians_of,
    ratio_to_best,
)
from soliton_encirclement_ros.core.law_study.study_records import Condition
from support.sweeping.studies import CALM, LOSS, made_findings

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


def test_conditions_are_grouped_by_setting_in_order():
    other = Condition('calm', 'x')
    assert by_setting([CALM, other, LOSS]) == {'lag 1 s': [CALM, LOSS], 'x': [other]}


def test_medians_of_findings_are_those_of_their_metric():
    medians = medians_of(made_findings(), 'E_wgap')
    assert set(medians) == {CALM, LOSS}
    assert medians[CALM]['theirs'] == pytest.approx(2.0 * medians[CALM]['ours'], rel=0.1)
