"""Rows of named numbers: objects in plain Python, records of an array in compiled code.

The same functions read and write both: ``row.seq``. A table of rows is a list of lists of objects,
or an array of records; ``arrayed`` makes one of the other.
"""

import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np

Kind = TypeVar('Kind', bound=type)

CODES: dict[Any, str] = {float: 'f8', int: 'i8', bool: '?', np.int32: 'i4'}
"""How the numbers of a record are stored, by the type of the field."""


def row(kind: Kind) -> Kind:
    """Make a class of fields with defaults a kind of row."""
    made: Any = dataclass(slots=True)(kind)
    return made


@functools.cache
def record_type(kind: type) -> np.dtype:
    """Return the type of the records of a kind of row."""
    columns = [(field.name, CODES[field.type]) for field in fields(kind)]
    return np.dtype((np.record, np.dtype(columns, align=True)))


def records(kind: type, shape: tuple[int, ...]) -> np.ndarray:
    """Return an array of rows as they are at first."""
    table, first = np.zeros(shape, record_type(kind)), kind()
    for field in fields(kind):
        table[field.name] = getattr(first, field.name)
    return table


def objects(kind: type, shape: tuple[int, ...]) -> Any:
    """Return the same as lists of objects."""
    if not shape:
        return kind()
    return [objects(kind, shape[1:]) for _ in range(shape[0])]


Table = Callable[..., Any]
"""``(kind, *shape)``: makes a table of rows as they are at first, or one row without a shape."""


def table_of_objects(kind: type, *shape: int) -> Any:
    """Return a table in plain Python; an empty one is an array, whose kind is known."""
    return records(kind, shape) if 0 in shape else objects(kind, shape)


def table_of_records(kind: type, *shape: int) -> Any:
    """Return a table for compiled code."""
    return records(kind, shape) if shape else records(kind, (1,))[0]


def numbers_of(row: Any) -> list[float]:
    """Return a row of floats as numbers of Python."""
    return row.tolist() if isinstance(row, np.ndarray) else [*row]


def values_of(rows: Any) -> list[tuple]:
    """Return the numbers of some rows, as numbers of Python."""
    if isinstance(rows, np.ndarray):
        return rows.tolist()
    return [tuple([getattr(row, name) for name in row.__slots__]) for row in rows]


def arrayed(memory: Any) -> Any:
    """Return named tuples of tables with every table of objects as one of records."""
    if isinstance(memory, tuple) and hasattr(memory, '_fields'):
        return type(memory)(*map(arrayed, memory))
    if isinstance(memory, list):
        shape, kind = _shape(memory)
        return _filled(records(kind, shape), memory)
    if hasattr(memory, '__dataclass_fields__'):
        return _filled(records(type(memory), (1,)), [memory])[0]
    return memory


def _shape(table: Any) -> tuple[tuple[int, ...], type]:
    """Return the shape of a table of objects, and their kind."""
    shape: tuple[int, ...] = ()
    while isinstance(table, list):
        shape, table = (*shape, len(table)), table[0]
    return shape, type(table)


def _filled(array: np.ndarray, table: Any) -> np.ndarray:
    """Copy a table of objects into one of records."""
    for place in itertools.product(*map(range, array.shape)):
        item = functools.reduce(lambda part, index: part[index], place, table)
        array[place] = tuple(getattr(item, field.name) for field in fields(item))
    return array
