"""Positions of the fields of a serialized message, found by parsing one example.

Messages of a type differ in layout only by their texts and by the lengths of their lists. So one
pass in Python serves all messages that share these bytes, and numpy reads their numbers.
"""

import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

from rosbags.interfaces import Nodetype
from rosbags.interfaces.typing import Typesdict
from velocity_mobility_ros.core.cdr import CdrCursor, is_plain

SIZES = {
    'bool': 1, 'byte': 1, 'char': 1, 'octet': 1, 'int8': 1, 'uint8': 1, 'int16': 2, 'uint16': 2,
    'int32': 4, 'uint32': 4, 'float32': 4, 'int64': 8, 'uint64': 8, 'float64': 8,
}  # fmt: skip
CODES = {
    'bool': 'u1', 'byte': 'u1', 'char': 'u1', 'octet': 'u1', 'int8': 'i1', 'uint8': 'u1',
    'int16': 'i2', 'uint16': 'u2', 'int32': 'i4', 'uint32': 'u4', 'float32': 'f4', 'int64': 'i8',
    'uint64': 'u8', 'float64': 'f8',
}  # fmt: skip
SLACK = 3
"""Bytes by which some middlewares pad a message at its end."""


class LayoutError(ValueError):
    """The bytes are not a message of the type."""


class Field(NamedTuple):
    """Numbers of one type in a row.

    Attributes:
        offset: Where they begin in the message.
        code: What numpy calls their type, byte order included.
        count: How many.
    """

    offset: int
    code: str
    count: int


class FieldLayout(NamedTuple):
    """Positions of all fields.

    Attributes:
        fields: Numbers by the path of their field, such as ``header.stamp.sec``.
        texts: Texts by path, as tuples.
        fixed: Pieces (offset, bytes) that identify a message of this layout.
    """

    fields: dict[str, Field]
    texts: dict[str, tuple[str, ...]]
    fixed: list[tuple[int, bytes]]


def layout_of(types: Typesdict, name: str, data: bytes) -> FieldLayout:
    """Parse a message.

    Args:
        types: Definitions by the name of the type.
        name: Its type.
        data: The serialized message.

    Raises:
        LayoutError: The bytes are no such message.
    """
    if not is_plain(data):
        raise LayoutError('not announced as CDR')
    walk = _Walk(types, data)
    try:
        walk.struct(name, '')
    except (struct.error, UnicodeDecodeError, KeyError) as error:
        raise LayoutError(f'{type(error).__name__}: {error}') from None
    if not walk.at <= len(data) <= walk.at + SLACK:
        raise LayoutError(f'{len(data)} bytes, but its fields end at {walk.at}')
    return FieldLayout(walk.fields, walk.texts, _merged(walk.fixed))


class _Walk(CdrCursor):
    """Parses the bytes of one message and records the positions of its fields."""

    def __init__(self, types: Typesdict, data: bytes) -> None:
        super().__init__(data)
        self.types = types
        self.fields: dict[str, Field] = {}
        self.texts: dict[str, tuple[str, ...]] = {}
        self.fixed = [(0, data[:2])]

    def struct(self, name: str, path: str) -> None:
        for field, (kind, content) in self.types[name][1]:
            inner = f'{path}.{field}' if path else field
            if kind == Nodetype.ARRAY:
                self.list(content[0], content[1], inner)
            elif kind == Nodetype.SEQUENCE:
                self.list(content[0], self.length(), inner)
            elif kind == Nodetype.NAME:
                self.struct(content, inner)
            else:
                self.list((kind, content), 1, inner)

    def list(self, element: Any, count: int, path: str) -> None:
        kind, content = element
        if kind == Nodetype.NAME:
            for i in self.range(count):
                self.struct(content, f'{path}[{i}]')
        elif content[0] in SIZES:
            self.numbers(content[0], count, path)
        else:
            self.texts[path] = tuple([self.text(content[0]) for _ in self.range(count)])

    def range(self, count: int) -> range:
        """Refuse counts larger than the remaining bytes: a damaged one may be billions."""
        if count > len(self.data) - self.at:
            raise LayoutError(f'a list of {count} at byte {self.at} of {len(self.data)}')
        return range(count)

    def numbers(self, kind: str, count: int, path: str) -> None:
        size = SIZES[kind]
        if count:
            self.align(size)
        self.fields[path] = Field(self.at, f'{self.order}{CODES[kind]}', count)
        self.skip(size * count)

    def text(self, kind: str) -> str:
        if kind != 'string':
            raise LayoutError(f'a field of type {kind}')
        length = self.length()
        start = self.at
        self.skip(length)
        self.fixed.append((start, self.data[start : self.at]))
        return self.data[start : max(start, self.at - 1)].decode()

    def length(self) -> int:
        """Identify the layout by it, too."""
        length = super().length()
        start = self.at - 4
        self.fixed.append((start, self.data[start : self.at]))
        return length

    def skip(self, size: int) -> None:
        if self.at + size > len(self.data):
            raise LayoutError(f'{size} bytes at byte {self.at} of {len(self.data)}')
        self.at += size


def _merged(pieces: Sequence[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """Return the same pieces with neighbours in one; bytes of padding are in none."""
    merged = [pieces[0]]
    for offset, data in pieces[1:]:
        start, before = merged[-1]
        if start + len(before) == offset:
            merged[-1] = (start, before + data)
        else:
            merged.append((offset, data))
    return merged
