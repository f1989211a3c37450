"""Draws all plots of a sweep: curves with bands, box plots, heat maps, and a forest plot.

Curves are median and percentile band of each group of runs; boxes the distribution of the figures
in each group; a heat map the median of a figure over two parameters, a panel per third value; the
forest plot the ratios of the chosen law to every other one, with their intervals.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from soliton_encirclement_ros.analysis.plots.comparison_plots import COLOURS, curves_of_runs
from soliton_encirclement_ros.analysis.plots.run_plots import BLUE, GREY, RED, save_picture
from soliton_encirclement_ros.experiments.design import as_text
from soliton_encirclement_ros.experiments.result_tables import SHOWN, RunTable
from soliton_encirclement_ros.experiments.run_store import Curves

HEAT_MAP, BOXES, CURVES, FOREST = 'heat_map.png', 'boxes.png', 'convergence.png', 'forest.png'

MAX_FIGURES = 4
VERDICTS = {'better': BLUE, 'worse': RED, 'open': GREY}
MAX_CURVES, MAX_BOXES = len(COLOURS), 24
MAX_RUNS = 500
"""A larger group is drawn from evenly selected runs."""

BAND = (10.0, 90.0)
"""Percentiles at the edges of the band."""

MAX_CELLS = 40
"""A parameter with more values is drawn with dots instead of cells."""

MAX_PANELS = 6
MAX_NUMBERS = 150
"""A panel with more cells is drawn without numbers."""

LARGEST_RATIO = 10.0
"""Ratios beyond this factor, either way, are drawn at the edge of the forest plot."""

RATIO_TICKS = (0.2, 0.5, 1.0, 2.0, 5.0)

Frames = Mapping[str, pd.DataFrame]


def draw_sweep(
    folder: Path,
    title: str,
    table: RunTable,
    paired: pd.DataFrame,
    curves: Callable[[int, int], Curves],
) -> Iterator[Path]:
    """Draw the plots of a sweep of at least one run into a folder, one at a time.

    The heat map is drawn if two parameters vary, the forest plot if one law is compared with
    others at several points. ``curves`` returns the curves of a point's run with a seed.
    """
    if draw_heat_map(folder / HEAT_MAP, title, table):
        yield folder / HEAT_MAP
    if draw_forest(folder / FOREST, title, table, paired):
        yield folder / FOREST
    draw_boxes(folder / BOXES, title, table)
    yield folder / BOXES
    draw_curves(folder / CURVES, title, table, curves)
    yield folder / CURVES


def draw_boxes(path: Path, title: str, table: RunTable) -> None:
    """Draw a panel per figure and a box per group; infinite values are counted above."""
    grouped, panels = groups(table, MAX_BOXES), shown_figures(table)
    width = min(16.0, 4.0 + 0.55 * len(grouped))
    figure = Figure(figsize=(width, 1.8 + 2.4 * len(panels)), layout='constrained')
    rows: Sequence[Axes] = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(rows, panels, strict=True):
        _box_panel(axes, grouped, name)
    places = range(1, len(grouped) + 1)
    rows[-1].set_xticks(places, list(grouped), rotation=30, ha='right', fontsize=8)
    figure.suptitle(f'{title}: box of the middle half, line at the median, runs as dots')
    save_picture(figure, path)


def _box_panel(axes: Axes, grouped: Frames, name: str) -> None:
    values = [frame[name].dropna() for frame in grouped.values()]
    finite = [column[np.isfinite(column)] for column in values]
    places = range(1, len(grouped) + 1)
    axes.boxplot(finite, positions=list(places), widths=0.6, showfliers=False)
    for place, column, every in zip(places, finite, values, strict=True):
        axes.plot([place] * len(column), column, '.', color=BLUE, alpha=0.5, markersize=4)
        if len(every) > len(column):
            axes.text(place, 1.0, f'{len(every) - len(column)} never', ha='center', va='bottom',
                      transform=axes.get_xaxis_transform(), fontsize=7, color=RED)  # fmt: skip
    axes.set_ylabel(name, fontsize=9)
    axes.grid(visible=True, axis='y', alpha=0.4)


def draw_curves(
    path: Path, title: str, table: RunTable, curves: Callable[[int, int], Curves]
) -> None:
    """Draw E_gap, E_r and G_max over time; ``curves`` as of ``draw_sweep``."""
    series: dict[str, list[Curves]] = {}
    for label, frame in groups(table, MAX_CURVES).items():
        drawn = frame.iloc[:: -(-len(frame) // MAX_RUNS)]
        every = [curves(int(point), int(seed))
                 for point, seed in zip(drawn['point'], drawn['seed'], strict=True)]  # fmt: skip
        if some := [run_curves for run_curves in every if run_curves.get('time')]:
            series[label] = some
    save_picture(curves_of_runs(title, series, BAND, 'from 10 to 90 % of them'), path)


def draw_heat_map(path: Path, title: str, table: RunTable) -> bool:
    """Draw the map; return False if fewer than two parameters vary.

    The parameters with most values are the axes, the law, else another one, has the panels.
    """
    keys = varying_parameters(table)
    if len(keys) < 2:
        return False
    x, y, *others = sorted(keys, key=lambda key: (key == 'controller', -len(keys[key])))
    others = [key for key in others if len(keys[key]) <= MAX_PANELS]
    panels, names = {'': table.frame}, shown_figures(table)
    if others:
        by = 'controller' if 'controller' in others else others[0]
        panels = {f'{_short(by)} = {as_text(value)}': _with(table.frame, by, value)
                  for value in keys[by]}  # fmt: skip
    size = (1.5 + 4.8 * len(panels), 0.8 + 3.6 * len(names))
    figure = Figure(figsize=size, layout='constrained')
    grid = figure.subplots(len(names), len(panels), squeeze=False)
    for row, name in zip(grid, names, strict=True):
        medians = [frame.groupby([x, y], dropna=False)[name].median() for frame in panels.values()]
        every = np.concatenate(medians)
        finite = every[np.isfinite(every)] if np.isfinite(every).any() else np.array([0.0, 1.0])
        norm = Normalize(finite.min(), finite.max())
        for axes, label, panel_medians in zip(row, panels, medians, strict=True):
            _panel(axes, panel_medians, (keys[x], keys[y]), norm)
            axes.set_xlabel(x)
            axes.set_ylabel(y)
            axes.set_title(label, fontsize=9, loc='left')
        figure.colorbar(ScalarMappable(norm, 'viridis'), ax=list(row), label=name)
    figure.suptitle(f'{title}: median over seeds and other parameters; x: never')
    save_picture(figure, path)
    return True


def _panel(
    axes: Axes, medians: 'pd.Series[float]', values: tuple[list[Any], list[Any]], norm: Normalize
) -> None:
    """Draw a cell per point of a grid, with its number; a dot where there are too many cells."""
    places, is_grid = [], max(map(len, values)) <= MAX_CELLS
    for level, (known, axis) in enumerate(zip(values, (axes.xaxis, axes.yaxis), strict=True)):
        level_values = medians.index.get_level_values(level)
        here = [None if pd.isna(value) else value for value in level_values]
        if is_grid or not all(map(is_number, known)):
            ticks = ['-' if value is None else as_text(value) for value in known]
            axis.set_ticks(range(len(known)), ticks, fontsize=8)
            here = [known.index(value) for value in here]
        places.append(np.array(here, float))
    finite, never = np.isfinite(medians.to_numpy()), np.isinf(medians.to_numpy())
    if is_grid:
        cells = np.full((len(values[1]), len(values[0])), np.nan)
        cells[places[1].astype(int), places[0].astype(int)] = np.where(finite, medians, np.nan)
        axes.imshow(cells, norm=norm, origin='lower', aspect='auto', cmap='viridis')
        axes.tick_params(axis='x', rotation=30)
    else:
        finite_places = (coordinates[finite] for coordinates in places)
        axes.scatter(*finite_places, c=medians[finite], s=18, norm=norm)
    axes.scatter(*(coordinates[never] for coordinates in places), c='red', marker='x', s=18)
    if is_grid and len(medians) <= MAX_NUMBERS:
        for column, row, value in zip(*places, medians, strict=True):
            if math.isfinite(value):
                axes.text(column, row, f'{value:.3g}', ha='center', va='center', fontsize=7,
                          color='black' if norm(value) > 0.6 else 'white')  # fmt: skip


def draw_forest(path: Path, title: str, table: RunTable, paired: pd.DataFrame) -> bool:
    """Draw the ratio of the chosen law to every other, per point; return False without points."""
    if not len(paired):
        return False
    rows = paired[paired['point'].notna()]
    if rows['point'].nunique() < 2:
        return False
    points, others = list(rows['point'].unique()), list(rows['other'].unique())
    labels = [', '.join(as_text(row[key]) for key in table.parameters if not pd.isna(row[key]))
              for _, row in rows.drop_duplicates('point').iterrows()]  # fmt: skip
    with_ratio = set(rows.loc[rows['ratio'].notna(), 'figure'])
    figures = [name for name in shown_figures(table) if name in with_ratio]
    if not figures:
        return False
    size = (2.5 + 1.5 * len(others), 1.5 + len(figures) * (0.8 + 0.16 * len(points)))
    figure = Figure(figsize=size, layout='constrained')
    grid = figure.subplots(len(figures), len(others), squeeze=False, sharex=True, sharey=True)
    for line, name in zip(grid, figures, strict=True):
        for axes, other in zip(line, others, strict=True):
            panel = rows[(rows['figure'] == name) & (rows['other'] == other)]
            _forest_panel(axes, panel, points)
            axes.set_title(f'{name} / {other}', fontsize=7)
    grid[0, 0].set_yticks(range(len(points)), labels, fontsize=6)
    grid[0, 0].invert_yaxis()
    figure.suptitle(f'{title}: {rows["controller"].iloc[0]} / other law, median ratio, 95 % '
                    'interval; coloured: significant')  # fmt: skip
    save_picture(figure, path)
    return True


def _forest_panel(axes: Axes, rows: pd.DataFrame, points: Sequence[int]) -> None:
    axes.set_xscale('log')
    axes.set_xticks(RATIO_TICKS, [f'{tick:g}' for tick in RATIO_TICKS])
    axes.minorticks_off()
    axes.axvline(1.0, color='black', linewidth=0.6)
    for _, row in rows[rows['ratio'].notna()].iterrows():
        y, colour = points.index(row['point']), VERDICTS[row['verdict']]
        ends = [min(LARGEST_RATIO, max(1.0 / LARGEST_RATIO, row[key]))
                for key in ('ratio', 'ratio_low', 'ratio_high')]  # fmt: skip
        axes.plot(ends[0], y, '.', color=colour, markersize=4)
        axes.plot(ends[1:], [y, y], color=colour, linewidth=1.0)
    axes.tick_params(labelsize=6)
    axes.grid(visible=True, axis='x', alpha=0.4)


def shown_figures(table: RunTable) -> list[str]:
    """Return the figures that are drawn: the usual ones with values, else the sweep's first."""
    known = [figure.name for figure in table.figures if table.frame[figure.name].notna().any()]
    usual = [name for name in SHOWN if name in known]
    every = [figure.name for figure in table.figures]
    return (usual if len(usual) > 1 else known or every)[:MAX_FIGURES]


def varying_parameters(table: RunTable) -> dict[str, list[Any]]:
    """Return the columns of parameters that take more than one value, with these in order."""
    result: dict[str, list[Any]] = {}
    for key in (*table.parameters, 'controller'):
        values = [None if pd.isna(value) else value for value in table.frame[key].unique()]
        known = [value for value in values if value is not None]
        if len(values) > 1:
            known = sorted(known) if all(map(is_number, known)) else known
            result[key] = known + [None] * (len(known) < len(values))
    return result


def groups(table: RunTable, most: int) -> Frames:
    """Return the runs in at most ``most`` groups.

    Grouped by point, else by law, else by another parameter, the first that fits; else one group.
    """
    if table.frame['point'].nunique() <= most:
        return {table.labels[point]: frame for point, frame in table.frame.groupby('point')}
    keys = varying_parameters(table)
    for key in sorted(keys, key=lambda key: (key != 'controller', -len(keys[key]))):
        if len(keys[key]) <= most:
            return {f'{_short(key)} {as_text(value)}': _with(table.frame, key, value)
                    for value in keys[key]}  # fmt: skip
    return {'all points': table.frame}


def is_number(value: Any) -> bool:
    """Return whether a value is a number."""
    return isinstance(value, int | float | np.number) and not isinstance(value, bool | np.bool_)


def _with(frame: pd.DataFrame, key: str, value: Any) -> pd.DataFrame:
    """Return the runs with a value of a parameter; None: those that do not have it."""
    return frame[frame[key].isna() if value is None else frame[key] == value]


def _short(key: str) -> str:
    return key.rpartition('.')[2]
