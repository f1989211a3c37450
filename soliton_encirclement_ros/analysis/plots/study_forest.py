"""Forest plot of a study: the chosen law over each other, with 95 % intervals."""

from collections.abc import Sequence

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from soliton_encirclement_ros.analysis.law_study.law_contrasts import Contrast
from soliton_encirclement_ros.analysis.law_study.median_ratios import by_setting
from soliton_encirclement_ros.analysis.law_study.study_findings import StudyFindings
from soliton_encirclement_ros.core.law_study.study_metrics import METRICS
from soliton_encirclement_ros.core.law_study.study_records import Condition

mpl.use('Agg')

COLOURS = {'better': '#1f78e6', 'worse': '#d92626', 'open': '#8a929a'}
"""By the verdict on the chosen law."""

WIDEST = 20.0
"""Ratios beyond this factor, either way, lie outside of the plot."""

LEAST_WIDTH = 5.5
"""Width of the figure that its title needs [inches]."""

TICKS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


def study_forest(
    findings: StudyFindings, metric: str, contrasts: Sequence[Contrast], others: Sequence[str]
) -> Figure:
    """Return the forest plot of a metric: a row of panels per setting, a column per other law.

    Args:
        findings: The findings.
        metric: Name of the metric.
        contrasts: Comparisons of the chosen law.
        others: The other laws, in order.
    """
    rows = [one for one in contrasts if one.metric == metric]
    panels = by_setting(findings.outline.conditions)
    heights = [0.9 + 0.22 * len(conditions) for conditions in panels.values()]
    size = (max(LEAST_WIDTH, 2.4 + 1.5 * len(others)), 1.1 + sum(heights))
    figure = Figure(figsize=size, layout='constrained')
    grid = figure.subplots(
        len(panels), len(others), squeeze=False, sharex=True, sharey='row',
        gridspec_kw={'height_ratios': heights},
    )  # fmt: skip
    reach = _reach(rows)
    for line, (setting, conditions) in zip(grid, panels.items(), strict=True):
        for axes, other in zip(line, others, strict=True):
            mine = [row for row in rows if (row.setting, row.other) == (setting, other)]
            _panel(axes, conditions, mine)
            axes.set_xlim(1.0 / reach, reach)
        line[0].set_yticks(range(len(conditions)), [one.case for one in conditions], fontsize=8)
        line[0].set_ylim(len(conditions) - 0.4, -0.6)
        line[0].set_title(setting, fontsize=9, loc='left', pad=18)
    for axes, other in zip(grid[0], others, strict=True):
        axes.annotate(
            f'/ {other}', (0.5, 1.0), (0, 4), xycoords='axes fraction',
            textcoords='offset points', ha='center', va='bottom', fontsize=8,
        )  # fmt: skip
    title = f'{METRICS[metric].label}: {findings.outline.chosen} / other, median of the ratios'
    figure.suptitle(f'{title},\n95 % interval; coloured: significant', fontsize=10)
    return figure


def _reach(rows: Sequence[Contrast]) -> float:
    """Return the largest ratio that is drawn, either way."""
    ends = [end for row in rows for end in (row.ratio, row.ratio_low, row.ratio_high) if end]
    return min(WIDEST, max([1.5, *(max(end, 1.0 / end) for end in ends)]) * 1.1)


def _panel(axes: Axes, conditions: Sequence[Condition], rows: Sequence[Contrast]) -> None:
    axes.set_xscale('log')
    axes.axvline(1.0, color='#5c666f', linewidth=0.8)
    axes.set_xticks(TICKS, [f'{tick:g}' for tick in TICKS], fontsize=7)
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.tick_params(which='both', length=2)
    axes.grid(visible=True, axis='y', alpha=0.3)
    places = {one.case: i for i, one in enumerate(conditions)}
    for row in rows:
        if row.ratio is None:
            continue
        colour, place = COLOURS[row.verdict], places[row.case]
        if row.ratio_low is not None and row.ratio_high is not None:
            axes.plot([row.ratio_low, row.ratio_high], [place, place], color=colour, linewidth=1.2)
        axes.plot([row.ratio], [place], 'o', color=colour, markersize=3.5)
