"""Lines of tables that the page, the Markdown and the terminal share."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from soliton_encirclement_ros.analysis.law_study.study_counts import Tally
from soliton_encirclement_ros.analysis.law_study.study_findings import TunedGains
from soliton_encirclement_ros.core.law_study.study_metrics import METRICS

Line = Sequence[str]

NOTHING = '–'


def tally_lines(rows: Sequence[Tally]) -> Iterator[Line]:
    """Iterate over a table of tallies, heading first: a line per law, a column per metric."""
    metrics = list(dict.fromkeys(row.metric for row in rows))
    found = {(row.other, row.metric): row for row in rows}
    yield ['against', *(METRICS[metric].label for metric in metrics)]
    for other in dict.fromkeys(row.other for row in rows):
        yield [other, *(_counts(found[other, metric]) for metric in metrics)]


def _counts(row: Tally) -> str:
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
