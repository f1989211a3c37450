"""Serialized messages that differ only in stamp and numbers: read and written without objects.

A layout is learnt from one message. From then on a message is compared with it byte by byte and
its numbers are read by one call of ``struct``.
"""

import struct
from collections.abc import Sequence
from typing import NamedTuple

from velocity_mobility_ros.core.cdr import BILLION, ORIGIN, STAMP_SIZE, CdrCursor

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
