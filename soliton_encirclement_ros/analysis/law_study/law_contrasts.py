"""The chosen law against every other: one row per metric, condition and other law.

Values are paired by seed; pairs in which one lacks a value are left out. Ratios are the chosen law
over the other, and only where both values are above 0 and finite. The signed-rank test comes with
its effect size and a correction for many comparisons. With the differences d of the pairs that are
not equal, and the ranks of |d|:

    W+, W-  sums of the ranks with d > 0 and with d < 0
    rank-biserial correlation = (W+ - W-) / (W+ + W-)        -1 to 1

Sources: F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1(6), 80-83,
1945; D. S. Kerby, "The simple difference formula", Comprehensive Psychology 3, 2014;
S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
Statistics 6(2), 65-70, 1979.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import wilcoxon

from soliton_encirclement_ros.analysis.bootstrap import Floats, Intervals, draws, ends
from soliton_encirclement_ros.analysis.sweep_tables import Row, estimate
from soliton_encirclement_ros.core.figures.sample_statistics import Pair, difference, median, wins
from soliton_encirclement_ros.core.run.experiment_records import (
    METRICS,
    Condition,
    StudyFlight,
    StudyOutline,
)

MAX_EXACT = 50
"""Pairs up to which the distribution of the test is computed exactly."""


def signed_rank_p(differences: Sequence[float]) -> float | None:
    """Return the two-sided p-value of the signed-rank test; 1 where all pairs are equal.

    It is exact for at most ``MAX_EXACT`` pairs without equal |d|, else the normal approximation
    with correction for continuity. Equal pairs are left out.

    Args:
        differences: One per pair, finite or infinite; None is returned for none at all.
    """
    if not len(differences):
        return None
    unequal = np.array([d for d in differences if d != 0.0])
    if not unequal.size:
        return 1.0
    is_distinct = len(np.unique(np.abs(unequal))) == unequal.size
    method = 'exact' if is_distinct and unequal.size <= MAX_EXACT else 'approx'
    return float(wilcoxon(unequal, method=method, correction=True).pvalue)


def smallest_p(pairs: int) -> float:
    """Return the smallest p-value that so many pairs can have: all differences have one sign."""
    return math.ldexp(1.0, 1 - pairs)


def rank_biserial(differences: Sequence[float]) -> Intervals:
    """Return the rank-biserial correlation with its bootstrap interval, in arrays of one column.

    Args:
        differences: One per pair, at least one, finite or infinite.
    """
    values = np.array(differences, dtype=float)
    found = _correlation(values, np.ones((1, len(values))))
    if len(values) == 1:
        return Intervals(found, np.array([np.nan]), np.array([np.nan]))
    drawn = [_correlation(values, draw.weights) for draw in draws(len(values))]
    return Intervals(found, *ends(np.concatenate(drawn)[:, None]))


def _correlation(values: Floats, weights: Floats) -> Floats:
    """Return the correlation of every resample.

    Args:
        values: The differences, (n,).
        weights: How often each of them is in each resample, (resamples, n).
    """
    sizes, group = np.unique(np.abs(values), return_inverse=True)
    counts = np.zeros((len(weights), len(sizes)))
    signed = np.zeros_like(counts)
    for i, (k, sign) in enumerate(zip(group, np.sign(values), strict=True)):
        counts[:, k] += weights[:, i] * (sign != 0.0)
        signed[:, k] += weights[:, i] * sign
    ranks = np.cumsum(counts, axis=1) - 0.5 * (counts - 1.0)
    total = np.sum(counts * ranks, axis=1)
    return np.divide(
        np.sum(signed * ranks, axis=1), total, out=np.zeros(len(weights)), where=total > 0.0
    )


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Return p-values corrected for their number by the method of Holm; None stays None."""
    order = sorted((value, i) for i, value in enumerate(values) if value is not None)
    found: list[float | None] = [None] * len(values)
    largest = 0.0
    for rank, (value, i) in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * value))
        found[i] = largest
    return found


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
