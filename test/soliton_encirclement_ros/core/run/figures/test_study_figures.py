"""The pieces that the original experiment's figures are made of."""

import numpy as np
import pytest
from soliton_encirclement_ros.core.run.figures.study_figures import (
    FIGURE_NAMES,
    moving_average,
    rows_in,
    settled_row,
)


def test_the_names_are_those_of_the_published_table():
    assert FIGURE_NAMES == (
        'M1_P95_e_pooled', 'M2_P95_P95i', 'M3_P95_abs_dedt', 'M4_RMS_osc', 'M5_mean_v2',
        'M6_Pr_sat', 'M7_settle_median', 'M7_settle_P95', 'M7_settled_frac',
    )  # fmt: skip


@pytest.mark.parametrize(('window', 'rows'), [(1.0, 20), (5.0, 100), (0.01, 1), (0.0, 1)])
def test_windows_are_sized_by_the_control_period(window, rows):
    assert rows_in(window, 0.05) == rows


def test_the_moving_average_leans_back_when_it_is_even():
    values = np.array([0.0, 0.0, 6.0, 0.0, 0.0])
    assert moving_average(values, 2).tolist() == [0.0, 0.0, 3.0, 3.0, 0.0]
    assert moving_average(values, 3).tolist() == [0.0, 2.0, 2.0, 2.0, 0.0]
    assert moving_average(values, 1).tolist() == values.tolist()
    assert moving_average(values, 20).tolist() == [1.2] * 5


@pytest.mark.parametrize(
    ('good', 'count', 'row'),
    [('', 1, None), ('1', 1, 0), ('0', 1, None), ('0110111', 3, 4), ('0110110', 3, None),
     ('1110111', 3, 0), ('0011', 2, 2)],
)  # fmt: skip
def test_the_first_run_of_good_rows(good, count, row):
    assert settled_row(np.array([letter == '1' for letter in good], dtype=bool), count) == row
