"""The chosen law against every other: one row per metric, condition and other law.

Values are paired by seed; pairs in which one lacks a value are left out. Ratios are the chosen law
over the other, and only where both values are above 0 and finite.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from soliton_encirclement_ros.analysis.law_study.rank_tests import (
    holm,
    rank_biserial,
    signed_rank_p,
)
from soliton_encirclement_ros.analysis.sweep.sweep_tables import Row, estimate
from soliton_encirclement_ros.core.law_study.study_metrics import METRICS
from soliton_encirclement_ros.core.law_study.study_records import (
    Condition,
    StudyFlight,
    StudyOutline,
)
from soliton_encirclement_ros.core.run.sample_statistics import Pair, difference, wins

LEVEL = 0.05
"""Corrected p-values below count as significant."""


class Contrast(NamedTuple):
    """The chosen law against another one.

    Attributes:
        metric: Name of the metric.
        case: Case of the condition.
        setting: Its setting.
        other: Name of the other law.
        pairs: Seeds with a value of both.
        better: Seeds in which the chosen law is better.
        worse: Seeds in which it is worse.
        p: Two-sided p-value of the signed-rank test; None without a pair.
        p_holm: The same, corrected for all comparisons of the metric.
        effect: Rank-biserial correlation, positive where the chosen law is better, with its
            interval.
        ratio: Median of the ratios, with its interval.
        difference: Median of the differences, with its interval.
    """

    metric: str
    case: str
    setting: str
    other: str
    pairs: int
    better: int
    worse: int
    p: float | None
    p_holm: float | None
    effect: float | None
    effect_low: float | None
    effect_high: float | None
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    difference: float | None
    difference_low: float | None
    difference_high: float | None

    @property
    def verdict(self) -> str:
        """``better`` or ``worse`` if the difference is significant, else ``open``."""
        if self.p_holm is None or self.effect is None or self.p_holm >= LEVEL:
            return 'open'
        return 'better' if self.effect > 0.0 else 'worse'


Values = Mapping[int, float]
"""Values of one metric by seed."""

Known = Mapping[tuple[str, Condition, str], Values]
"""By law, condition and metric; missing values are left out."""


def known_values(flights: Sequence[StudyFlight]) -> Known:
    """Return all values of the flights."""
    found: dict[tuple[str, Condition, str], dict[int, float]] = defaultdict(dict)
    for one in flights:
        for metric, value in one.values.items():
            if value is not None:
                found[one.law, one.condition, metric][one.seed] = value
    return found


def contrasts(outline: StudyOutline, known: Known, others: Sequence[str]) -> list[Contrast]:
    """Return the comparisons of the chosen law with some others, corrected as one family.

    Args:
        outline: What the study compares.
        known: All values.
        others: Names of the other laws.
    """
    found = []
    for metric in outline.metrics:
        rows = [
            row for other in others for row in _of_metric(outline, known, metric, other)
        ]  # fmt: skip
        corrected = holm([row.p for row in rows])
        found += [row._replace(p_holm=p) for row, p in zip(rows, corrected, strict=True)]
    return found


def _of_metric(outline: StudyOutline, known: Known, metric: str, other: str) -> list[Contrast]:
    pairs = [
        _pairs(known.get((outline.chosen, one, metric), {}), known.get((other, one, metric), {}))
        for one in outline.conditions
    ]
    ratios = estimate([[a / b for a, b in both if _have_a_ratio(a, b)] for both in pairs])
    differences = estimate([[difference(a, b) for a, b in both] for both in pairs])
    return [
        _contrast(metric, condition, other, both, ratio, away)
        for condition, both, ratio, away in zip(
            outline.conditions, pairs, ratios, differences, strict=True
        )
    ]


def _pairs(chosen: Values, other: Values) -> list[Pair]:
    return [(chosen[seed], other[seed]) for seed in sorted(chosen.keys() & other.keys())]


def _have_a_ratio(a: float, b: float) -> bool:
    return 0.0 < a < math.inf and 0.0 < b < math.inf


def _contrast(
    metric: str, condition: Condition, other: str, pairs: Sequence[Pair], ratio: Row, away: Row
) -> Contrast:
    """Return the row of one comparison; an effect is positive where the chosen law is better."""
    figure = METRICS[metric]
    count = wins(pairs, figure.better)
    sign = 1.0 if figure.higher_is_better else -1.0
    gains = [sign * difference(a, b) for a, b in pairs]
    effect = [float(one[0]) for one in rank_biserial(gains)] if gains else [math.nan] * 3
    return Contrast(
        metric, condition.case, condition.setting, other, len(pairs), count.better, count.worse,
        signed_rank_p(gains), None, *map(_cell, effect), *_estimated(ratio), *_estimated(away),
    )  # fmt: skip


def _estimated(row: Row) -> tuple[float | None, ...]:
    return tuple(_cell(row[name]) for name in ('median', 'median_low', 'median_high'))


def _cell(value: float | None) -> float | None:
    """Return a value for JSON, which has no infinity."""
    return value if value is not None and math.isfinite(value) else None
