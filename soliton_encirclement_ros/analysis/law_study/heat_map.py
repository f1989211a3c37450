"""Heat map of a study: the ratio of every law's median to the best other, per condition."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from soliton_encirclement_ros.analysis.law_study.median_ratios import (
    Medians,
    by_setting,
    medians_of,
    ratio_to_best,
)
from soliton_encirclement_ros.analysis.law_study.study_findings import StudyFindings
from soliton_encirclement_ros.analysis.law_study.svg import MUTED, box, picture, text, width_of
from soliton_encirclement_ros.core.law_study.study_metrics import METRICS
from soliton_encirclement_ros.core.law_study.study_records import Condition

BETTER, EVEN, WORSE, NOTHING = (33, 102, 172), (247, 247, 247), (178, 24, 43), '#ffffff'
FACTOR = 2.0
"""Ratios beyond this factor, either way, have the same colour."""

LARGEST = 99.5
"""Larger ratios are not written out."""

SIDE_BY_SIDE = 2
"""Settings beside each other."""

COLUMN, ROW, SIZE, HEAD, GAP, SLANT = 42.0, 17.0, 11.0, 18.0, 26.0, 35.0
"""Width of a column and height of a row, font, heading of a panel, gap [px]; slant of names
[deg]."""


class Panel(NamedTuple):
    """One setting: its rows, and its columns with what they are compared with."""

    setting: str
    conditions: Sequence[Condition]
    columns: Mapping[str, Sequence[str]]


def heat_map(
    findings: StudyFindings, metric: str, columns: Mapping[str, Sequence[str]], title: str
) -> str:
    """Return the heat map of a metric as SVG: a panel per setting, cases by laws.

    Args:
        findings: The findings.
        metric: Name of the metric.
        columns: The laws, each with those to whose best it is compared.
        title: Says what the ratio is.
    """
    medians = medians_of(findings, metric)
    panels = [
        Panel(setting, conditions, columns)
        for setting, conditions in by_setting(findings.outline.conditions).items()
    ]
    across = min(SIDE_BY_SIDE, len(panels))
    left = 12.0 + max(width_of(one.case, SIZE) for one in findings.outline.conditions)
    slant = math.radians(SLANT)
    names = [width_of(law, SIZE) for law in columns]
    top = max(names) * math.sin(slant) + ROW
    wide = left + COLUMN * len(names) + max(GAP, names[-1] * math.cos(slant) - 0.5 * COLUMN)
    elements = [text(GAP / 2, 20.0, f'{METRICS[metric].label}: {title}', 14.0)]
    y = 34.0
    for i in range(0, len(panels), across):
        line = panels[i : i + across]
        for k, panel in enumerate(line):
            elements += _panel(panel, metric, medians, (k * wide + left, y + HEAD + top))
            elements.append(text(k * wide + GAP / 2, y + HEAD, panel.setting, 13.0, colour=MUTED))
        y += HEAD + top + ROW * max(len(panel.conditions) for panel in line) + GAP
    return picture(max(across * wide, 360.0), y, elements)


def _panel(
    panel: Panel,
    metric: str,
    medians: dict[Condition, dict[str, float | None]],
    corner: tuple[float, float],
) -> Iterator[str]:
    x0, y0 = corner
    for k, law in enumerate(panel.columns):
        yield text(x0 + (k + 0.4) * COLUMN, y0 - 5.0, law, SIZE, turn=-SLANT)
    for i, condition in enumerate(panel.conditions):
        y = y0 + i * ROW
        yield text(x0 - 6.0, y + 0.72 * ROW, condition.case, SIZE, 'end')
        for k, (law, others) in enumerate(panel.columns.items()):
            ratio = ratio_to_best(metric, medians[condition], law, others)
            yield from _cell((x0 + k * COLUMN, y), ratio, _title(medians[condition], law))


def _title(medians: Medians, law: str) -> str:
    value = medians[law]
    return f'{law}: no value' if value is None else f'{law}: median {value:.4g}'


def _cell(corner: tuple[float, float], ratio: float | None, title: str) -> Iterator[str]:
    x, y = corner
    share = 0.0 if not ratio else max(-1.0, min(1.0, math.log(ratio) / math.log(FACTOR)))
    yield box(x, y, COLUMN - 1.0, ROW - 1.0, NOTHING if ratio is None else _colour(share), title)
    shown = '–' if ratio is None else f'{ratio:.2f}' if ratio < LARGEST else '>99'
    ink = '#ffffff' if abs(share) > 0.65 else '#1b1f23'
    yield text(x + 0.5 * COLUMN, y + 0.72 * ROW, shown, SIZE - 1.0, 'middle', ink)


def _colour(share: float) -> str:
    """Return a colour between that of even and that of better (-1) or worse (1)."""
    end = BETTER if share < 0.0 else WORSE
    mixed = (round(a + abs(share) * (b - a)) for a, b in zip(EVEN, end, strict=True))
    return '#' + ''.join(f'{one:02x}' for one in mixed)


def law_map(findings: StudyFindings, metric: str) -> str:
    """Return the heat map of all laws, each beside the best of its rivals."""
    outline = findings.outline
    columns = {law: outline.rivals(law) for law in outline.laws}
    return heat_map(findings, metric, columns, 'median / best other law')


def ablation_map(findings: StudyFindings, metric: str) -> str:
    """Return the heat map of the ablations, each beside the chosen law."""
    outline = findings.outline
    columns = dict.fromkeys(outline.ablations, (outline.chosen,))
    return heat_map(findings, metric, columns, f'median / {outline.chosen}')
