"""The tables of a study."""

from soliton_encirclement_ros.analysis.law_study.study_tables import (
    contrast_table,
    flight_table,
    tuning_table,
)
from soliton_encirclement_ros.core.law_study.study_records import Candidate
from support.sweeping.studies import OUTLINE, made_findings, made_flights


def test_a_row_per_flight():
    flights = made_flights(dict.fromkeys(('ours', 'ours_tuned', 'theirs', 'without'), 1.0), 2)
    table = flight_table(OUTLINE, flights)
    assert table.columns == ['law', 'case', 'setting', 'seed', 'E_wgap', 'min_separation']
    assert len(table.rows) == 2 * 4 * 2
    assert list(table.rows[0]) == table.columns


def test_a_row_per_comparison_with_its_family():
    table = contrast_table(made_findings())
    assert [row['family'] for row in table.rows] == ['law'] * 8 + ['ablation'] * 4
    assert table.rows[0]['chosen'] == 'ours'
    assert {row['verdict'] for row in table.rows} == {'better', 'worse', 'open'}


def test_a_row_per_set_of_gains_with_a_column_per_gain_of_any_law():
    tried = [Candidate('a', {}, 3, 0.5), Candidate('b', {'control.k_s': 2.0}, 1, 0.7)]
    assert tuning_table(tried).rows == [
        {'law': 'a', 'flights': 3, 'cost': 0.5, 'control.k_s': None},
        {'law': 'b', 'flights': 1, 'cost': 0.7, 'control.k_s': 2.0},
    ]
