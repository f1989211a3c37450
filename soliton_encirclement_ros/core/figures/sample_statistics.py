"""Statistics of samples: medians, means and percentiles.

An infinite value stands for what never happened; a missing value is left out beforehand. What
compares runs is in ``experiments/paired_statistics``.

The regularity of a node's ticks is a histogram of the time between them (``TickStatistics``).
"""

import math
import statistics
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def median(values: Sequence[float]) -> float | None:
    """Return the median, None of no values."""
    return statistics.median(values) if values else None


def percentile(values: Floats, share: float) -> float:
    """Return a percentile with linear interpolation, NaN of no values; ``share`` is 0 to 100."""
    return float(np.percentile(values, share)) if values.size else math.nan


def mean(values: NDArray[np.generic]) -> float:
    """Return the mean, NaN of no values."""
    return float(np.mean(values)) if values.size else math.nan


def root_mean_square(values: Floats) -> float:
    """Return the RMS of all entries of an array, NaN of none."""
    return math.sqrt(mean(np.square(values)))


def is_better(a: float, b: float, higher_is_better: bool) -> bool:
    """Say whether a value is better than another."""
    return a > b if higher_is_better else a < b


BIN = 1e-3
"""Resolution [s]."""

BINS = 1000


class TickStatistics:
    """Counts the periods between ticks in bins of one millisecond, up to one second."""

    def __init__(self) -> None:
        """Start without ticks."""
        self._last: float | None = None
        self._bins = [0] * (BINS + 1)
        self.ticks = 0
        self.periods = 0
        self.longest = 0.0

    def tick(self, now: float) -> None:
        """Record a tick at a time [s]."""
        self.ticks += 1
        if self._last is not None:
            period = max(0.0, now - self._last)
            self._bins[min(BINS, int(period / BIN))] += 1
            self.periods += 1
            self.longest = max(self.longest, period)
        self._last = now

    def percentile(self, share: float) -> float:
        """Return the period [s] that a share of all periods is below, rounded up to milliseconds.

        Args:
            share: Between 0 and 1, for example 0.99.
        """
        below = 0
        for i, count in enumerate(self._bins[:BINS]):
            below += count
            if self.periods and below >= share * self.periods:
                return (i + 1) * BIN
        return self.longest
