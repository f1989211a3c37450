"""The columns of a sweep's tables and what stands in them."""

import math

from soliton_encirclement_ros.analysis.sweep.sweep_figures import columns_of, values_of
from soliton_encirclement_ros.core.run.summary_figures import FIGURES
from support.planned import a_swept_run


def test_columns_are_the_figures_and_then_the_study():
    run = a_swept_run(1, 1, {}, study={'a/M1': 1.0, 'a/M7_settled_frac': 1.0})
    columns = columns_of([run])
    assert len(columns) == len(FIGURES) + 2
    assert all(' ' not in column.name for column in columns)
    by_name = {column.name: column for column in columns}
    assert by_name['settling_time'].unit == 's'
    assert by_name['a/M1'].better(1.0, 2.0)
    assert by_name['a/M7_settled_frac'].better(2.0, 1.0)
    assert by_name['min_separation'].better(2.0, 1.0)
    assert by_name['near_misses_below_0.5_m'].better(1.0, 2.0)


def test_never_is_infinite_and_missing_is_none():
    run = a_swept_run(1, 1, {}, study={'a/M1': math.nan, 'a/M2': 2.0}, settling_time_s=None,
                      unclosed_after_failure=1)  # fmt: skip
    values = values_of(run)
    assert values['settling_time'] == values['time_to_close_after_failure'] == math.inf
    assert values['time_to_close_after_recovery'] is values['a/M1'] is None
    assert (values['E_gap'], values['a/M2']) == (0.2, 2.0)
