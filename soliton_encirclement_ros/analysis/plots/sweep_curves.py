"""Convergence curves of a sweep: median and percentile band of each group of runs."""

from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from soliton_encirclement_ros.analysis.bands import median_and_band
from soliton_encirclement_ros.analysis.plots.picture_file import save_picture
from soliton_encirclement_ros.analysis.plots.run_plots import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    RED,
    SHOWN_METRICS,
    label_metric,
)
from soliton_encirclement_ros.analysis.sweep.sweep_groups import groups
from soliton_encirclement_ros.analysis.sweep.sweep_tables import MeasuredFigures
from soliton_encirclement_ros.core.run.sweep_runs import Curves, SweptRun

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
