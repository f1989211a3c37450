"""Draws all plots of a sweep: curves with bands, box plots, and heat maps.

Curves are median and percentile band of each group of runs; boxes the distribution of the figures
in each group; a heat map the median of a figure over two parameters, a panel per third value.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from soliton_encirclement_ros.analysis.plots.run_plots import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    RED,
    SHOWN_METRICS,
    label_metric,
    median_and_band,
    save_picture,
)
from soliton_encirclement_ros.analysis.sweep_tables import (
    Grouped,
    MeasuredFigures,
    groups,
    is_number,
    middle,
    varied,
)
from soliton_encirclement_ros.core.run.experiment_records import (
    CONTROLLER,
    Curves,
    SweptRun,
    as_text,
)

mpl.use('Agg')

BOXED = ('E_gap', 'E_r', 'settling_time', 'as_published/M1_P95_e_pooled')
MAX_BOXES = 24


def draw_boxes(path: Path, title: str, runs: Sequence[MeasuredFigures]) -> None:
    """Draw a panel per figure and a box per group; infinite values are counted above."""
    grouped = groups(runs, MAX_BOXES)
    as_text = [name for name in BOXED if any(one.values.get(name) is not None for one in runs)]
    panels = as_text or list(BOXED[:1])
    width = min(16.0, 4.0 + 0.55 * len(grouped))
    figure = Figure(figsize=(width, 1.8 + 2.4 * len(panels)), layout='constrained')
    rows: Sequence[Axes] = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(rows, panels, strict=True):
        _box_panel(axes, grouped, name)
    places = range(1, len(grouped) + 1)
    rows[-1].set_xticks(places, list(grouped), rotation=30, ha='right', fontsize=8)
    figure.suptitle(f'{title}: box of the middle half, line at the median, runs as dots')
    save_picture(figure, path)


def _box_panel(axes: Axes, grouped: Grouped, name: str) -> None:
    finite, never = [], []
    for runs in grouped.values():
        values = [v for v in (one.values.get(name) for one in runs) if v is not None]
        finite.append([value for value in values if math.isfinite(value)])
        never.append(len(values) - len(finite[-1]))
    places = range(1, len(grouped) + 1)
    axes.boxplot(finite, positions=list(places), widths=0.6, showfliers=False)
    for place, values, count in zip(places, finite, never, strict=True):
        axes.plot([place] * len(values), values, '.', color='#1f78e6', alpha=0.5, markersize=4)
        if count:
            axes.text(place, 1.0, f'{count} never', transform=axes.get_xaxis_transform(),
                      ha='center', va='bottom', fontsize=7, color='#d92626')  # fmt: skip
    axes.set_ylabel(name, fontsize=9)
    axes.grid(visible=True, axis='y', alpha=0.4)


mpl.use('Agg')

COLOURS = (BLUE, ORANGE, GREEN, RED, GREY, '#8a2be2', '#8c564b', '#17a2b8')
MAX_CURVES = len(COLOURS)
MAX_RUNS = 500
"""A larger group is drawn from evenly selected runs."""

BAND = (10.0, 90.0)
"""Percentiles at the edges of the band."""


def draw_curves(
    path: Path, title: str, runs: Sequence[MeasuredFigures], curves: Callable[[SweptRun], Curves]
) -> None:
    """Draw E_gap, E_r and G_max over time.

    Args:
        path: File to write.
        title: Title of the plot.
        runs: Finished runs, at least one.
        curves: Returns the curves of a run.
    """
    figure = Figure(figsize=(11, 8), layout='constrained')
    rows: Sequence[Axes] = figure.subplots(len(SHOWN_METRICS), 1, sharex=True)
    for colour, (label, part) in zip(COLOURS, groups(runs, MAX_CURVES).items(), strict=False):
        step = -(-len(part) // MAX_RUNS)
        _group(rows, label, [curves(one.run) for one in part[::step]], colour)
    for axes, metric in zip(rows, SHOWN_METRICS, strict=True):
        label_metric(axes, metric)
    if rows[0].get_legend_handles_labels()[0]:
        rows[0].legend(loc='upper right', fontsize=8)
    rows[-1].set_xlabel('time [s]')
    figure.suptitle(f'{title}: median of the runs, band from 10 to 90 % of them')
    save_picture(figure, path)


def _group(rows: Sequence[Axes], label: str, series: Sequence[Curves], colour: str) -> None:
    """Draw one group up to the end of its shortest run."""
    series = [one for one in series if one.get('time')]
    if not series:
        return
    length = min(len(one['time']) for one in series)
    times = series[0]['time'][:length]
    for axes, metric in zip(rows, SHOWN_METRICS, strict=True):
        values = np.array([one[metric][:length] for one in series])
        middle, low, high = median_and_band(values, BAND)
        axes.plot(times, middle, color=colour, linewidth=1.3, label=label)
        if len(series) > 1:
            axes.fill_between(times, low, high, color=colour, alpha=0.15, lw=0)


mpl.use('Agg')

SHOWN = ('E_gap', 'E_r', 'as_published/M1_P95_e_pooled')
MAX_CELLS = 40
"""A parameter with more values is drawn with dots instead of cells."""

MAX_PANELS = 6
MAX_NUMBERS = 150
"""A panel with more cells is drawn without numbers."""


Cell = tuple[Any, Any]


class PanelGrid(NamedTuple):
    """Parameters of the axes, and the runs of every panel by title."""

    x: str
    y: str
    panels: dict[str, list[MeasuredFigures]]


def draw_heat_map(path: Path, title: str, runs: Sequence[MeasuredFigures]) -> bool:
    """Draw the map; return False if fewer than two parameters vary."""
    keys = varied(runs)
    if len(keys) < 2:
        return False
    layout = _layout(runs, keys)
    figures = [name for name in SHOWN if any(one.values.get(name) is not None for one in runs)]
    size = (1.5 + 4.8 * len(layout.panels), 0.8 + 3.6 * max(1, len(figures)))
    figure = Figure(figsize=size, layout='constrained')
    grid = figure.subplots(max(1, len(figures)), len(layout.panels), squeeze=False)
    for row, name in zip(grid, figures, strict=False):
        norm = _scale(layout, name)
        for axes, (label, part) in zip(row, layout.panels.items(), strict=True):
            _panel(axes, layout, keys, _cells(layout, part, name), norm)
            axes.set_title(label, fontsize=9, loc='left')
        figure.colorbar(ScalarMappable(norm, 'viridis'), ax=list(row), label=name)
    figure.suptitle(f'{title}: median over seeds and other parameters; x: never')
    save_picture(figure, path)
    return True


def _layout(runs: Sequence[MeasuredFigures], keys: dict[str, list[Any]]) -> PanelGrid:
    """Use the parameters with most values as axes, and the law, else another, for the panels."""
    by_size = sorted(keys, key=lambda key: (key == CONTROLLER, -len(keys[key])))
    x, y, *others = by_size
    others.sort(key=lambda key: key != CONTROLLER)
    panel = next((key for key in others if len(keys[key]) <= MAX_PANELS), None)
    if panel is None:
        return PanelGrid(x, y, {'': list(runs)})
    parts = {
        f'{panel.partition(".")[2]} = {as_text(value)}': [
            one for one in runs if one.run.point.values[panel] == value
        ]
        for value in keys[panel]
    }
    return PanelGrid(x, y, parts)


def _cells(layout: PanelGrid, runs: Sequence[MeasuredFigures], name: str) -> dict[Cell, float]:
    """Return the median of a figure by the values of both axes, where there is one."""
    found: dict[Cell, list[MeasuredFigures]] = {}
    for one in runs:
        values = one.run.point.values
        found.setdefault((values[layout.x], values[layout.y]), []).append(one)
    medians = {place: middle(part, name) for place, part in found.items()}
    return {place: median for place, median in medians.items() if median is not None}


def _scale(layout: PanelGrid, name: str) -> Normalize:
    """Return one scale of colours for all panels."""
    found = [v for part in layout.panels.values() for v in _cells(layout, part, name).values()]
    finite = [value for value in found if math.isfinite(value)]
    return Normalize(min(finite, default=0.0), max(finite, default=1.0))


def _panel(
    axes: Axes,
    layout: PanelGrid,
    keys: dict[str, list[Any]],
    cells: dict[Cell, float],
    norm: Normalize,
) -> None:
    xs, ys = keys[layout.x], keys[layout.y]
    axes.set_xlabel(layout.x)
    axes.set_ylabel(layout.y)
    if max(len(xs), len(ys)) > MAX_CELLS:
        _dots(axes, cells, norm)
        return
    columns, rows = ({value: i for i, value in enumerate(values)} for values in (xs, ys))
    medians = np.full((len(ys), len(xs)), np.nan)
    for (x, y), value in cells.items():
        medians[rows[y], columns[x]] = value
    axes.imshow(np.where(np.isinf(medians), np.nan, medians), norm=norm, origin='lower',
                aspect='auto', cmap='viridis')  # fmt: skip
    axes.set_xticks(range(len(xs)), _ticks(xs), rotation=30, ha='right', fontsize=8)
    axes.set_yticks(range(len(ys)), _ticks(ys), fontsize=8)
    if medians.size <= MAX_NUMBERS:
        _numbers(axes, medians, norm)


def _ticks(values: Sequence[Any]) -> list[str]:
    """Return values as texts; None is one that the law does not have."""
    return ['-' if value is None else as_text(value) for value in values]


def _numbers(axes: Axes, medians: Any, norm: Normalize) -> None:
    for (i, k), value in np.ndenumerate(medians):
        if np.isnan(value):
            continue
        text = 'x' if np.isinf(value) else f'{value:.3g}'
        dark = np.isinf(value) or float(norm(value)) > 0.6
        axes.text(k, i, text, ha='center', va='center', fontsize=7,
                  color='black' if dark else 'white')  # fmt: skip


def _dots(axes: Axes, cells: dict[Cell, float], norm: Normalize) -> None:
    """Draw a dot per point: a random design has no cells."""
    finite = {place: value for place, value in cells.items() if math.isfinite(value)}
    x, y = _coordinates(finite)
    axes.scatter(x, y, c=list(finite.values()), s=18, norm=norm, cmap='viridis')
    x, y = _coordinates([place for place in cells if place not in finite])
    axes.scatter(x, y, c='red', marker='x', s=18)


def _coordinates(places: Iterable[Cell]) -> tuple[list[Any], list[Any]]:
    """Return both coordinates of the points; values that are not numbers as text."""
    plain = [[v if is_number(v) else str(v) for v in place] for place in places]
    return [x for x, _ in plain], [y for _, y in plain]


HEAT_MAP, BOXES, CURVES = 'heat_map.png', 'boxes.png', 'convergence.png'


def draw_sweep(
    folder: Path, title: str, runs: Sequence[MeasuredFigures], curves: Callable[[SweptRun], Curves]
) -> Iterator[Path]:
    """Draw the plots of a sweep, one at a time; the heat map only if two parameters vary.

    Args:
        folder: Output folder.
        title: Title of the plots.
        runs: Finished runs, at least one.
        curves: Returns the curves of a run.
    """
    if draw_heat_map(folder / HEAT_MAP, title, runs):
        yield folder / HEAT_MAP
    draw_boxes(folder / BOXES, title, runs)
    yield folder / BOXES
    draw_curves(folder / CURVES, title, runs, curves)
    yield folder / CURVES
