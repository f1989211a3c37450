"""The page of a study and its tables as Markdown, with the lines that the terminal shares.

The page is one file that needs no network: heat map, forest plot, every comparison, gains.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from soliton_encirclement_ros.analysis.law_study.law_contrasts import Contrast, Tally, tallies
from soliton_encirclement_ros.analysis.law_study.study_findings import (
    StudyFindings,
    TunedGains,
    best_laws,
    by_setting,
    medians_of,
)
from soliton_encirclement_ros.analysis.law_study.study_plots import (
    ablation_map,
    forest_plot,
    law_map,
)
from soliton_encirclement_ros.analysis.report.page_markup import (
    HtmlColumn,
    asset,
    escaped,
    filled,
    folded,
    head,
    joined,
    json_text,
    nothing,
    table,
)
from soliton_encirclement_ros.core.run.experiment_records import METRICS, Condition

Line = Sequence[str]

NOTHING = '–'


def tally_lines(rows: Sequence[Tally]) -> Iterator[Line]:
    """Iterate over a table of tallies, heading first: a line per law, a column per metric."""
    metrics = list(dict.fromkeys(row.metric for row in rows))
    found = {(row.other, row.metric): row for row in rows}
    yield ['against', *(METRICS[metric].label for metric in metrics)]
    for other in dict.fromkeys(row.other for row in rows):
        yield [other, *(_counts_text(found[other, metric]) for metric in metrics)]


def _counts_text(row: Tally) -> str:
    ratio = NOTHING if row.ratio is None else f'{row.ratio:.2f}'
    return f'{row.better}+ {row.worse}−, {ratio}'


def gain_lines(rows: Sequence[TunedGains]) -> Iterator[Line]:
    """Iterate over a table of tuned gains, heading first."""
    yield 'law', 'gains', 'cost', 'as shipped', 'sets tried', 'flights'
    for row in rows:
        costs = (NOTHING if one is None else f'{one:.3f}' for one in (row.cost, row.shipped_cost))
        counts = (str(row.candidates), str(row.flights))
        yield row.law, gains_text(row.gains), *costs, *counts


def gains_text(gains: Mapping[str, Any]) -> str:
    """Return gains as text."""
    texts = (f'{key.partition(".")[2]} {_shown(value)}' for key, value in gains.items())
    return ', '.join(texts) or 'as shipped'


def _shown(value: Any) -> str:
    return f'{value:.3g}' if isinstance(value, float) else str(value)


STYLES = ('styles/style.css', 'styles/study.css')
SCRIPTS = ('decode', 'theme', 'sorting', 'scrolling', 'study')


def study_page(findings: StudyFindings) -> str:
    """Return the page as text."""
    outline = findings.outline
    script = joined(SCRIPTS)
    parts = {
        'head': head(escaped(outline.name), ''.join(map(asset, STYLES)), [script]),
        'name': escaped(outline.name),
        'facts': escaped(_facts(findings)),
        'choices': ''.join(map(_choice, outline.metrics)),
        'counts': _counts(tallies(findings.laws), 'Against each other law'),
        'metrics': ''.join(_metric(findings, metric) for metric in outline.metrics),
        'ablations': _ablations(findings),
        'gains': _gains(findings),
        'chosen': escaped(outline.chosen),
        'seeds': str(outline.seeds),
        'conditions': str(len(outline.conditions)),
        'data': json_text({'metrics': outline.metrics}),
        'script': script,
    }
    return filled('pages/study.html', parts)


def _facts(findings: StudyFindings) -> str:
    outline = findings.outline
    return (
        f'{outline.chosen} against {len(outline.laws) - 1} laws under {len(outline.conditions)} '
        f'conditions, {outline.seeds} seeds each; {findings.flights} flights'
    )


def _choice(metric: str) -> str:
    label = escaped(METRICS[metric].label)
    return (
        f'<button type="button" data-choice="{escaped(metric)}" aria-pressed="false">{label}'
        '</button>'
    )


def _counts(rows: Sequence[Tally], caption: str) -> str:
    first, *lines = tally_lines(rows)
    return table(caption, [HtmlColumn(text) for text in first], lines)


def _metric(findings: StudyFindings, metric: str) -> str:
    """Return what belongs to one metric; only the chosen metric is shown."""
    return _section(metric, (
        _picture(law_map(findings, metric), f'Heat map of {metric}'),
        _picture(forest_plot(findings, metric), f'Forest plot of {metric}'),
        folded('All comparisons', _comparisons(findings.laws, metric)),
    ))  # fmt: skip


def _ablations(findings: StudyFindings) -> str:
    if not findings.outline.ablations:
        return nothing('The study has no ablation.')
    counts = _counts(tallies(findings.ablations), 'Against each ablation')
    return counts + ''.join(_ablation(findings, one) for one in findings.outline.metrics)


def _ablation(findings: StudyFindings, metric: str) -> str:
    """Return the ablation by one metric."""
    picture = _picture(ablation_map(findings, metric), f'Heat map of the ablation, {metric}')
    return _section(metric, (picture,))


def _section(metric: str, content: Iterable[str]) -> str:
    return f'<div data-metric="{escaped(metric)}" hidden>{"".join(content)}</div>'


def _picture(svg: str, label: str) -> str:
    return f'<figure class="paper" role="img" aria-label="{escaped(label)}">{svg}</figure>'


def _comparisons(rows: Sequence[Contrast], metric: str) -> str:
    columns = (
        HtmlColumn('Case'), HtmlColumn('Setting'), HtmlColumn('Against'), HtmlColumn('Verdict'),
        HtmlColumn('Won', digits=0), HtmlColumn('Pairs', digits=0), HtmlColumn('p', digits=6),
        HtmlColumn('p, Holm', digits=4), HtmlColumn('Rank-biserial', digits=2),
        HtmlColumn('from', digits=2), HtmlColumn('to', digits=2), HtmlColumn('Ratio', digits=3),
        HtmlColumn('from', digits=3), HtmlColumn('to', digits=3),
        HtmlColumn('Difference', digits=4),
    )  # fmt: skip
    cells = [
        (row.case, row.setting or None, row.other, row.verdict, row.better, row.pairs, row.p,
         row.p_holm, row.effect, row.effect_low, row.effect_high, row.ratio, row.ratio_low,
         row.ratio_high, row.difference)
        for row in rows
        if row.metric == metric
    ]  # fmt: skip
    return table('All comparisons', columns, cells)


def _gains(findings: StudyFindings) -> str:
    if not findings.tuned:
        return nothing('No law was tuned.')
    columns = (
        HtmlColumn('Law'), HtmlColumn('Gains'), HtmlColumn('Cost', digits=3),
        HtmlColumn('As shipped', digits=3), HtmlColumn('Sets tried', digits=0),
        HtmlColumn('Flights', digits=0),
    )  # fmt: skip
    cells = [
        (row.law, gains_text(row.gains), row.cost, row.shipped_cost, row.candidates, row.flights)
        for row in findings.tuned
    ]
    return table('Tuned gains', columns, cells)


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
