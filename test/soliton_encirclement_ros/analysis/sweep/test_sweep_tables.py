"""The three tables of a sweep against numbers worked out by hand."""

import math

import pytest
from soliton_encirclement_ros.analysis.sweep.sweep_tables import (
    estimate,
    measure,
    paired_table,
    run_table,
    statistics_table,
)
from support.planned import a_swept_run

LAW = 'control.controller'
LAWS = ('soliton', 'two_channel')
GAINS = dict(enumerate(((law, gain) for law in LAWS for gain in (0.1, 0.2)), 1))


def swept(e_gap):
    """Return runs of four points with seeds 1 to 3; ``e_gap`` gets point and seed."""
    return measure([
        a_swept_run(number, seed, {'control.k_tau': gain, LAW: law}, e_gap=e_gap(number, seed))
        for number, (law, gain) in GAINS.items()
        for seed in (1, 2, 3)
    ])  # fmt: skip


def rows_of(table, **cells):
    return [row for row in table.rows if all(row[key] == value for key, value in cells.items())]


def test_one_row_per_run_in_order():
    table = run_table(swept(lambda number, seed: number + 0.1 * seed))
    assert table.columns[:6] == [
        'point', 'controller', 'control.k_tau', 'seed', 'encircled', 'E_gap',
    ]  # fmt: skip
    assert [(row['point'], row['seed']) for row in table.rows] == [
        (point, seed) for point in (1, 2, 3, 4) for seed in (1, 2, 3)
    ]
    assert table.rows[4]['E_gap'] == 2.2 and table.rows[4]['encircled'] is True


def test_statistics_of_a_point():
    table = statistics_table(swept(lambda number, seed: number * 10.0 ** (seed - 1)))
    (row,) = rows_of(table, point=2, figure='E_gap')
    assert (row['count'], row['never'], row['mean'], row['median']) == (3, 0, 74.0, 20.0)
    assert row['median_low'] == 2.0 and row['median_high'] == 200.0
    assert 2.0 <= row['mean_low'] < 74.0 < row['mean_high'] <= 200.0
    assert (row['controller'], row['control.k_tau']) == ('soliton', 0.2)


def test_a_figure_that_nobody_has_counts_none():
    table = statistics_table(swept(lambda number, seed: 1.0))
    (row,) = rows_of(table, point=1, figure='time_to_close_after_failure')
    assert (row['count'], row['mean'], row['median_high']) == (0, None, None)


def test_laws_are_paired_by_parameters_and_seeds():
    table = paired_table(swept(lambda number, seed: seed + (0.5 if number > 2 else 0.0)))
    assert {(row['controller'], row['other']) for row in table.rows} == {LAWS}
    first, second, both = rows_of(table, figure='E_gap')
    assert (first['point'], second['point'], both['point']) == (1, 2, None)
    assert (first['control.k_tau'], both['control.k_tau']) == (0.1, None)
    for row, count in ((first, 3), (second, 3), (both, 6)):
        assert (row['count'], row['better'], row['worse'], row['mean']) == (count, count, 0, -0.5)
        assert row['mean_low'] == row['mean_high'] == row['median'] == -0.5


def test_a_seed_that_one_law_lacks_is_no_pair():
    runs = [one for one in swept(lambda number, seed: 1.0)
            if (one.run.point.number, one.run.seed) not in {(1, 2), (3, 3)}]  # fmt: skip
    (row, *_) = rows_of(paired_table(runs), figure='E_gap')
    assert (row['count'], row['better'], row['worse']) == (1, 0, 0)


def test_one_law_alone_has_no_pairs():
    runs = [one for one in swept(lambda number, seed: 1.0) if one.run.point.number < 3]
    assert paired_table(runs).rows == []


@pytest.mark.parametrize(
    ('values', 'count', 'never', 'mean', 'median'),
    [
        ([], 0, 0, None, None),
        ([None, None], 0, 0, None, None),
        ([2.0, None, 4.0], 2, 0, 3.0, 3.0),
        ([2.0, math.inf, 4.0], 3, 1, None, 4.0),
        ([math.inf, math.inf], 2, 2, None, math.inf),
    ],
)
def test_missing_values_do_not_count_and_infinite_ones_rank_last(
    values, count, never, mean, median
):
    (row,) = estimate([values])
    assert [row[key] for key in ('count', 'never', 'mean', 'median')] == [
        count, never, mean, median,
    ]  # fmt: skip
