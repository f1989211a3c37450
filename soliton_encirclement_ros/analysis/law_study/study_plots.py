"""Heat map and forest plot of a study, as SVG small enough for thousands of marks on a page.

The heat map has the ratio of every law's median to the best other, per condition; the forest plot
the chosen law over each other, with 95 % intervals.
"""

import html
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from soliton_encirclement_ros.analysis.law_study.law_contrasts import Contrast
from soliton_encirclement_ros.analysis.law_study.study_findings import (
    Medians,
    StudyFindings,
    by_setting,
    medians_of,
    ratio_to_best,
)
from soliton_encirclement_ros.core.run.experiment_records import METRICS, Condition

INK, MUTED, LINE = '#1b1f23', '#5c666f', '#dfe2e5'
FONT = 'system-ui, &quot;Segoe UI&quot;, Roboto, &quot;DejaVu Sans&quot;, sans-serif'
WIDTH_OF_LETTER = 0.58
"""Mean width of a letter, share of the size of its font."""


def picture(width: float, height: float, elements: Iterable[str]) -> str:
    """Return a picture on white ground [px]."""
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    ground = f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}">{ground}'
        f'{"".join(elements)}</svg>'
    )


def text(
    x: float, y: float, content: str, size: float = 11.0, anchor: str = 'start',
    colour: str = INK, turn: float = 0.0,
) -> str:
    """Return a text.

    Args:
        x: Place of its anchor [px], to the right.
        y: Its base line [px], downwards.
        content: The text.
        size: Size of the font [px].
        anchor: ``start``, ``middle`` or ``end``.
        colour: Its colour.
        turn: Turned clockwise by so much [deg].
    """  # fmt: skip
    place = f'x="{x:.1f}" y="{y:.1f}"'
    if turn:
        place = f'transform="translate({x:.1f} {y:.1f}) rotate({turn:g})"'
    return (
        f'<text {place} font-size="{size:g}" text-anchor="{anchor}" fill="{colour}">'
        f'{html.escape(content)}</text>'
    )


def box(x: float, y: float, width: float, height: float, fill: str, title: str = '') -> str:
    """Return a filled rectangle; its title appears under the mouse."""
    told = f'<title>{html.escape(title)}</title>' if title else ''
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}">'
        f'{told}</rect>'
    )


def line(x0: float, y0: float, x1: float, y1: float, colour: str, width: float = 1.0) -> str:
    """Return a straight line."""
    return (
        f'<path d="M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}" stroke="{colour}" '
        f'stroke-width="{width:g}"/>'
    )


def dot(x: float, y: float, radius: float, fill: str, title: str = '') -> str:
    """Return a filled circle; its title appears under the mouse."""
    told = f'<title>{html.escape(title)}</title>' if title else ''
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{fill}">{told}</circle>'


def width_of(content: str, size: float) -> float:
    """Return about how wide a text is [px]."""
    return WIDTH_OF_LETTER * size * len(content)


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
            elements += _map_panel(panel, metric, medians, (k * wide + left, y + HEAD + top))
            elements.append(text(k * wide + GAP / 2, y + HEAD, panel.setting, 13.0, colour=MUTED))
        y += HEAD + top + ROW * max(len(panel.conditions) for panel in line) + GAP
    return picture(max(across * wide, 360.0), y, elements)


def _map_panel(
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
            yield from _cell((x0 + k * COLUMN, y), ratio, _map_title(medians[condition], law))


def _map_title(medians: Medians, law: str) -> str:
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


COLOURS = {'better': '#1769cc', 'worse': '#cc2020', 'open': '#9aa2aa'}
"""By the verdict on the chosen law."""

WIDEST = 10.0
"""Ratios beyond this factor, either way, are drawn at the edge."""

TICKS = (0.2, 0.5, 1.0, 2.0, 5.0)
WIDTH, PLOT_GAP, PLOT_ROW, LETTERS, PLOT_HEAD, EDGE = 112.0, 12.0, 15.0, 11.0, 40.0, 14.0
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
    left = EDGE + 8.0 + max(width_of(one.case, LETTERS) for one in conditions)
    chosen = findings.outline.chosen
    elements = [
        text(EDGE, 22.0, f'{METRICS[metric].label}: {chosen} / other law', 14.0),
        text(EDGE, 40.0, 'median of the ratios, 95 % interval; coloured: significant', LETTERS,
             colour=MUTED),
    ]  # fmt: skip
    y = 50.0
    for setting, cases in by_setting(conditions).items():
        elements.append(text(EDGE, y + 16.0, setting, 13.0, colour=MUTED))
        for i, one in enumerate(cases):
            place = y + PLOT_HEAD + (i + 0.5) * PLOT_ROW
            elements.append(text(left - 8.0, place + 4.0, one.case, LETTERS, 'end'))
        for k, other in enumerate(others):
            panel = [rows.get((setting, one.case, other)) for one in cases]
            corner = (left + k * (WIDTH + PLOT_GAP), y + PLOT_HEAD)
            elements += _forest_panel(panel, f'/ {other}', corner, reach)
        y += PLOT_HEAD + PLOT_ROW * len(cases) + 26.0
    return picture(max(left + len(others) * (WIDTH + PLOT_GAP) + EDGE, 400.0), y, elements)


def _reach(rows: Sequence[Contrast]) -> float:
    """Return the largest ratio of the axis; the smallest one is its inverse."""
    found = [end for row in rows for end in (row.ratio, row.ratio_low, row.ratio_high) if end]
    largest = max([1.5, *(max(end, 1.0 / end) for end in found)])
    return min(WIDEST, 1.1 * largest)


def _forest_panel(
    rows: Sequence[Contrast | None], title: str, corner: tuple[float, float], reach: float
) -> Iterator[str]:
    x0, y0 = corner
    height = PLOT_ROW * len(rows)

    def place(ratio: float) -> float:
        share = math.log(max(1.0 / reach, min(reach, ratio))) / math.log(reach)
        return x0 + 0.5 * WIDTH * (1.0 + share)

    yield box(x0, y0, WIDTH, height, '#f7f7f5')
    yield text(x0 + 0.5 * WIDTH, y0 - 6.0, title, LETTERS, 'middle')
    for tick in TICKS:
        if 1.0 / reach <= tick <= reach:
            yield line(place(tick), y0, place(tick), y0 + height, MUTED if tick == 1.0 else LINE)
            yield text(place(tick), y0 + height + 13.0, f'{tick:g}', LETTERS - 2.0, 'middle', INK)
    for i, row in enumerate(rows):
        if row is None or row.ratio is None:
            continue
        y, colour = y0 + (i + 0.5) * PLOT_ROW, COLOURS[row.verdict]
        if row.ratio_low is not None and row.ratio_high is not None:
            yield line(place(row.ratio_low), y, place(row.ratio_high), y, colour, 1.6)
        yield dot(place(row.ratio), y, 3.0, colour, _forest_title(row))


def _forest_title(row: Contrast) -> str:
    return f'{row.case}: {row.ratio:.3g}, better in {row.better} of {row.pairs} seeds'
