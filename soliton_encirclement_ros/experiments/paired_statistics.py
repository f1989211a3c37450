"""Statistics of experiments: spreads, confidence intervals, and laws compared seed by seed.

The one implementation for sweeps, simulations of several laws, and the comparison of finished
runs. An infinite value stands for what never happened; a missing one is left out beforehand.

Intervals are bootstrap percentiles with a fixed seed: the same values give the same interval on
every machine. Columns of equal length share one set of resamples, so a result does not depend on
the other columns. Medians treat infinite values as the largest.

Two laws are compared by the pairs of their values under equal seeds. With the differences d of the
pairs that are not equal, and the ranks of |d|:

    W+, W-  sums of the ranks with d > 0 and with d < 0
    rank-biserial correlation = (W+ - W-) / (W+ + W-)        -1 to 1

Sources: F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1(6), 80-83,
1945; D. S. Kerby, "The simple difference formula", Comprehensive Psychology 3, 2014;
S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
Statistics 6(2), 65-70, 1979.
"""

import functools
import math
import statistics
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Pair = tuple[float, float]
Row = dict[str, Any]

RESAMPLES = 1999
SEED = 20_230_917
CONFIDENCE = 0.95
LOW = round((1.0 - CONFIDENCE) / 2.0 * (RESAMPLES + 1)) - 1
HIGH = RESAMPLES - 1 - LOW
"""Ranks of the ends of the interval among the sorted resamples."""

LARGEST_DRAW = 2_000_000
"""Upper limit of values drawn at once; bounds the memory."""

MAX_EXACT = 50
"""Pairs up to which the distribution of the test is computed exactly."""

LEVEL = 0.05
"""Corrected p-values below count as significant."""

ESTIMATES = ('mean', 'mean_low', 'mean_high', 'median', 'median_low', 'median_high')


class Spread(NamedTuple):
    """Median and range of some values, and how many there are."""

    median: float
    lowest: float
    highest: float
    count: int


def spread(values: Sequence[float]) -> Spread | None:
    """Return median and range, None of no values."""
    if not values:
        return None
    return Spread(statistics.median(values), min(values), max(values), len(values))


def estimate(lists: Sequence[Sequence[float]]) -> list[Row]:
    """Return count, never, and the mean and median with their intervals, of each list of values.

    ``never`` is the number of infinite values. A mean with infinite values is None, and so are the
    intervals of a single value.
    """
    rows: list[Row] = [{'count': 0, 'never': 0, **dict.fromkeys(ESTIMATES)} for _ in lists]
    for count in {len(values) for values in lists} - {0}:
        same = [i for i, values in enumerate(lists) if len(values) == count]
        columns = np.array([lists[i] for i in same], dtype=float).T
        never = np.isinf(columns).sum(axis=0)
        estimates = np.array([*_averages(columns), *_medians(columns)])
        for k, i in enumerate(same):
            cells = [None if math.isnan(value) else value for value in estimates[:, k].tolist()]
            rows[i] = {
                'count': count, 'never': int(never[k]), **dict(zip(ESTIMATES, cells, strict=True)),
            }  # fmt: skip
    return rows


def _averages(values: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the means of columns (n, columns), with both ends of their intervals."""
    count, is_finite = len(values), np.isfinite(values).all(axis=0)
    finite = np.where(is_finite, values, 0.0)
    mean = _total(finite, np.ones((1, count)))[0] / count
    drawn = (_total(finite, draw.weights) / count for draw in _draws(count))
    low, high = _ends(drawn, values)
    return tuple(np.where(is_finite, estimates, np.nan) for estimates in (mean, low, high))


def _medians(values: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the medians of columns (n, columns), with both ends of their intervals."""
    count, ordered = len(values), np.sort(values, axis=0)
    median = _middle(ordered[(count - 1) // 2], ordered[count // 2])
    drawn = (_middle(ordered[draw.low], ordered[draw.high]) for draw in _draws(count))
    return median, *_ends(drawn, values)


class Draw(NamedTuple):
    """A block of resamples: the count of each value, and the ranks of the two middle values."""

    weights: Floats
    low: NDArray[np.int64]
    high: NDArray[np.int64]


def _draws(count: int) -> Iterable[Draw]:
    """Return all resamples of ``count`` values in blocks."""
    return _few_draws(count) if count * RESAMPLES <= LARGEST_DRAW else _new_draws(count)


@functools.lru_cache(maxsize=8)
def _few_draws(count: int) -> tuple[Draw, ...]:
    return tuple(_new_draws(count))


def _new_draws(count: int) -> Iterator[Draw]:
    stream = np.random.Generator(np.random.PCG64(np.random.SeedSequence([SEED, count])))
    size = max(1, LARGEST_DRAW // count)
    for start in range(0, RESAMPLES, size):
        rows = min(size, RESAMPLES - start)
        drawn = stream.integers(0, count, (rows, count)) + count * np.arange(rows)[:, None]
        weights = np.bincount(drawn.ravel(), minlength=rows * count).reshape(rows, count)
        ranks = np.cumsum(weights, axis=1)
        low, high = ((ranks > k).argmax(axis=1) for k in ((count - 1) // 2, count // 2))
        yield Draw(weights.astype(float), low, high)


def _total(values: Floats, weights: Floats) -> Floats:
    """Return weighted sums, added in a fixed order (a matrix product has none)."""
    total = np.zeros((len(weights), values.shape[1]))
    for i in range(len(values)):
        total += weights[:, i, None] * values[i]
    return total


def _middle(low: Floats, high: Floats) -> Floats:
    """Return the mean of two values; NaN for opposite infinities."""
    with np.errstate(invalid='ignore'):
        return np.where(low == high, low, 0.5 * (low + high))


def _ends(resampled: Iterable[Floats], values: Floats) -> tuple[Floats, Floats]:
    """Return both ends of the intervals from the estimates of all resamples; NaN of one value."""
    if len(values) == 1:
        nothing = np.full(values.shape[1], np.nan)
        return nothing, nothing
    ordered = np.partition(np.concatenate(list(resampled)), (LOW, HIGH), axis=0)
    return ordered[LOW], ordered[HIGH]


def compare_pairs(
    figures: Sequence[Sequence[Pair]], higher_is_better: Sequence[bool]
) -> list[Row]:
    """Return a row per figure: a law against another one, by the pairs of their values.

    Pairs with a missing value are left out beforehand. ``better`` and ``worse`` count the pairs,
    equal ones are neither. ``count`` to ``median_high`` are those of the differences (0 of two
    infinite values), ``p`` is that of the signed-rank test, ``effect`` the rank-biserial
    correlation, positive where the first law is better, ``ratio`` the median of the first over the
    second where both are above 0 and finite.
    """
    differences = [[0.0 if a == b else a - b for a, b in pairs] for pairs in figures]
    ratios = [[a / b for a, b in pairs if 0.0 < a < math.inf and 0.0 < b < math.inf]
              for pairs in figures]  # fmt: skip
    rows = []
    for estimates, values, is_higher_better, ratio in zip(
        estimate(differences), differences, higher_is_better, estimate(ratios), strict=True
    ):
        gain = np.array(values, dtype=float) * (1.0 if is_higher_better else -1.0)
        p, effect = signed_ranks(gain)
        rows.append({
            'better': int((gain > 0.0).sum()),
            'worse': int((gain < 0.0).sum()),
            **estimates,
            'p': p,
            'effect': effect,
            'ratio': ratio['median'],
            'ratio_low': ratio['median_low'],
            'ratio_high': ratio['median_high'],
        })  # fmt: skip
    return rows


def signed_ranks(differences: Floats) -> tuple[float | None, float | None]:
    """Return the two-sided p-value of the signed-rank test, and the rank-biserial correlation.

    1 and 0 where all differences are 0, None of none; they may be infinite. The test is exact for
    at most ``MAX_EXACT`` pairs without equal |d|, else the normal approximation with correction
    for continuity. Equal pairs are left out.
    """
    if not differences.size:
        return None, None
    unequal = differences[differences != 0.0]
    if not unequal.size:
        return 1.0, 0.0
    from scipy.stats import rankdata, wilcoxon

    is_distinct = len(np.unique(np.abs(unequal))) == unequal.size
    method = 'exact' if is_distinct and unequal.size <= MAX_EXACT else 'approx'
    p = float(wilcoxon(unequal, method=method, correction=True).pvalue)
    ranks = rankdata(np.abs(unequal))
    return p, float(np.sum(np.sign(unequal) * ranks) / np.sum(ranks))


def holm(values: Floats) -> Floats:
    """Return p-values corrected for their number by the method of Holm; NaN stays NaN."""
    order = np.argsort(values)  # NaN is last
    remaining = np.isfinite(values).sum() - np.arange(len(values))
    corrected = np.empty(len(values))
    corrected[order] = np.maximum.accumulate(np.minimum(1.0, remaining * values[order]))
    return corrected


def verdict(p_holm: float, effect: float) -> str:
    """Return ``better`` or ``worse`` if a difference is significant, else ``open``."""
    if not p_holm < LEVEL:
        return 'open'
    return 'better' if effect > 0.0 else 'worse'
