"""In how many conditions the chosen law is significantly better or worse than another."""

from collections.abc import Sequence
from typing import NamedTuple

from soliton_encirclement_ros.analysis.law_study.law_contrasts import Contrast
from soliton_encirclement_ros.core.run.sample_statistics import median


class Tally(NamedTuple):
    """A metric against one other law over all conditions.

    Attributes:
        metric: Name of the metric.
        other: Name of the other law.
        better: Conditions in which the chosen law is significantly better.
        worse: Conditions in which it is significantly worse.
        conditions: Conditions with a comparison.
        won: Seeds won, over all conditions.
        pairs: Seeds compared.
        ratio: Median over the conditions of the median ratio, None without one.
    """

    metric: str
    other: str
    better: int
    worse: int
    conditions: int
    won: int
    pairs: int
    ratio: float | None


def tallies(contrasts: Sequence[Contrast]) -> list[Tally]:
    """Return one tally per metric and other law, in the order of the comparisons."""
    found: dict[tuple[str, str], list[Contrast]] = {}
    for row in contrasts:
        found.setdefault((row.metric, row.other), []).append(row)
    return [_tally(metric, other, rows) for (metric, other), rows in found.items()]


def _tally(metric: str, other: str, rows: Sequence[Contrast]) -> Tally:
    verdicts = [row.verdict for row in rows]
    return Tally(
        metric,
        other,
        verdicts.count('better'),
        verdicts.count('worse'),
        sum(row.pairs > 0 for row in rows),
        sum(row.better for row in rows),
        sum(row.pairs for row in rows),
        median([row.ratio for row in rows if row.ratio is not None]),
    )
