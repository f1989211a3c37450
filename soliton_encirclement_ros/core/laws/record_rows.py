"""Records of numbers in rows of an array, and back, by functions that can be compiled.

A compiled flight holds the memory of every agent in a row of floats, while a law is written over
records with names. Whatever the record, the functions that translate are written here: one
expression that names every field, as ``collections.namedtuple`` writes its classes.

Nothing that was received or recorded gets into such a text: it has indices, and the names of the
fields of a record, which must be identifiers. Closures would take 2 to 3 times as long (2.3, not
0.9 us for a record of 14 numbers), and numba compiles none.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.errors import LawError

Record = Any
"""A NamedTuple of numbers, of plain tuples of numbers, and of records."""

SOURCE = '__source__'
"""Attribute of a written function: its text, since there is no file to look into."""


class Packing(NamedTuple):
    """The layout of a kind of record in a row.

    Attributes:
        size: Length of a row.
        pack: ``(record, row)``: writes a record into a row.
        unpack: ``(row)``: returns the record; whole numbers and flags come back as such.
    """

    size: int
    pack: Callable[[Record, Sequence[float]], None]
    unpack: Callable[[Sequence[float]], Record]


def packing(example: Record, first: Sequence[str] = ()) -> Packing:
    """Return the layout of records like an example in a row.

    Args:
        example: Any record of the kind: it defines the number and the kind of the fields.
        first: Names of fields that begin the row, whether the record has them or not; all others
            follow in their order.

    Raises:
        LawError: A field is neither a number, nor a flag, nor a record of these.
    """
    classes: dict[str, type] = {}
    leaves = list(_leaves(example, 'record'))
    places = list(_places(field_names(example), first))
    text = _expression(example, iter(places), classes)
    body = [f'    row[{place}] = {path}' for place, path in zip(places, leaves, strict=True)] or [
        '    return'
    ]
    pack = _written('pack', 'record, row', body, {})
    unpack = _written('unpack', 'row', [f'    return {text}'], classes)
    return Packing(max([*places, len(first) - 1, -1]) + 1, pack, unpack)


def picking(example: Record, names: Sequence[str]) -> Callable[[Record], tuple[float, ...]]:
    """Return a function that picks some numbers of a record by the names of their fields.

    Args:
        example: Any record of the kind.
        names: As ``field_names`` has them.
    """
    paths = dict(zip(field_names(example), _leaves(example, 'record'), strict=True))
    picked = ''.join(f'float({paths[name]}), ' for name in names)
    return _written('pick', 'record', [f'    return ({picked})'], {})


def field_names(example: Record) -> tuple[str, ...]:
    """Return the names of the numbers in a record, in order; those of records in it count too."""
    return tuple(path.rpartition('.')[2] for path in _leaves(example, 'record'))


def _places(names: Sequence[str], first: Sequence[str]) -> Iterator[int]:
    """Iterate over the indices of some fields in a row that begins with given ones."""
    free = len(first)
    for name in names:
        if name in first:
            yield first.index(name)
        else:
            yield free
            free += 1


def _leaves(example: Record, path: str) -> Iterator[str]:
    """Iterate over the numbers of a record, as expressions."""
    if not isinstance(example, tuple):
        if not isinstance(example, (bool, int, float)):
            raise LawError(
                f'{path}: {example!r} is no number; records of a law hold numbers, flags and '
                f'records of these'
            )
        yield path
        return
    names = getattr(example, '_fields', None)
    if not all(map(str.isidentifier, names or ())):
        raise LawError(f'{path}: its fields {names!r} must be names')
    for i, value in enumerate(example):
        yield from _leaves(value, f'{path}.{names[i]}' if names else f'{path}[{i}]')


def _expression(example: Record, places: Iterator[int], classes: dict[str, type]) -> str:
    """Return the expression that makes a record like the example from ``row``."""
    if isinstance(example, bool):
        return f'row[{next(places)}] != 0.0'
    if isinstance(example, int):
        return f'int(row[{next(places)}])'
    if isinstance(example, float):
        return f'row[{next(places)}]'
    expressions = [_expression(value, places, classes) for value in example]
    if hasattr(example, '_fields'):
        name = f'Record{len(classes)}'
        classes[name] = type(example)
        return f'{name}({", ".join(expressions)})'
    return f'({"".join(f"{expression}, " for expression in expressions)})'


def _written(name: str, takes: str, body: list[str], names: dict[str, type]) -> Callable:
    """Return a function with a generated body."""
    source = '\n'.join([f'def {name}({takes}):', *body])
    namespace: dict[str, Any] = {**names, '__name__': __name__}
    exec(source, namespace)
    function = namespace[name]
    setattr(function, SOURCE, f'{source} {sorted((k, v.__qualname__) for k, v in names.items())}')
    return function
