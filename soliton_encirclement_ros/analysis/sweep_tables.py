"""The tables of a sweep: one row per run, one per point and figure, one per pair and figure.

They are written as CSV, or as Parquet if pyarrow is installed. A value is infinite if the event
never happened, for example settling, and ``inf`` in both formats. It is None if missing: no such
event was expected, or there is no data; empty in CSV and null in Parquet. Plots group the runs by
colour, box or cell.
"""

import csv
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bootstrap import Floats, mean_intervals, median_intervals
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.figures.sample_statistics import (
    difference,
    is_better,
    median,
    wins,
)
from soliton_encirclement_ros.core.files import replacing
from soliton_encirclement_ros.core.parameters.control_parameters import CONTROLLER_NAMES
from soliton_encirclement_ros.core.run.experiment_records import (
    CONTROLLER,
    Point,
    SweptRun,
    as_text,
)
from soliton_encirclement_ros.core.run.summary import FIGURES

HIGHER_IS_BETTER = ('M7_settled_frac',)
"""Figures of a study for which higher is better."""


class FigureColumn(NamedTuple):
    """One figure: the name of its column, its unit, and which way is better."""

    name: str
    unit: str
    higher_is_better: bool

    def better(self, a: float, b: float) -> bool:
        """Return whether a value is better than another."""
        return is_better(a, b, self.higher_is_better)


Values = Mapping[str, float | None]


def columns_of(runs: Iterable[SweptRun]) -> list[FigureColumn]:
    """Return the columns with values in any run."""
    own = [FigureColumn(f.name.replace(' ', '_'), f.unit, f.higher_is_better) for f in FIGURES]
    studied = dict.fromkeys(name for run in runs for name in run.study)
    return own + [FigureColumn(name, '', name.endswith(HIGHER_IS_BETTER)) for name in studied]


def values_of(run: SweptRun) -> Values:
    """Return the value of every column of a run."""
    own = {figure.name.replace(' ', '_'): figure.value(run.summary) for figure in FIGURES}
    return {name: _clean(value) for name, value in {**own, **run.study}.items()}


def _clean(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else float(value)


Row = dict[str, Any]
ESTIMATES = ('mean', 'mean_low', 'mean_high', 'median', 'median_low', 'median_high')


class SweepTable(NamedTuple):
    """A table: rows that all have the same keys in the same order."""

    rows: list[Row]
    columns: list[str]


class MeasuredFigures(NamedTuple):
    """A run with its values."""

    run: SweptRun
    values: Values


def measure(runs: Sequence[SweptRun]) -> list[MeasuredFigures]:
    """Return runs with the values of all their figures."""
    return [MeasuredFigures(run, values_of(run)) for run in runs]


def run_table(runs: Sequence[MeasuredFigures]) -> SweepTable:
    """Return one row per run: its point, its figures, its verdict."""
    figures = columns_of(one.run for one in runs)
    rows = [
        {
            **point_cells(one.run.point),
            'seed': one.run.seed,
            'encircled': one.run.summary.get('verdict', {}).get('encircled'),
            **{figure.name: one.values.get(figure.name) for figure in figures},
        }
        for one in runs
    ]
    return _table(rows)


def statistics_table(runs: Sequence[MeasuredFigures]) -> SweepTable:
    """Return one row per point and figure: mean and median over the seeds, with intervals.

    ``count`` is the number of runs with a value, ``never`` the number of infinite ones. A mean
    with infinite values is empty; a median treats them as the largest.
    """
    figures = columns_of(one.run for one in runs)
    rows: list[Row] = []
    for group in _by_point(runs).values():
        lists = [[one.values.get(figure.name) for one in group] for figure in figures]
        for figure, estimates in zip(figures, estimate(lists), strict=True):
            cells = {'figure': figure.name, 'unit': figure.unit}
            rows.append({**point_cells(group[0].run.point), **cells, **estimates})
    return _table(rows)


def paired_table(runs: Sequence[MeasuredFigures]) -> SweepTable:
    """Return one row per pair of laws, point and figure: ``law`` minus ``other``, seed by seed.

    Two points match if they differ only in the law. A pair with several matching points also has
    rows without a point, for all of them together. The difference of two infinite values is 0,
    that of one infinite value infinite.
    """
    figures = columns_of(one.run for one in runs)
    rows: list[Row] = []
    for law, other in combinations(_laws(runs), 2):
        matches = _matches(runs, law, other)
        for point, pairs in matches:
            rows += _pair_rows(point_cells(point), law, other, pairs, figures)
        if len(matches) > 1:
            blank: Row = dict.fromkeys(point_cells(matches[0][0]))
            everything = [pair for _, pairs in matches for pair in pairs]
            rows += _pair_rows(blank, law, other, everything, figures)
    return _table(rows)


def estimate(lists: Sequence[Sequence[float | None]]) -> list[Row]:
    """Return count, never, mean and median with intervals of each list of values."""
    present = [[value for value in values if value is not None] for values in lists]
    found: list[Row] = [{'count': 0, 'never': 0, **dict.fromkeys(ESTIMATES)} for _ in lists]
    for count in {len(values) for values in present} - {0}:
        same = [i for i, values in enumerate(present) if len(values) == count]
        estimates = _estimates(np.array([present[i] for i in same], dtype=float).T)
        for i, one in zip(same, estimates, strict=True):
            found[i] = one
    return found


def point_cells(point: Point) -> Row:
    """Return the cells that identify the point of a row."""
    values = {key: value for key, value in point.values.items() if key != CONTROLLER}
    return {'point': point.number, 'controller': point.controller, **values}


def _estimates(values: Floats) -> list[Row]:
    never = np.isinf(values).sum(axis=0)
    columns = [*mean_intervals(values), *median_intervals(values)]
    return [
        {
            'count': len(values),
            'never': int(never[i]),
            **{name: _cell(column[i]) for name, column in zip(ESTIMATES, columns, strict=True)},
        }
        for i in range(values.shape[1])
    ]


def _cell(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _by_point(runs: Sequence[MeasuredFigures]) -> dict[int, list[MeasuredFigures]]:
    found: dict[int, list[MeasuredFigures]] = {}
    for one in runs:
        found.setdefault(one.run.point.number, []).append(one)
    return found


def _laws(runs: Sequence[MeasuredFigures]) -> list[str]:
    flown = dict.fromkeys(one.run.point.controller for one in runs)
    ours = [law for law in CONTROLLER_NAMES if law in flown]
    return [*ours, *(law for law in flown if law not in ours)]


Pair = tuple[Values, Values]


def _matches(
    runs: Sequence[MeasuredFigures], law: str, other: str
) -> list[tuple[Point, list[Pair]]]:
    """Return the points that both laws have, with the values of common seeds."""
    theirs = {(_rest(one.run.point), one.run.seed): one.values
              for one in runs if one.run.point.controller == other}  # fmt: skip
    found: dict[int, tuple[Point, list[Pair]]] = {}
    for one in runs:
        point = one.run.point
        partner = theirs.get((_rest(point), one.run.seed))
        if point.controller == law and partner is not None:
            found.setdefault(point.number, (point, []))[1].append((one.values, partner))
    return list(found.values())


def _rest(point: Point) -> tuple[tuple[str, Any], ...]:
    return tuple((key, value) for key, value in point.values.items() if key != CONTROLLER)


def _pair_rows(
    cells: Row, law: str, other: str, pairs: Sequence[Pair], figures: Sequence[FigureColumn]
) -> list[Row]:
    values = [
        [(a[f.name], b[f.name]) for a, b in pairs
         if a.get(f.name) is not None and b.get(f.name) is not None]
        for f in figures
    ]  # fmt: skip
    estimates = estimate([[difference(a, b) for a, b in both] for both in values])
    counts = [wins(both, f.better) for both, f in zip(values, figures, strict=True)]
    parameters = {k: v for k, v in cells.items() if k not in ('point', 'controller')}
    return [
        {
            'point': cells['point'], 'controller': law, 'other': other, **parameters,
            'figure': figure.name, 'unit': figure.unit,
            'better': count.better,
            'worse': count.worse,
            **found,
        }
        for figure, count, found in zip(figures, counts, estimates, strict=True)
    ]  # fmt: skip


def _table(rows: list[Row]) -> SweepTable:
    return SweepTable(rows, list(rows[0]) if rows else [])


Grouped = dict[str, list[MeasuredFigures]]


def varied(runs: Sequence[MeasuredFigures]) -> dict[str, list[Any]]:
    """Return the parameters that take more than one value, with their values in order."""
    found: dict[str, list[Any]] = {}
    for key in runs[0].run.point.values if runs else ():
        values = list(dict.fromkeys(one.run.point.values[key] for one in runs))
        if len(values) > 1:
            found[key] = sorted(values) if all(map(is_number, values)) else values
    return found


def groups(runs: Sequence[MeasuredFigures], most: int) -> Grouped:
    """Return the runs in at most ``most`` groups.

    Grouped by point, else by law, else by another parameter, the first that fits; else one group.
    """
    if len({one.run.point.number for one in runs}) <= most:
        return _by(runs, lambda one: one.run.point.label)
    keys = varied(runs)
    for key in sorted(keys, key=lambda key: (key != CONTROLLER, -len(keys[key]))):
        if len(keys[key]) <= most:
            short = key.partition('.')[2]
            found = {
                f'{short} {as_text(value)}': [o for o in runs if o.run.point.values[key] == value]
                for value in keys[key]
            }
            return found
    return {'all points': list(runs)}


def middle(runs: Sequence[MeasuredFigures], figure: str) -> float | None:
    """Return the median of a figure over the runs that have it, None if none has."""
    return median([v for v in (one.values.get(figure) for one in runs) if v is not None])


def _by(runs: Sequence[MeasuredFigures], label: Callable[[MeasuredFigures], str]) -> Grouped:
    found: Grouped = {}
    for one in runs:
        found.setdefault(label(one), []).append(one)
    return found


def is_number(value: Any) -> bool:
    """Return whether a value is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def write_csv(path: Path, table: SweepTable) -> None:
    """Write a table whole or not at all.

    Raises:
        RunError: It cannot be written.
    """
    try:
        with replacing(path) as part, part.open('w', encoding='utf-8', newline='') as file:
            writer = csv.writer(file, lineterminator='\n')
            writer.writerow(table.columns)
            writer.writerows(_texts(row) for row in table.rows)
    except OSError as error:
        raise _refusal(path, error) from None


def write_parquet(path: Path, table: SweepTable) -> bool:
    """Write a table whole or not at all; return False if pyarrow is not installed.

    Raises:
        RunError: It cannot be written.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return False
    columns = {name: _typed(row[name] for row in table.rows) for name in table.columns}
    arrays = {
        name: pyarrow.array(column, pyarrow.float64() if set(column) == {None} else None)
        for name, column in columns.items()
    }
    try:
        with replacing(path) as part:
            pyarrow.parquet.write_table(pyarrow.table(arrays), part)
    except OSError as error:
        raise _refusal(path, error) from None
    return True


def _texts(row: Row) -> list[str]:
    return ['' if value is None else _text(value) for value in row.values()]


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _typed(values: Iterable[Any]) -> list[Any]:
    """Return a column of one type: numbers, else texts."""
    column = list(values)
    kinds = {type(value) for value in column if value is not None}
    if kinds <= {int} or kinds <= {bool} or kinds <= {str}:
        return column
    if kinds <= {int, float}:
        return [None if value is None else float(value) for value in column]
    return [None if value is None else _text(value) for value in column]


def _refusal(path: Path, error: OSError) -> RunError:
    return RunError(
        f'{path}: cannot write: {error.strerror or error}; finished runs are kept: '
        'free disk space and run the same again'
    )
