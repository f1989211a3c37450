"""The tables of a sweep: one row per run, one per point and figure, one per pair and figure."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bootstrap import Floats, mean_intervals, median_intervals
from soliton_encirclement_ros.analysis.sweep.sweep_figures import (
    FigureColumn,
    Values,
    columns_of,
    values_of,
)
from soliton_encirclement_ros.core.parameters.control_parameters import CONTROLLER_NAMES
from soliton_encirclement_ros.core.run.sample_statistics import difference, wins
from soliton_encirclement_ros.core.run.sweep_runs import CONTROLLER, Point, SweptRun

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
