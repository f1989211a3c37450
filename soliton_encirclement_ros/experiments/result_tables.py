"""The tables of a sweep: one row per run, one per point and figure, one per pair and figure.

They are written as CSV, or as Parquet if pyarrow is installed. A value is infinite if the event
never happened, for example settling, and ``inf`` in both formats. It is missing if no such event
was expected, or there is no data; empty in CSV and null in Parquet.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from soliton_encirclement_ros.analysis.table_files import write_csv
from soliton_encirclement_ros.core.files import replacing, writing
from soliton_encirclement_ros.core.parameters.control_parameters import CONTROLLER_NAMES
from soliton_encirclement_ros.experiments.design import CONTROLLER
from soliton_encirclement_ros.experiments.paired_statistics import (
    Row, compare_pairs, estimate, holm, verdict
)
from soliton_encirclement_ros.experiments.sweep_file import METRICS, Comparison, SweptRun

HIGHER_IS_BETTER = ('M7_settled_frac',)
"""Figures of the original's study for which higher is better."""

SHOWN = ('E_gap', 'E_r', 'settling_time', 'as_published/M1_P95_e_pooled')
"""Figures that are printed and drawn where the sweep names none."""



class FigureColumn(NamedTuple):
    """One figure: the name of its column, its unit, and which way is better."""

    name: str
    unit: str
    higher_is_better: bool


class RunTable(NamedTuple):
    """One row per run: its point, seed, verdict and figures, NaN if missing.

    ``parameters`` are the columns of what the design varies, the law apart; the labels are those
    of the points by number.
    """

    frame: pd.DataFrame
    parameters: list[str]
    figures: list[FigureColumn]
    labels: Mapping[int, str]

    def select(self, comparison: Comparison) -> 'RunTable':
        """Return the table with the figures that a comparison asks for, at its resolution."""
        known = {figure.name: figure for figure in self.figures}
        figures = [known[name] for name in comparison.metrics or known]
        frame = self.frame.copy()
        for name, least in comparison.resolution.items():
            frame[name] = frame[name].clip(lower=least)
        return self._replace(frame=frame, figures=figures)


def run_table(runs: Sequence[SweptRun]) -> RunTable:
    """Return the table of some finished runs, in their order."""
    studied = dict.fromkeys(name for run in runs for name in run.study)
    figures = [
        FigureColumn(name, figure.unit, figure.higher_is_better)
        for name, figure in METRICS.items()
    ]
    figures += [FigureColumn(name, '', name.endswith(HIGHER_IS_BETTER)) for name in studied]
    parameters = [key for key in (runs[0].point.values if runs else ()) if key != CONTROLLER]
    rows = [
        {
            'point': run.point.number,
            'controller': run.point.controller,
            **{key: _plain(run.point.values[key]) for key in parameters},
            'seed': run.seed,
            'encircled': run.summary.get('verdict', {}).get('encircled'),
        }
        for run in runs
    ]
    values = {f.name: [_number(run, f.name) for run in runs] for f in figures}
    frame = pd.concat([_frame(rows), pd.DataFrame(values, dtype=float)], axis=1)
    labels = {run.point.number: run.point.label for run in runs}
    return RunTable(frame, parameters, figures, labels)


def _plain(value: Any) -> Any:
    """Return a value of a parameter that can be compared and sorted."""
    return value if isinstance(value, str | int | float | None) else str(value)


def _number(run: SweptRun, name: str) -> float:
    value = METRICS[name].value(run.summary) if name in METRICS else run.study.get(name)
    return math.nan if value is None else float(value)


def statistics_table(table: RunTable) -> pd.DataFrame:
    """Return one row per point and figure: mean and median over the seeds, with intervals.

    ``count`` is the number of runs with a value, ``never`` the number of infinite ones. A mean
    with infinite values is empty; a median treats them as the largest.
    """
    rows: list[Row] = []
    for _, group in table.frame.groupby('point', sort=False):
        cells = _point_cells(table, group.iloc[0])
        lists = [group[figure.name].dropna().tolist() for figure in table.figures]
        for figure, estimates in zip(table.figures, estimate(lists), strict=True):
            rows.append({**cells, 'figure': figure.name, 'unit': figure.unit, **estimates})
    return _frame(rows)


def paired_table(table: RunTable, chosen: str = '') -> pd.DataFrame:
    """Return one row per pair of laws, point and figure: ``law`` minus ``other``, seed by seed.

    The chosen law is compared with every other; without one every pair is. Two points match if
    they differ only in the law. A pair with several matching points also has rows without a point,
    for all of them together. The difference of two infinite values is 0, that of one infinite
    value infinite. ``p_holm`` is corrected for all comparisons of a figure at a point; ``verdict``
    says what it means.
    """
    rows: list[Row] = []
    for law, other in _pairs_of_laws(table, chosen):
        matches = list(_matches(table, law, other))
        if len(matches) > 1:
            everything = pd.concat([both for _, both in matches])
            blank: Row = dict.fromkeys(matches[0][0])
            matches.append((blank, everything))
        for cells, both in matches:
            rows += _pair_rows(table.figures, {**cells, 'controller': law}, other, both)
    frame = _frame(rows)
    if len(frame):
        of_points = frame[frame['point'].notna()].groupby('figure', sort=False)['p']
        frame['p_holm'] = of_points.transform(lambda p: holm(p.to_numpy()))
        frame['verdict'] = list(map(verdict, frame['p_holm'], frame['effect']))
    return frame


def _pairs_of_laws(table: RunTable, chosen: str) -> list[tuple[str, str]]:
    flown = list(table.frame['controller'].unique())
    if chosen:
        return [(chosen, law) for law in flown if law != chosen]
    own = [law for law in CONTROLLER_NAMES if law in flown]
    return list(combinations([*own, *(law for law in flown if law not in own)], 2))


def _matches(table: RunTable, law: str, other: str) -> Iterator[tuple[Row, pd.DataFrame]]:
    """Iterate over the points that both laws have, with the values of common seeds."""
    laws = table.frame['controller']
    same = [*table.parameters, 'seed']
    both = table.frame[laws == law].merge(
        table.frame[laws == other], on=same, suffixes=('', ' of other'), sort=False
    )
    for _, group in both.groupby('point', sort=False):
        yield _point_cells(table, group.iloc[0]), group


def _point_cells(table: RunTable, run: 'pd.Series[Any]') -> Row:
    """Return the cells that identify the point of a row."""
    cells = {key: run[key] for key in ('point', 'controller', *table.parameters)}
    return {key: None if pd.isna(value) else value for key, value in cells.items()}


def _pair_rows(
    figures: Sequence[FigureColumn], cells: Row, other: str, matched: pd.DataFrame
) -> list[Row]:
    pairs = []
    for figure in figures:
        values = matched[[figure.name, f'{figure.name} of other']].dropna().to_numpy()
        pairs.append([(float(a), float(b)) for a, b in values])
    rows = compare_pairs(pairs, [figure.higher_is_better for figure in figures])
    parameters = {k: v for k, v in cells.items() if k not in ('point', 'controller')}
    return [
        {
            'point': cells['point'], 'controller': cells['controller'], 'other': other,
            **parameters, 'figure': figure.name, 'unit': figure.unit, **row,
        }
        for figure, row in zip(figures, rows, strict=True)
    ]  # fmt: skip


def _frame(rows: Sequence[Row]) -> pd.DataFrame:
    """Return rows with a type per column: whole numbers, truth values, numbers, else texts."""
    frame = pd.DataFrame(rows, dtype=object)
    return frame.apply(_set_type) if len(frame) else frame


def _set_type(column: 'pd.Series[Any]') -> 'pd.Series[Any]':
    kinds = {bool if isinstance(value, bool | np.bool_) else type(value)
             for value in column if not pd.isna(value)}  # fmt: skip
    if kinds == {bool}:
        return column.astype('boolean')
    if kinds and all(issubclass(kind, int | np.integer) for kind in kinds):
        return column.astype('Int64')
    if all(issubclass(kind, int | float | np.number) for kind in kinds):
        return column.astype(float)
    return column.map(
        lambda value: str(value).lower() if isinstance(value, bool) else str(value),
        na_action='ignore',
    )


def write_table(path: Path, frame: pd.DataFrame) -> None:
    """Write a table whole or not at all, as CSV or Parquet by the ending.

    Raises:
        RunError: It cannot be written.
        ImportError: There is no pyarrow for Parquet.
    """
    advice = '; finished runs are kept: free disk space and run the same again'
    with writing(path, advice=advice), replacing(path) as temporary:
        if path.suffix == '.parquet':
            frame.to_parquet(temporary, engine='pyarrow', index=False)
        else:
            write_csv(temporary, frame)
