"""Statistics of samples: medians, means and percentiles.

An infinite value stands for what never happened; a missing value is left out beforehand. What
compares runs is in ``experiments/paired_statistics``.
"""

import math
import statistics
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def median(values: Sequence[float]) -> float | None:
    """Return the median, None of no values."""
    return statistics.median(values) if values else None


def percentile(values: Floats, share: float) -> float:
    """Return a percentile with linear interpolation, NaN of no values; ``share`` is 0 to 100."""
    return float(np.percentile(values, share)) if values.size else math.nan


def mean(values: NDArray[Any]) -> float:
    """Return the mean, NaN of no values."""
    return float(np.mean(values)) if values.size else math.nan


def root_mean_square(values: Floats) -> float:
    """Return the RMS of all entries of an array, NaN of none."""
    return math.sqrt(mean(np.square(values)))


def is_better(a: float, b: float, higher_is_better: bool) -> bool:
    """Say whether a value is better than another."""
    return a > b if higher_is_better else a < b
