"""Replacement of numbers that are not finite."""

import math


def finite_or_zero(value: float) -> float:
    """Return a number as it is, or 0 where it is NaN or infinite."""
    return value if math.isfinite(value) else 0.0
