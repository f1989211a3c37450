"""Paired rank statistics: signed-rank test, its effect size, correction for many comparisons.

With the differences d of the pairs that are not equal, and the ranks of |d|:

    W+, W-  sums of the ranks with d > 0 and with d < 0
    rank-biserial correlation = (W+ - W-) / (W+ + W-)        -1 to 1

Sources: F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1(6), 80-83,
1945; D. S. Kerby, "The simple difference formula", Comprehensive Psychology 3, 2014;
S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
Statistics 6(2), 65-70, 1979.
"""

import math
from collections.abc import Sequence

import numpy as np
from scipy.stats import wilcoxon

from soliton_encirclement_ros.analysis.bootstrap import Floats, Intervals, draws, ends

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
