"""The page of a study: heat map, forest plot, every comparison, gains; one file, no network."""

from collections.abc import Iterable, Sequence

from soliton_encirclement_ros.analysis.law_study.forest_plot import forest_plot
from soliton_encirclement_ros.analysis.law_study.heat_map import ablation_map, law_map
from soliton_encirclement_ros.analysis.law_study.law_contrasts import Contrast
from soliton_encirclement_ros.analysis.law_study.study_counts import Tally, tallies
from soliton_encirclement_ros.analysis.law_study.study_findings import StudyFindings
from soliton_encirclement_ros.analysis.law_study.study_texts import gains_text, tally_lines
from soliton_encirclement_ros.analysis.report.markup import (
    HtmlColumn,
    escaped,
    folded,
    nothing,
    table,
)
from soliton_encirclement_ros.analysis.report.template import (
    asset,
    filled,
    head,
    joined,
    json_text,
)
from soliton_encirclement_ros.core.law_study.study_metrics import METRICS

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
