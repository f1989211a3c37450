"""Bootstrap confidence intervals of means and medians, column by column.

Percentile method with a fixed seed: the same values give the same interval on every machine.
Columns of equal length share one set of resamples, so a result does not depend on the other
columns. Medians treat infinite values as the largest.
"""

import functools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ranks = NDArray[np.int64]

RESAMPLES = 1999
SEED = 20_230_917
LEVEL = 0.95
LOW = round((1.0 - LEVEL) / 2.0 * (RESAMPLES + 1)) - 1
HIGH = RESAMPLES - 1 - LOW
"""Ranks of the ends of the interval among the sorted resamples."""

LARGEST_DRAW = 2_000_000
"""Upper limit of values drawn at once; bounds the memory."""


class Intervals(NamedTuple):
    """Estimate and confidence interval per column; NaN where undefined."""

    value: Floats
    low: Floats
    high: Floats


def mean_intervals(values: Floats) -> Intervals:
    """Return means with their intervals; NaN for a column with an infinite value.

    Args:
        values: Finite or infinite, (n, columns), n at least 1.
    """
    count = len(values)
    sound = np.isfinite(values).all(axis=0)
    finite = np.where(sound, values, 0.0)
    mean = _total(finite, np.ones((1, count)))[0] / count
    if count == 1:
        return Intervals(*(np.where(sound, one, np.nan) for one in (mean, np.nan, np.nan)))
    drawn = [_total(finite, draw.weights) / count for draw in draws(count)]
    both = ends(np.concatenate(drawn))
    return Intervals(*(np.where(sound, one, np.nan) for one in (mean, *both)))


def median_intervals(values: Floats) -> Intervals:
    """Return medians with their intervals.

    Args:
        values: Finite or infinite, (n, columns), n at least 1.
    """
    count = len(values)
    ordered = np.sort(values, axis=0)
    median = _middle(ordered[(count - 1) // 2], ordered[count // 2])
    if count == 1:
        nothing = np.full(values.shape[1], np.nan)
        return Intervals(median, nothing, nothing)
    drawn = [_middle(ordered[draw.low], ordered[draw.high]) for draw in draws(count)]
    return Intervals(median, *ends(np.concatenate(drawn)))


class Draw(NamedTuple):
    """A block of resamples: the count of each value, and the ranks of the two middle values."""

    weights: Floats
    low: Ranks
    high: Ranks


def draws(count: int) -> Iterable[Draw]:
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


def ends(resampled: Floats) -> tuple[Floats, Floats]:
    """Return both ends of the interval.

    Args:
        resampled: The estimate of every resample, (``RESAMPLES``, columns).
    """
    ordered = np.partition(resampled, (LOW, HIGH), axis=0)
    return ordered[LOW], ordered[HIGH]
