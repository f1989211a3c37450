"""A table that is made part by part, so that the longest recording fits into memory."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

NUMBER, WHOLE, FLAG, TEXT = 'number', 'whole', 'flag', 'text'
"""Kinds of columns: float64, int64, bool and string. In none of them is anything a must."""


class Column(NamedTuple):
    """A column: its name, its unit (empty for a bare number), its kind and what it means."""

    name: str
    unit: str = ''
    kind: str = NUMBER
    meaning: str = ''


class Table(NamedTuple):
    """A table.

    Attributes:
        name: Name of the file, without its end.
        columns: In order.
        parts: Returns rows, part after part, as values by name of the column: an array or list
            for every row, or one value for all; what is left out is unknown. NaN is unknown.
    """

    name: str
    columns: Sequence[Column]
    parts: Callable[[], Iterator['Part']]


class Part(NamedTuple):
    """Some rows of a table."""

    rows: int
    values: Mapping[str, Any]
