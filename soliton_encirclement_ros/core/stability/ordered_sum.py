"""Sums added from left to right.

The built-in ``sum`` compensates rounding since Python 3.12; a plain loop gives the same bits in
every version and in compiled code.
"""

from collections.abc import Iterable


def total(values: Iterable[float]) -> float:
    """Return the sum, added from left to right."""
    result = 0.0
    for value in values:
        result += value
    return result
