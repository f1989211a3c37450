"""The tables of a sweep against numbers worked out by hand; their columns, groups of runs."""

import math

import pytest
from soliton_encirclement_ros.analysis.sweep_tables import (
    columns_of,
    estimate,
    groups,
    measure,
    middle,
    paired_table,
    run_table,
    statistics_table,
    values_of,
    varied,
)
from soliton_encirclement_ros.core.run.summary import FIGURES
from support.planned import a_swept_run

LAW, GAIN = 'control.controller', 'control.k_tau'
LAWS = ('soliton', 'mine')
GAINS = dict(enumerate(((law, gain) for law in LAWS for gain in (0.1, 0.2)), 1))


def swept(e_gap):
    """Return runs of four points with seeds 1 to 3; ``e_gap`` gets point and seed."""
    return measure([
        a_swept_run(number, seed, {GAIN: gain, LAW: law}, e_gap=e_gap(number, seed))
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


@pytest.fixture
def runs():
    points = [(law, gain) for law in ('soliton', 'two_channel') for gain in (0.2, 0.1, 0.3)]
    return measure([
        a_swept_run(i, seed, {LAW: law, GAIN: gain, 'control.k_r': 1.0}, e_gap=gain + seed)
        for i, (law, gain) in enumerate(points)
        for seed in (1, 2)
    ])  # fmt: skip


def test_what_varies_with_its_values_in_order(runs):
    assert varied(runs) == {LAW: ['soliton', 'two_channel'], GAIN: [0.1, 0.2, 0.3]}
    assert varied([]) == {}


@pytest.mark.parametrize(
    ('most', 'first', 'sizes'),
    [
        (6, 'controller soliton, k_tau 0.2, k_r 1', [2] * 6),
        (5, 'controller soliton', [6, 6]),
        (1, 'all points', [12]),
    ],
)
def test_groups_are_points_then_laws_then_all(runs, most, first, sizes):
    found = groups(runs, most)
    assert next(iter(found)) == first
    assert [len(part) for part in found.values()] == sizes


def test_without_laws_another_parameter_groups(runs):
    alone = [one for one in runs if one.run.point.controller == 'soliton']
    assert list(groups(alone, 3)) == [
        f'controller soliton, k_tau {gain}, k_r 1' for gain in (0.2, 0.1, 0.3)
    ]
    many = [one._replace(run=one.run._replace(point=one.run.point._replace(number=i)))
            for i, one in enumerate(alone)]  # fmt: skip
    assert list(groups(many, 3)) == ['k_tau 0.1', 'k_tau 0.2', 'k_tau 0.3']


def test_the_middle_leaves_missing_values_out(runs):
    assert middle(runs[:2], 'E_gap') == pytest.approx(1.7)
    assert middle(runs, 'time_to_close_after_failure') is None
    never = measure([a_swept_run(1, 1, {}, settling_time_s=None)])
    assert middle(never, 'settling_time') == math.inf
