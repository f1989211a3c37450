"""The tables of a study as Markdown, for a page of documentation."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from soliton_encirclement_ros.analysis.law_study.law_contrasts import Contrast
from soliton_encirclement_ros.analysis.law_study.median_ratios import (
    best_laws,
    by_setting,
    medians_of,
)
from soliton_encirclement_ros.analysis.law_study.study_counts import Tally, tallies
from soliton_encirclement_ros.analysis.law_study.study_findings import StudyFindings, TunedGains
from soliton_encirclement_ros.core.law_study.study_metrics import METRICS
from soliton_encirclement_ros.core.law_study.study_records import Condition

SHOWN = 2
"""So many metrics, the first ones, have a table per setting and a picture."""

SIGNS = {'better': '+', 'worse': '−', 'open': ''}

NOTE = (
    'Medians over {seeds} seeds, the best law bold. In brackets: seeds in which `{chosen}` is '
    'better, with + if it is significantly better than that law, with − if worse (Wilcoxon '
    'signed-rank test, 5 %, corrected by Holm over all comparisons of the metric).'
)

Line = Sequence[str]


def study_markdown(findings: StudyFindings, pictures: Mapping[str, str]) -> str:
    """Return all tables.

    Args:
        findings: The findings.
        pictures: File names of pictures by title; they come first.
    """
    outline = findings.outline
    blocks = [
        *(f'![{title}]({name})' for title, name in pictures.items()),
        f'## `{outline.chosen}` against each other law',
        _table(tally_lines(tallies(findings.laws), outline.chosen)),
        NOTE.format(seeds=outline.seeds, chosen=outline.chosen),
    ]
    for metric in outline.metrics[:SHOWN]:
        blocks += _metric_blocks(findings, metric)
    if outline.ablations:
        blocks += [
            '## Ablation',
            _table(tally_lines(tallies(findings.ablations), outline.chosen)),
        ]
    if findings.tuned:
        blocks += ['## Gains that tuning found', _table(gain_lines(findings.tuned))]
    return '\n\n'.join(blocks) + '\n'


def tally_lines(rows: Sequence[Tally], chosen: str) -> Iterator[Line]:
    """Iterate over the lines of a table of tallies, after the heading."""
    yield (
        'metric', 'against', f'`{chosen}` better', 'worse', 'conditions', 'seeds won',
        'median ratio',
    )  # fmt: skip
    for row in rows:
        ratio = '–' if row.ratio is None else f'{row.ratio:.2f}'
        counts = (row.better, row.worse, row.conditions)
        won = f'{row.won} of {row.pairs}'
        yield METRICS[row.metric].label, f'`{row.other}`', *map(str, counts), won, ratio


def gain_lines(rows: Sequence[TunedGains]) -> Iterator[Line]:
    """Iterate over the lines of a table of tuned gains, after the heading."""
    yield 'law', 'gains', 'cost', 'as shipped', 'sets tried', 'flights'
    for row in rows:
        gains = ', '.join(f'{key.partition(".")[2]} {_gain(value)}'
                          for key, value in row.gains.items())  # fmt: skip
        costs = ('–' if one is None else f'{one:.3f}' for one in (row.cost, row.shipped_cost))
        counts = (str(row.candidates), str(row.flights))
        yield f'`{row.law}`', gains or 'as shipped', *costs, *counts


def _gain(value: Any) -> str:
    return f'{value:.3g}' if isinstance(value, float) else str(value)


def _metric_blocks(findings: StudyFindings, metric: str) -> Iterator[str]:
    """Iterate over the tables of a metric: one per setting."""
    medians = medians_of(findings, metric)
    outline = findings.outline
    rows = {(Condition(one.case, one.setting), one.other): one
            for one in findings.laws if one.metric == metric}  # fmt: skip
    for setting, conditions in by_setting(outline.conditions).items():
        yield f'## {METRICS[metric].label}{", " if setting else ""}{setting}'
        lines = [['', *(f'`{law}`' for law in outline.laws)]]
        for one in conditions:
            best = best_laws(metric, medians[one], outline.laws)
            cells = [
                _cell(medians[one][law], law in best, rows.get((one, law)))
                for law in outline.laws
            ]
            lines.append([one.case, *cells])
        yield _table(lines)


def _cell(median: float | None, is_best: bool, contrast: Contrast | None) -> str:
    if median is None:
        return '–'
    text = f'**{median:.3g}**' if is_best else f'{median:.3g}'
    if contrast is None or not contrast.pairs:
        return text
    return f'{text} ({contrast.better}{SIGNS[contrast.verdict]})'


def _table(lines: Iterable[Line]) -> str:
    first, *others = lines
    rows = [first, ['---'] * len(first), *others]
    return '\n'.join('| ' + ' | '.join(row) + ' |' for row in rows)
