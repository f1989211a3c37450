"""Box plots of a sweep: distribution of the figures in each group of runs."""

import math
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from soliton_encirclement_ros.analysis.plots.picture_file import save_picture
from soliton_encirclement_ros.analysis.sweep.sweep_groups import Grouped, groups
from soliton_encirclement_ros.analysis.sweep.sweep_tables import MeasuredFigures

mpl.use('Agg')

SHOWN = ('E_gap', 'E_r', 'settling_time', 'as_published/M1_P95_e_pooled')
MAX_BOXES = 24


def draw_boxes(path: Path, title: str, runs: Sequence[MeasuredFigures]) -> None:
    """Draw a panel per figure and a box per group; infinite values are counted above."""
    grouped = groups(runs, MAX_BOXES)
    shown = [name for name in SHOWN if any(one.values.get(name) is not None for one in runs)]
    panels = shown or list(SHOWN[:1])
    width = min(16.0, 4.0 + 0.55 * len(grouped))
    figure = Figure(figsize=(width, 1.8 + 2.4 * len(panels)), layout='constrained')
    rows: Sequence[Axes] = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(rows, panels, strict=True):
        _panel(axes, grouped, name)
    places = range(1, len(grouped) + 1)
    rows[-1].set_xticks(places, list(grouped), rotation=30, ha='right', fontsize=8)
    figure.suptitle(f'{title}: box of the middle half, line at the median, runs as dots')
    save_picture(figure, path)


def _panel(axes: Axes, grouped: Grouped, name: str) -> None:
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
