"""Numbers as text: the shortest that reads back as the same number, as Python's ``repr`` has it.

orjson prints the same digits, many times faster. It differs in when and how it writes an exponent,
and in what is not finite; those numbers, which are few, are printed by ``repr`` itself.
"""

import numpy as np
import orjson

from soliton_encirclement_ros.sim.chunk import Floats

SMALLEST, LARGEST = 1e-4, 1e16
"""From the one up to the other ``repr`` writes no exponent, nor does orjson."""

BETWEEN_ROWS = b']],[['
"""Every row is a list of its own, since a longer separator is found faster."""

GAP = b'null'
"""What orjson writes for NaN."""

MANY = 0.05
"""From this share of rows with gaps on it is faster to fill the gaps of all rows at once."""


def rows_of(numbers: Floats) -> list[bytes]:
    """Return the text of every row, commas between the numbers.

    Args:
        numbers: At least one row of at least one number.
    """
    sizes = np.abs(numbers)
    gaps = ((sizes < SMALLEST) & (sizes > 0.0)) | ~(sizes < LARGEST)
    with_gaps = np.where(gaps, np.nan, numbers)
    text = orjson.dumps(with_gaps[:, np.newaxis], option=orjson.OPT_SERIALIZE_NUMPY)[3:-3]
    with_some = np.flatnonzero(gaps.any(axis=1))
    if len(with_some) > MANY * len(numbers):
        return _filled(text, numbers[gaps]).split(BETWEEN_ROWS)
    rows = text.split(BETWEEN_ROWS)
    for row in with_some.tolist():
        rows[row] = _filled(rows[row], numbers[row, gaps[row]])
    return rows


def _filled(text: bytes, numbers: Floats) -> bytes:
    """Return a text with numbers in its gaps, one for each."""
    return text.replace(GAP, b'%r') % tuple(numbers.tolist())
