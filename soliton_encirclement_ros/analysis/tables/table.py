"""A table that is produced in parts, so that long recordings fit into memory."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

NUMBER, WHOLE, FLAG, TEXT = 'number', 'whole', 'flag', 'text'
"""Kinds of columns: float64, int64, bool and string; all nullable."""


class Column(NamedTuple):
    """A column: its name, its unit (empty for a bare number), its kind and what it means."""

    name: str
    unit: str = ''
    kind: str = NUMBER
    meaning: str = ''


class Table(NamedTuple):
    """A table.

    Attributes:
        name: Name of the file, without suffix.
        columns: In order.
        parts: Returns an iterator over the rows in parts.
    """

    name: str
    columns: Sequence[Column]
    parts: Callable[[], Iterator['Part']]


class Part(NamedTuple):
    """Rows of a table, by column: an array or list, or one value for all rows.

    Missing columns and NaN are unknown.
    """

    rows: int
    values: Mapping[str, Any]
