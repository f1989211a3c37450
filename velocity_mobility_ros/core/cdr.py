"""Serialized messages read and written in place: CDR, the encoding of ROS 2.

Values stand at multiples of their size, counted from behind the four bytes that name the encoding.
What is skipped for that may hold anything.

A fixed layout is that of a type that holds numbers only, as ROS names them: ``boolean``,
``uint8``, ..., ``double``, and ``float[3]`` for three of them, without texts, lists or messages
inside. A message layout is learnt from one message. From then on a message is compared with it
byte by byte, and its stamp and numbers are read by one call of ``struct``.
"""

import re
import struct
from collections import namedtuple
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

ORIGIN = 4
"""Where the message begins, and alignment counts from; the bytes before it name the encoding."""

LITTLE_ENDIAN = 1

STAMP_SIZE = 8
"""Bytes of a stamp: seconds and nanoseconds."""

BILLION = 1_000_000_000


def is_plain(data: bytes) -> bool:
    """Return whether a message is announced as CDR, in either byte order."""
    return len(data) >= ORIGIN and data[0] == 0 and data[1] <= LITTLE_ENDIAN


def byte_order(data: bytes) -> str:
    """Return the byte order of a message, as ``struct`` and numpy name it."""
    return '<' if data[1] & LITTLE_ENDIAN else '>'


def first_stamp_ns(data: bytes) -> int:
    """Return the stamp [ns] that a message begins with.

    Raises:
        struct.error: The message ends before.
    """
    seconds, nanoseconds = struct.unpack_from(f'{byte_order(data)}iI', data, ORIGIN)
    return int(seconds) * BILLION + int(nanoseconds)


def first_nanosec(data: bytes) -> int:
    """Return the nanoseconds [ns] of the stamp that a message begins with; sound below a second.

    Raises:
        struct.error: The message ends before.
    """
    (nanoseconds,) = _NANOSEC[data[1] & LITTLE_ENDIAN].unpack_from(data, ORIGIN + 4)
    return int(nanoseconds)


_NANOSEC = struct.Struct('>I'), struct.Struct('<I')
"""By byte order, as the message names it."""


class CdrCursor:
    """A position in a message that is plain."""

    def __init__(self, data: bytes, at: int = ORIGIN) -> None:
        """Begin at a position."""
        self.data = data
        self.at = at
        self.order = byte_order(data)

    def align(self, size: int) -> int:
        """Go to where a value of a size [bytes] stands; return how many bytes were skipped."""
        skipped = (ORIGIN - self.at) % size
        self.at += skipped
        return skipped

    def length(self) -> int:
        """Read the length of a text or a list and go past it.

        Raises:
            struct.error: The message ends before.
        """
        self.align(4)
        (length,) = struct.unpack_from(f'{self.order}I', self.data, self.at)
        self.at += 4
        return int(length)


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


NUMBERS_FROM = ORIGIN + STAMP_SIZE
"""Where the fields after the stamp begin."""

TEXT, TEXTS, NUMBERS = -1, -2, -3
"""Fields of a message: a string, a sequence of strings, a sequence of float64; a positive number
stands for an array of so many float64."""


class Shape(NamedTuple):
    """Where the parts of a message stand: from where to where."""

    constant: tuple[tuple[int, int], ...]
    """All but stamp and numbers: encoding, texts and lengths."""

    padding: tuple[tuple[int, int], ...]
    """The part of it that may hold anything."""

    def texts(self, data: bytes) -> tuple[bytes, ...]:
        """Return the constant parts of a message."""
        return tuple([data[start:end] for start, end in self.constant])

    def cleaned(self, data: bytes) -> bytes:
        """Return a message with zeros as padding."""
        clean = bytearray(data)
        for start, end in self.padding:
            clean[start:end] = bytes(end - start)
        return bytes(clean)


class MessageLayout:
    """Messages of one type with the same texts and lengths; the type begins with a stamp."""

    def __init__(self, example: bytes, fields: Sequence[int]) -> None:
        """Learn the layout.

        Args:
            example: A sound message in CDR: whatever it says of lengths is believed.
            fields: What follows the stamp.
        """
        walk = _Walk(example, NUMBERS_FROM)
        for field in fields:
            walk.field(field)
        order = walk.order
        constant, form, at = [(0, ORIGIN)], f'{order}{ORIGIN}xiI', NUMBERS_FROM
        whole, ends = f'{order}{ORIGIN}siI', [0]
        for start, count in walk.runs:
            form += f'{start - at}x{count}d'
            whole += f'{start - at}s{count}d'
            constant.append((at, start))
            ends.append(ends[-1] + count)
            at = start + 8 * count
        constant.append((at, walk.at))
        self.shape = Shape(tuple(constant), tuple(walk.padding))
        self._blank = self.shape.cleaned(example[: walk.at])
        self._all = struct.Struct(form)
        self._whole = struct.Struct(f'{whole}{walk.at - at}s')
        self._head, *between, self._tail = self.texts
        self._runs = [*zip(between, ends, ends[1:], strict=False)]

    @property
    def texts(self) -> tuple[bytes, ...]:
        """The constant parts of its messages, with zeros as padding."""
        return self.shape.texts(self._blank)

    def read(self, data: bytes) -> tuple[int, tuple[float, ...]]:
        """Return stamp [ns] and numbers of a message of this layout."""
        values = self._all.unpack_from(data)
        return values[0] * BILLION + values[1], values[2:]

    def write(self, stamp_ns: int, numbers: Sequence[float]) -> bytes:
        """Return a message with a stamp [ns] and all its numbers."""
        parts: list[bytes | float] = [self._head, *divmod(stamp_ns, BILLION)]
        for text, start, end in self._runs:
            parts.append(text)
            parts += numbers[start:end]
        parts.append(self._tail)
        return self._whole.pack(*parts)


class _Walk(CdrCursor):
    """Goes through a message field by field."""

    def __init__(self, data: bytes, at: int) -> None:
        super().__init__(data, at)
        self.padding: list[tuple[int, int]] = []
        self.runs: list[tuple[int, int]] = []

    def field(self, field: int) -> None:
        """Go past a field."""
        if field == TEXT:
            self._text()
        elif field == TEXTS:
            for _ in range(self.length()):
                self._text()
        elif field == NUMBERS:
            self._numbers(self.length())
        else:
            self._numbers(field)

    def align(self, size: int) -> int:
        """Remember what is skipped, too."""
        start = self.at
        skipped = super().align(size)
        if skipped:
            self.padding.append((start, self.at))
        return skipped

    def _text(self) -> None:
        length = self.length()
        self.at += length

    def _numbers(self, count: int) -> None:
        if count:
            self.align(8)
            self.runs.append((self.at, count))
            self.at += 8 * count
