"""The tables of a study as Markdown, for a page of documentation."""

from collections.abc import Iterable, Iterator, Mapping

from soliton_encirclement_ros.analysis.law_study.law_contrasts import Contrast
from soliton_encirclement_ros.analysis.law_study.median_ratios import (
    best_laws,
    by_setting,
    medians_of,
)
from soliton_encirclement_ros.analysis.law_study.study_counts import tallies
from soliton_encirclement_ros.analysis.law_study.study_findings import StudyFindings
from soliton_encirclement_ros.analysis.law_study.study_texts import Line, gain_lines, tally_lines
from soliton_encirclement_ros.core.law_study.study_metrics import METRICS
from soliton_encirclement_ros.core.law_study.study_records import Condition

SHOWN = 2
"""So many metrics, the first ones, have a table per setting and a picture."""

SIGNS = {'better': '+', 'worse': '−', 'open': ''}

COUNTS = (
    'In how many of {conditions} conditions `{chosen}` is significantly better (+) and worse (−), '
    'and the median over the conditions of the ratio `{chosen}` / other.'
)
NOTE = (
    'Below: medians over {seeds} seeds, the best law bold. In brackets: seeds in which `{chosen}` '
    'is better, with + if it is significantly better than that law, with − if worse (Wilcoxon '
    'signed-rank test, 5 %, corrected by Holm over all comparisons of the metric).'
)


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
        _table(quoted(tally_lines(tallies(findings.laws)))),
        COUNTS.format(conditions=len(outline.conditions), chosen=outline.chosen),
        NOTE.format(seeds=outline.seeds, chosen=outline.chosen),
    ]
    for metric in outline.metrics[:SHOWN]:
        blocks += _metric_blocks(findings, metric)
    if outline.ablations:
        blocks += [
            '## Ablation',
            _table(quoted(tally_lines(tallies(findings.ablations)))),
        ]
    if findings.tuned:
        blocks += ['## Gains that tuning found', _table(quoted(gain_lines(findings.tuned)))]
    return '\n\n'.join(blocks) + '\n'


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


def quoted(lines: Iterable[Line]) -> Iterator[Line]:
    """Iterate over the lines of a table with the names of laws as code."""
    for i, (first, *others) in enumerate(lines):
        yield [f'`{first}`' if i else first, *others]
