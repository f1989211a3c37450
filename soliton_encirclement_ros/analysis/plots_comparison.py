"""A picture of several laws over time: the median over their runs, and the band they stay in."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from soliton_encirclement_ros.analysis.plots import BLUE, GREEN, GREY, MEANINGS, ORANGE, RED

SHOWN = ('E_gap', 'E_r', 'G_max')
COLOURS = (BLUE, ORANGE, GREEN, RED, GREY)

Series = Mapping[str, Sequence[float]]


def draw_comparison(path: Path, title: str, runs: Mapping[str, Sequence[Series]]) -> None:
    """Draw metrics over time.

    Args:
        path: File to write; its suffix says the format.
        title: What was flown.
        runs: For every law the samples of its runs, by metric, with their ``time`` [s].
    """
    figure = Figure(figsize=(11, 8), layout='constrained')
    rows: Sequence[Axes] = figure.subplots(len(SHOWN), 1, sharex=True)
    for axes, metric in zip(rows, SHOWN, strict=True):
        for i, (law, series) in enumerate(runs.items()):
            _draw_law(axes, law, metric, series, COLOURS[i % len(COLOURS)])
        axes.set_ylabel(metric)
        axes.set_title(MEANINGS[metric], fontsize=9, loc='left')
        axes.grid(visible=True, alpha=0.4)
    rows[0].legend(loc='upper right')
    rows[-1].set_xlabel('time [s]')
    count = max((len(series) for series in runs.values()), default=0)
    band = f': median of {count} runs, band from best to worst' if count > 1 else ''
    figure.suptitle(f'{title}{band}')
    figure.savefig(path, dpi=110)


def _draw_law(
    axes: Axes, law: str, metric: str, series: Sequence[Series], colour: str
) -> None:
    """Draw one law; runs of different length count as far as the shortest goes."""
    length = min(len(one['time']) for one in series)
    values = np.array([one[metric][:length] for one in series])
    times = series[0]['time'][:length]
    axes.plot(times, np.median(values, axis=0), color=colour, linewidth=1.3, label=law)
    if len(series) > 1:
        axes.fill_between(times, values.min(0), values.max(0), color=colour, alpha=0.15, lw=0)
