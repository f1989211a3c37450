"""Heat map of a study: the ratio of every law's median to the best other, per condition."""

import math
from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from soliton_encirclement_ros.analysis.law_study.median_ratios import (
    by_setting,
    medians_of,
    ratio_to_best,
)
from soliton_encirclement_ros.analysis.law_study.study_findings import StudyFindings
from soliton_encirclement_ros.core.law_study.study_metrics import METRICS
from soliton_encirclement_ros.core.law_study.study_records import Condition

mpl.use('Agg')

COLOURS = 'RdBu_r'
FACTOR = 2.0
"""Ratios beyond this factor, either way, have the same colour."""

SIDE_BY_SIDE = 2
"""Settings beside each other."""

NORM = Normalize(-math.log(FACTOR), math.log(FACTOR))
TICKS = (0.5, 0.7, 1.0, 1.4, 2.0)


def study_heat_map(
    findings: StudyFindings, metric: str, laws: Sequence[str], others: Sequence[str], title: str
) -> Figure:
    """Return the heat map of a metric: a panel per setting, a row per case, a column per law.

    Args:
        findings: The findings.
        metric: Name of the metric.
        laws: The columns.
        others: The laws to whose best each is compared.
        title: Title of the figure.
    """
    medians = medians_of(findings, metric)
    panels = by_setting(findings.outline.conditions)
    across = min(SIDE_BY_SIDE, len(panels))
    down = -(-len(panels) // across)
    cases = max(map(len, panels.values()))
    size = (across * (2.6 + 0.55 * len(laws)) + 1.0, down * (1.5 + 0.22 * cases) + 0.6)
    figure = Figure(figsize=size, layout='constrained')
    grid = figure.subplots(down, across, squeeze=False)
    for axes in grid.flat[len(panels) :]:
        axes.set_axis_off()
    for axes, (setting, conditions) in zip(grid.flat, panels.items(), strict=False):
        ratios = [
            [ratio_to_best(metric, medians[one], law, others) for law in laws]
            for one in conditions
        ]
        _panel(axes, conditions, laws, ratios)
        axes.set_title(setting, fontsize=10, loc='left')
    bar = figure.colorbar(ScalarMappable(NORM, COLOURS), ax=grid, shrink=0.6, aspect=30)
    bar.set_ticks([math.log(tick) for tick in TICKS], labels=[f'{tick:g}' for tick in TICKS])
    figure.suptitle(f'{_label(metric)}: {title}', fontsize=11)
    return figure


def _label(metric: str) -> str:
    return METRICS[metric].label


def _panel(
    axes: Axes,
    conditions: Sequence[Condition],
    laws: Sequence[str],
    ratios: Sequence[Sequence[float | None]],
) -> None:
    values: Any = [[math.nan if not one else math.log(one) for one in row] for row in ratios]
    axes.imshow(np.array(values), norm=NORM, cmap=COLOURS, aspect='auto')
    axes.set_xticks(range(len(laws)), laws, rotation=35, ha='right', fontsize=8)
    axes.set_yticks(range(len(conditions)), [one.case for one in conditions], fontsize=8)
    axes.tick_params(length=0)
    for (i, k), value in np.ndenumerate(np.array(values)):
        ratio = ratios[i][k]
        is_dark = abs(value) > 0.6 * math.log(FACTOR)
        axes.text(k, i, '–' if ratio is None else f'{ratio:.2f}', ha='center', va='center',
                  fontsize=7, color='white' if is_dark else 'black')  # fmt: skip
