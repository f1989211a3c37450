"""Plots of a comparison: median and range of several laws over time, or aligned recordings."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from soliton_encirclement_ros.analysis.comparison_records import (
    FAILURE,
    MOTION,
    NONE,
    START,
    RecordingComparison,
)
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
from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.analysis.recording_comparison import common_times
from soliton_encirclement_ros.analysis.resampling import interpolated
from soliton_encirclement_ros.core.ring.metrics import METRIC_TEXTS, SAMPLE_TEXTS

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


def draw_comparison(
    path: Path, title: str, runs: Mapping[str, Sequence[Series]],
    band: tuple[float, float] = ALL, reach: str = 'from best to worst',
) -> None:  # fmt: skip
    """Draw metrics over time.

    Args:
        path: File to write; its suffix selects the format.
        title: Title of the plot.
        runs: For every law the samples of its runs, by metric, with their ``time`` [s].
        band: Percentiles at the edges of the band.
        reach: What these are, for the title.
    """
    figure = Figure(figsize=(11, 8), layout='constrained')
    rows: Sequence[Axes] = figure.subplots(len(SHOWN_METRICS), 1, sharex=True)
    for axes, metric in zip(rows, SHOWN_METRICS, strict=True):
        for i, (law, series) in enumerate(runs.items()):
            _draw_law(axes, law, on_common_times(series, metric), COLOURS[i % len(COLOURS)], band)
        label_metric(axes, metric)
    if runs:
        rows[0].legend(loc='upper right', fontsize=8)
    rows[-1].set_xlabel('time [s]')
    count = max((len(series) for series in runs.values()), default=0)
    text = f': median of {count} runs, band {reach}' if count > 1 else ''
    figure.suptitle(f'{title}{text}')
    save_picture(figure, path)


def _draw_law(
    axes: Axes, law: str, samples: tuple[Floats, Floats], colour: str, band: tuple[float, float]
) -> None:
    """Draw one law up to the end of its shortest run."""
    times, values = samples
    middle, low, high = median_and_band(values, band)
    axes.plot(times, middle, color=colour, linewidth=1.3, label=law)
    if len(values) > 1:
        axes.fill_between(times, low, high, color=colour, alpha=0.15, lw=0)


def on_common_times(series: Sequence[Series], metric: str) -> tuple[Floats, Floats]:
    """Return the common times of all runs (T,), and the metric of every run (N, T).

    Runs of different telemetry rates are resampled to the lowest rate.
    """
    own = [np.asarray(one['time'], float) for one in series]
    times = common_times(own)
    values = [
        interpolated(time, np.asarray(one[metric], float), times)
        for time, one in zip(own, series, strict=True)
    ]
    return times, np.array(values)


def draw_recordings(path: Path, comparison: RecordingComparison) -> None:
    """Draw every curve of some recordings, aligned, on one time base.

    Args:
        path: File to write; its suffix selects the format.
        comparison: The comparison.
    """
    names = list(comparison.curves)
    figure = Figure(figsize=(11, 2.2 * len(names) + 1), layout='constrained')
    rows: Sequence[Axes] = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(rows, names, strict=True):
        for i, (side, values) in enumerate(
            zip(comparison.sides, comparison.curves[name], strict=True)
        ):
            if values is not None:
                colour, style = COLOURS[i % len(COLOURS)], STYLES[i // len(COLOURS) % len(STYLES)]
                axes.plot(
                    comparison.time, values, style, color=colour, linewidth=1.2, label=side.name
                )
        text = SAMPLE_TEXTS[name]
        unit = f' [{text.unit}]' if text.unit else ''
        axes.set_ylabel(f'{name}{unit}')
        axes.set_title(text.title if name in METRIC_TEXTS else '', fontsize=9, loc='left')
        axes.grid(visible=True, alpha=0.4)
    handles, labels = zip(
        *dict((label, handle) for axes in rows
              for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)).items(),
        strict=True,
    )  # fmt: skip
    figure.legend(labels, handles, loc='outside upper center', ncols=4)
    rows[-1].set_xlabel(f'time [s], 0: {ZERO[comparison.align]}')
    save_picture(figure, path)
