"""Forest plot of a study: the chosen law over each other, with 95 % intervals."""

import math
from collections.abc import Iterator, Sequence

from soliton_encirclement_ros.analysis.law_study.law_contrasts import Contrast
from soliton_encirclement_ros.analysis.law_study.median_ratios import by_setting
from soliton_encirclement_ros.analysis.law_study.study_findings import StudyFindings
from soliton_encirclement_ros.analysis.law_study.svg import (
    INK,
    LINE,
    MUTED,
    box,
    dot,
    line,
    picture,
    text,
    width_of,
)
from soliton_encirclement_ros.core.law_study.study_metrics import METRICS

COLOURS = {'better': '#1769cc', 'worse': '#cc2020', 'open': '#9aa2aa'}
"""By the verdict on the chosen law."""

WIDEST = 10.0
"""Ratios beyond this factor, either way, are drawn at the edge."""

TICKS = (0.2, 0.5, 1.0, 2.0, 5.0)
WIDTH, GAP, ROW, SIZE, HEAD, EDGE = 112.0, 12.0, 15.0, 11.0, 40.0, 14.0
"""Width of a panel, gap, height of a row, font, heading and edge [px]."""


def forest_plot(findings: StudyFindings, metric: str) -> str:
    """Return the forest plot of a metric as SVG: panels of a setting in a row, one per other law.

    Args:
        findings: The findings.
        metric: Name of the metric.
    """
    conditions, others = findings.outline.conditions, findings.outline.others
    compared = [one for one in findings.laws if one.metric == metric]
    rows = {(one.setting, one.case, one.other): one for one in compared}
    reach = _reach(compared)
    left = EDGE + 8.0 + max(width_of(one.case, SIZE) for one in conditions)
    chosen = findings.outline.chosen
    elements = [
        text(EDGE, 22.0, f'{METRICS[metric].label}: {chosen} / other law', 14.0),
        text(EDGE, 40.0, 'median of the ratios, 95 % interval; coloured: significant', SIZE,
             colour=MUTED),
    ]  # fmt: skip
    y = 50.0
    for setting, cases in by_setting(conditions).items():
        elements.append(text(EDGE, y + 16.0, setting, 13.0, colour=MUTED))
        for i, one in enumerate(cases):
            place = y + HEAD + (i + 0.5) * ROW
            elements.append(text(left - 8.0, place + 4.0, one.case, SIZE, 'end'))
        for k, other in enumerate(others):
            panel = [rows.get((setting, one.case, other)) for one in cases]
            corner = (left + k * (WIDTH + GAP), y + HEAD)
            elements += _panel(panel, f'/ {other}', corner, reach)
        y += HEAD + ROW * len(cases) + 26.0
    return picture(max(left + len(others) * (WIDTH + GAP) + EDGE, 400.0), y, elements)


def _reach(rows: Sequence[Contrast]) -> float:
    """Return the largest ratio of the axis; the smallest one is its inverse."""
    found = [end for row in rows for end in (row.ratio, row.ratio_low, row.ratio_high) if end]
    largest = max([1.5, *(max(end, 1.0 / end) for end in found)])
    return min(WIDEST, 1.1 * largest)


def _panel(
    rows: Sequence[Contrast | None], title: str, corner: tuple[float, float], reach: float
) -> Iterator[str]:
    x0, y0 = corner
    height = ROW * len(rows)

    def place(ratio: float) -> float:
        share = math.log(max(1.0 / reach, min(reach, ratio))) / math.log(reach)
        return x0 + 0.5 * WIDTH * (1.0 + share)

    yield box(x0, y0, WIDTH, height, '#f7f7f5')
    yield text(x0 + 0.5 * WIDTH, y0 - 6.0, title, SIZE, 'middle')
    for tick in TICKS:
        if 1.0 / reach <= tick <= reach:
            yield line(place(tick), y0, place(tick), y0 + height, MUTED if tick == 1.0 else LINE)
            yield text(place(tick), y0 + height + 13.0, f'{tick:g}', SIZE - 2.0, 'middle', INK)
    for i, row in enumerate(rows):
        if row is None or row.ratio is None:
            continue
        y, colour = y0 + (i + 0.5) * ROW, COLOURS[row.verdict]
        if row.ratio_low is not None and row.ratio_high is not None:
            yield line(place(row.ratio_low), y, place(row.ratio_high), y, colour, 1.6)
        yield dot(place(row.ratio), y, 3.0, colour, _title(row))


def _title(row: Contrast) -> str:
    return f'{row.case}: {row.ratio:.3g}, better in {row.better} of {row.pairs} seeds'
