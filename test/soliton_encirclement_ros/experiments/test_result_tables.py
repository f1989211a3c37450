"""The tables of a sweep against numbers worked out by hand; their columns and files."""

import math
import sys

import pandas as pd
import pytest
from pyarrow import parquet

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.summary import FIGURES
from soliton_encirclement_ros.experiments.result_tables import (
    _frame, paired_table, run_table, statistics_table, write_table
)
from soliton_encirclement_ros.experiments.sweep_file import Comparison
from support.planned import a_swept_run

LAW, GAIN = 'control.controller', 'control.k_tau'
LAWS = ('soliton', 'mine')
GAINS = dict(enumerate(((law, gain) for law in LAWS for gain in (0.1, 0.2)), 1))


def runs(e_gap):
    """Return runs of four points with seeds 1 to 3; ``e_gap`` gets point and seed."""
    return [
        a_swept_run(number, seed, {GAIN: gain, LAW: law}, e_gap=e_gap(number, seed))
        for number, (law, gain) in GAINS.items()
        for seed in (1, 2, 3)
    ]


def swept(e_gap):
    return run_table(runs(e_gap))


def rows_of(frame, **cells):
    return [row for row in frame.to_dict('records')
            if all(row[key] == value for key, value in cells.items())]  # fmt: skip


def test_one_row_per_run_in_order():
    frame = swept(lambda number, seed: number + 0.1 * seed).frame
    assert list(frame.columns[:6]) == [
        'point', 'controller', 'control.k_tau', 'seed', 'encircled', 'E_gap',
    ]  # fmt: skip
    assert [*zip(frame['point'], frame['seed'], strict=True)] == [
        (point, seed) for point in (1, 2, 3, 4) for seed in (1, 2, 3)
    ]
    assert frame['E_gap'][4] == 2.2 and frame['encircled'][4]


def test_statistics_of_a_point():
    frame = statistics_table(swept(lambda number, seed: number * 10.0 ** (seed - 1)))
    (row,) = rows_of(frame, point=2, figure='E_gap')
    assert (row['count'], row['never'], row['mean'], row['median']) == (3, 0, 74.0, 20.0)
    assert row['median_low'] == 2.0 and row['median_high'] == 200.0
    assert 2.0 <= row['mean_low'] < 74.0 < row['mean_high'] <= 200.0
    assert (row['controller'], row['control.k_tau']) == ('soliton', 0.2)


def test_a_figure_that_nobody_has_counts_none():
    frame = statistics_table(swept(lambda number, seed: 1.0))
    (row,) = rows_of(frame, point=1, figure='time_to_close_after_failure')
    assert row['count'] == 0 and math.isnan(row['mean']) and math.isnan(row['median_high'])


def test_laws_are_paired_by_parameters_and_seeds():
    frame = paired_table(swept(lambda number, seed: seed + (0.5 if number > 2 else 0.0)))
    assert {*zip(frame['controller'], frame['other'], strict=True)} == {LAWS}
    first, second, both = rows_of(frame, figure='E_gap')
    assert (first['point'], second['point']) == (1, 2) and pd.isna(both['point'])
    assert first['control.k_tau'] == 0.1 and math.isnan(both['control.k_tau'])
    for row, count in ((first, 3), (second, 3), (both, 6)):
        assert (row['count'], row['better'], row['worse'], row['mean']) == (count, count, 0, -0.5)
        assert row['mean_low'] == row['mean_high'] == row['median'] == -0.5


def test_all_comparisons_of_a_figure_are_corrected_together():
    frame = paired_table(swept(lambda number, seed: seed + 0.01 * number * seed))
    first, second, both = rows_of(frame, figure='E_gap')
    assert first['p'] == 0.25 and first['p_holm'] == second['p_holm'] == 0.5
    assert math.isnan(both['p_holm']) and both['verdict'] == 'open'


def test_a_chosen_law_is_compared_with_each_other_and_with_them_alone():
    laws = ('soliton', 'mine', 'splay')
    table = run_table([a_swept_run(i, 1, {LAW: law}) for i, law in enumerate(laws, 1)])
    pairs = paired_table(table, 'mine')[['controller', 'other']].drop_duplicates()
    assert pairs.to_numpy().tolist() == [['mine', 'soliton'], ['mine', 'splay']]
    assert len(paired_table(table).drop_duplicates(['controller', 'other'])) == 3


def test_a_seed_that_one_law_lacks_is_no_pair():
    left = [one for one in runs(lambda number, seed: 1.0)
            if (one.point.number, one.seed) not in {(1, 2), (3, 3)}]  # fmt: skip
    (row, *_) = rows_of(paired_table(run_table(left)), figure='E_gap')
    assert (row['count'], row['better'], row['worse']) == (1, 0, 0)


def test_one_law_alone_has_no_pairs():
    alone = [one for one in runs(lambda number, seed: 1.0) if one.point.number < 3]
    assert not len(paired_table(run_table(alone)))


def test_a_comparison_chooses_figures_and_their_resolution():
    table = swept(lambda number, seed: 0.1 * seed)
    chosen = table.select(Comparison('', ('E_r', 'E_gap'), {'E_gap': 0.25}))
    assert list(statistics_table(chosen)['figure'].unique()) == ['E_r', 'E_gap']
    assert chosen.frame['E_gap'][:3].tolist() == pytest.approx([0.25, 0.25, 0.3])
    assert table.frame['E_gap'][0] == 0.1


def test_columns_are_the_figures_and_then_the_study():
    study = {'a/M1': math.nan, 'a/M7_settled_frac': 1.0}
    table = run_table([a_swept_run(1, 1, {}, study, settling_time_s=None,
                                   unclosed_after_failure=1)])  # fmt: skip
    assert len(table.figures) == len(FIGURES) + 2
    by_name = {figure.name: figure for figure in table.figures}
    assert not any(' ' in name for name in by_name)
    assert by_name['settling_time'].unit == 's'
    higher = [name for name, figure in by_name.items() if figure.higher_is_better]
    assert {'a/M7_settled_frac', 'min_separation'} <= {*higher} and 'a/M1' not in higher
    row = table.frame.iloc[0]
    assert row['settling_time'] == row['time_to_close_after_failure'] == math.inf
    assert math.isnan(row['time_to_close_after_recovery']) and math.isnan(row['a/M1'])


ROWS = [
    {'n': 1, 'x': 0.1, 'law': 'soliton', 'yes': True, 'mixed': 1, 'none': None},
    {'n': 2, 'x': math.inf, 'law': None, 'yes': False, 'mixed': 'a', 'none': None},
    {'n': None, 'x': None, 'law': 'v1', 'yes': None, 'mixed': 2.5, 'none': None},
]


def test_csv_has_empty_cells_and_inf(tmp_path):
    write_table(tmp_path / 'a.csv', _frame(ROWS))
    assert (tmp_path / 'a.csv').read_text() == (
        'n,x,law,yes,mixed,none\n1,0.1,soliton,true,1,\n2,inf,,false,a,\n,,v1,,2.5,\n'
    )


def test_parquet_has_the_same_with_types(tmp_path):
    write_table(tmp_path / 'a.parquet', _frame(ROWS))
    found = parquet.read_table(tmp_path / 'a.parquet')
    assert [str(kind) for kind in found.schema.types] == [
        'int64', 'double', 'string', 'bool', 'string', 'double',
    ]  # fmt: skip
    assert found.column('x').to_pylist()[:2] == [0.1, math.inf]
    assert found.column('mixed').to_pylist() == ['1', 'a', '2.5']


def test_without_pyarrow_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, 'pyarrow', None)
    with pytest.raises(ImportError):
        write_table(tmp_path / 'a.parquet', _frame(ROWS))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize('kind', ['csv', 'parquet'])
def test_a_full_disk_is_told_in_one_line_and_leaves_the_old_table(tmp_path, kind):
    path = tmp_path / f'a.{kind}'
    path.write_text('old')
    (tmp_path / f'a.{kind}.part').symlink_to('/dev/full')
    with pytest.raises(RunError, match=r'cannot write: .*; finished .* kept: free disk space'):
        write_table(path, _frame(ROWS * 10_000))
    assert path.read_text() == 'old'
