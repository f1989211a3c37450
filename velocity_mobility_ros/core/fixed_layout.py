"""Serialized messages of one type that hold numbers only: each value has its place in the bytes.

The types are those of ROS: ``boolean``, ``uint8``, ..., ``double``, and ``float[3]`` for three of
them. There are no texts, lists or messages inside.
"""

import re
import struct
from collections import namedtuple
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from velocity_mobility_ros.core.cdr import LITTLE_ENDIAN, ORIGIN, is_plain

FORMATS = {
    'boolean': '?', 'octet': 'B', 'uint8': 'B', 'int8': 'b', 'uint16': 'H', 'int16': 'h',
    'uint32': 'I', 'int32': 'i', 'uint64': 'Q', 'int64': 'q', 'float': 'f', 'double': 'd',
}  # fmt: skip
"""Letter of ``struct`` by type."""

HEADER = bytes((0, LITTLE_ENDIAN, 0, 0))
"""Begin of a message: little-endian CDR."""

MAX_PADDING = 3
"""Bytes that may follow a message: ROS sends multiples of four."""

KIND = re.compile(r'(\w+)(?:\[(\d+)\])?')


class FixedLayout:
    """Where the values of a type stand.

    Attributes:
        size: Bytes of a message, its header included.
    """

    def __init__(self, fields: Mapping[str, str], names: Iterable[str] | None = None) -> None:
        """Find the places.

        Args:
            fields: Type by name of all fields, in their order.
            names: Which of them are read; all by default.

        Raises:
            ValueError: A type is none of these.
        """
        wanted = set(fields if names is None else names)
        reading, writing, at, count = '<', '<', 0, 0
        places: dict[str, int | slice] = {}
        for name, kind in fields.items():
            letter, length = _parsed(kind)
            size = struct.calcsize(letter)
            gap = -at % size
            values = f'{length or 1}{letter}'
            writing += f'{gap}x{values}'
            if name in wanted:
                reading += f'{gap}x{values}'
                places[name] = slice(count, count + length) if length else count
                count += length or 1
            else:
                reading += f'{gap + size * (length or 1)}x'
            at += gap + size * (length or 1)
        self.size = ORIGIN + at
        self._fields, self._padding = fields, bytes(-at % (MAX_PADDING + 1))
        self._reader, self._writer = struct.Struct(reading), struct.Struct(writing)
        self._places = tuple(places.values())
        self._make = namedtuple('Values', places)._make

    def fits(self, data: bytes) -> bool:
        """Return whether a message has the size of this type."""
        return 0 <= len(data) - self.size <= MAX_PADDING

    def read(self, data: bytes) -> Any | None:
        """Return the values of a message as attributes; None: it is not little-endian CDR.

        Args:
            data: A message that ``fits``.
        """
        if not is_plain(data) or data[1] != LITTLE_ENDIAN:
            return None
        values = self._reader.unpack_from(data, ORIGIN)
        return self._make([values[place] for place in self._places])

    def write(self, values: Mapping[str, Any]) -> bytes:
        """Return a message.

        Args:
            values: Value of each field by name.

        Raises:
            KeyError: One is missing.
            struct.error: One is beyond the numbers of its type.
        """
        flat: list[Any] = []
        for name in self._fields:
            value = values[name]
            if isinstance(value, Sequence):
                flat += value
            else:
                flat.append(value)
        return HEADER + self._writer.pack(*flat) + self._padding


def _parsed(kind: str) -> tuple[str, int]:
    """Return the letter of a type, and the length of an array; 0: it is none."""
    found = KIND.fullmatch(kind)
    if found is None or found[1] not in FORMATS:
        raise ValueError(f'{kind} has no fixed place')
    return FORMATS[found[1]], int(found[2] or 0)
