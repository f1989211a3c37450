"""Plots of a comparison: median and range of several laws over time, or aligned recordings."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from soliton_encirclement_ros.analysis.comparison_records import (
    FAILURE, MOTION, NONE, START, RecordingComparison
)
from soliton_encirclement_ros.analysis.plots.run_plots import (
    BLUE, GREEN, GREY, ORANGE, RED, SHOWN_METRICS, Picture, label_metric, save_picture
)
from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.analysis.recording_comparison import common_times
from soliton_encirclement_ros.analysis.resampling import interpolated

COLOURS = (BLUE, ORANGE, GREEN, RED, GREY, '#8a2be2', '#8c564b', '#17a2b8')

ALL = (0.0, 100.0)
"""Percentiles of a band from best to worst."""

STYLES = ('-', '--', ':')

ZERO = {
    MOTION: 'first motion',
    START: 'first sample',
    FAILURE: 'first failure',
    NONE: 'as recorded',
}

Series = Mapping[str, Sequence[float]]


def curves_of_runs(
    title: str, runs: Mapping[str, Sequence[Series]], band: tuple[float, float] = ALL,
    reach: str = 'from best to worst', metrics: Sequence[str] = SHOWN_METRICS, zero: str = '',
) -> Picture:  # fmt: skip
    """Return a picture of metrics over time.

    Args:
        title: Title of the plot.
        runs: For every law the samples of its runs, by metric, with their ``time`` [s].
        band: Percentiles at the edges of the band.
        reach: What these are, for the title.
        metrics: What is drawn; a run may lack some of it.
        zero: What is at time 0, if that is not the begin.
    """
    figure = Picture(figsize=(11, max(8.0, 2.2 * len(metrics) + 1)), layout='constrained')
    rows: Sequence[Axes] = figure.subplots(len(metrics), 1, sharex=True, squeeze=False)[:, 0]
    lines = {}
    for axes, metric in zip(rows, metrics, strict=True):
        for i, (law, law_runs) in enumerate(runs.items()):
            series = [run for run in law_runs if metric in run]
            if series:
                look = COLOURS[i % len(COLOURS)], STYLES[i // len(COLOURS) % len(STYLES)]
                lines[law] = _draw_law(axes, law, on_common_times(series, metric), look, band)
        label_metric(axes, metric)
    if lines:
        rows[0].legend(lines.values(), lines, loc='upper right', fontsize=8)
    rows[-1].set_xlabel(f'time [s], 0: {zero}' if zero else 'time [s]')
    count = max((len(series) for series in runs.values()), default=0)
    text = f': median of {count} runs, band {reach}' if count > 1 else ''
    figure.suptitle(f'{title}{text}')
    return figure


def _draw_law(
    axes: Axes, law: str, samples: tuple[Floats, Floats], look: tuple[str, str],
    band: tuple[float, float],
) -> Line2D:  # fmt: skip
    """Draw one law up to the end of its shortest run; return the line of its median."""
    times, values = samples
    middle, low, high = median_and_band(values, band)
    if len(values) > 1:
        axes.fill_between(times, low, high, color=look[0], alpha=0.15, lw=0)
    return axes.plot(times, middle, look[1], color=look[0], linewidth=1.3, label=law)[0]


def on_common_times(series: Sequence[Series], metric: str) -> tuple[Floats, Floats]:
    """Return the common times of all runs (T,), and the metric of every run (N, T).

    Runs of different telemetry rates are resampled to the lowest rate.
    """
    times_of = [np.asarray(run['time'], float) for run in series]
    times = common_times(times_of)
    values = [
        interpolated(time, np.asarray(run[metric], float), times)
        for time, run in zip(times_of, series, strict=True)
    ]
    return times, np.array(values)


def median_and_band(curves: Floats, band: tuple[float, float]) -> tuple[Floats, Floats, Floats]:
    """Return the median and the band edges of several curves (N, T), (T,) each.

    Unknown samples, NaN, are ignored; the result is NaN where all are unknown.
    """
    middle, low, high = np.full((3, curves.shape[1]), np.nan)
    known = ~np.isnan(curves).all(axis=0)
    if known.any():
        middle[known] = np.nanmedian(curves[:, known], axis=0)
        low[known], high[known] = np.nanpercentile(curves[:, known], band, axis=0)
    return middle, low, high


def draw_recordings(path: Path, comparison: RecordingComparison) -> None:
    """Draw every curve of some recordings, aligned, on one time base, into a file."""
    runs = {
        side.name: [{'time': comparison.time} | {
            name: values[i] for name, values in comparison.curves.items() if values[i] is not None
        }]
        for i, side in enumerate(comparison.sides)
    }  # fmt: skip
    picture = curves_of_runs(
        '', runs, metrics=[*comparison.curves], zero=ZERO[comparison.align]
    )
    save_picture(picture, path)
