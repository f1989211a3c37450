"""Serialized messages, many at once: all that differs is the stamp and numbers.

A layout is found by serializing one message with marks in it, so the serializer alone decides
where a number stands.
"""

import struct
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.sim.chunk import Floats

STAMP_AT = 4
"""Where the stamp stands: first, behind the four bytes that announce the encoding."""

MARK = -7.0e15
"""Marks are whole numbers from here on, all different, and like no length, text or zero."""

MAX_LAYOUTS = 256
"""Layouts remembered at most."""


class MessageTemplate:
    """Prints messages whose type begins with a stamp, little-endian."""

    def __init__(self, draw: Callable[[Sequence[float]], bytes], count: int) -> None:
        """Find the places of the numbers.

        Args:
            draw: Returns a serialized message that holds these numbers, each once, as float64.
            count: How many numbers it holds.
        """
        marks = [MARK - i for i in range(count)]
        drawn = draw(marks)
        starts = [drawn.index(struct.pack('<d', mark)) for mark in marks]
        self._blank = np.frombuffer(drawn, np.uint8)
        self._places = np.add.outer(starts, np.arange(8)).astype(int).ravel()

    def print(self, stamps_ns: NDArray[np.int64], numbers: Floats) -> list[bytes]:
        """Return a message per stamp [ns] and row of numbers, (S, count)."""
        sheet = np.tile(self._blank, (len(stamps_ns), 1))
        stamps = np.stack(np.divmod(stamps_ns, 1_000_000_000), axis=1).astype('<u4')
        sheet[:, STAMP_AT : STAMP_AT + 8] = stamps.view(np.uint8)
        filled = np.ascontiguousarray(numbers, '<f8')
        sheet[:, self._places] = filled.view(np.uint8).reshape(len(stamps_ns), -1)
        text, size = sheet.tobytes(), sheet.shape[1]
        return [text[at : at + size] for at in range(0, len(text), size)]


class MessageTemplates:
    """Prints messages that may leave some numbers out: those that are NaN."""

    def __init__(
        self, draw: Callable[[Sequence[int]], Callable[[Sequence[float]], bytes]], count: int
    ) -> None:
        """Have no layout yet.

        Args:
            draw: Returns, for the indices of the optional numbers that are there, what serializes
                such a message.
            count: How many numbers are always there; the optional ones follow.
        """
        self._draw, self._count = draw, count
        self._known: dict[tuple[int, ...], MessageTemplate] = {}

    def print(self, stamps_ns: NDArray[np.int64], numbers: Floats) -> list[bytes]:
        """Return a message per stamp [ns] and row of numbers, (S, count + optional)."""
        there = ~np.isnan(numbers[:, self._count :])
        printed = [b''] * len(stamps_ns)
        for rows, pattern in _alike(there):
            optional = np.flatnonzero(pattern)
            columns = [*range(self._count), *(self._count + optional)]
            template = self._template(tuple(optional.tolist()))
            found = template.print(stamps_ns[rows], numbers[np.ix_(rows, columns)])
            for row, message in zip(rows.tolist(), found, strict=True):
                printed[row] = message
        return printed

    def _template(self, optional: tuple[int, ...]) -> MessageTemplate:
        if optional not in self._known:
            if len(self._known) >= MAX_LAYOUTS:
                self._known.clear()
            count = self._count + len(optional)
            self._known[optional] = MessageTemplate(self._draw(optional), count)
        return self._known[optional]


class GroupTemplates:
    """Prints messages that name some members, each with its numbers.

    A row of numbers is the fixed ones, then ``most`` groups of ``size`` and the index of the
    member, which is negative after the last group.
    """

    def __init__(
        self,
        draw: Callable[[Sequence[int]], Callable[[Sequence[float]], bytes]],
        count: int,
        size: int,
    ) -> None:
        """Have no layout yet.

        Args:
            draw: Returns, for the indices of the members named, what serializes such a message.
            count: How many numbers are always there.
            size: How many numbers belong to a member.
        """
        self._draw, self._count, self._size = draw, count, size
        self._known: dict[tuple[int, ...], MessageTemplate] = {}

    def print(self, stamps_ns: NDArray[np.int64], numbers: Floats) -> list[bytes]:
        """Return a message per stamp [ns] and row of numbers, (S, count + most * (size + 1))."""
        groups = numbers[:, self._count :].reshape(len(numbers), -1, self._size + 1)
        printed = [b''] * len(stamps_ns)
        for rows, pattern in _alike(groups[:, :, -1].astype(int)):
            named = tuple(pattern[pattern >= 0].tolist())
            told = groups[rows, : len(named), :-1].reshape(len(rows), -1)
            fixed = numbers[rows, : self._count]
            found = self._template(named).print(stamps_ns[rows], np.hstack([fixed, told]))
            for row, message in zip(rows.tolist(), found, strict=True):
                printed[row] = message
        return printed

    def _template(self, named: tuple[int, ...]) -> MessageTemplate:
        if named not in self._known:
            if len(self._known) >= MAX_LAYOUTS:
                self._known.clear()
            count = self._count + self._size * len(named)
            self._known[named] = MessageTemplate(self._draw(named), count)
        return self._known[named]


def _alike(keys: NDArray) -> Iterator[tuple[NDArray[np.intp], NDArray]]:
    """Iterate over the different rows of a table: where they are, and one of them."""
    if len(keys) and (keys == keys[0]).all():
        yield np.arange(len(keys)), keys[0]
        return
    patterns, which = np.unique(keys, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        yield np.flatnonzero(which.ravel() == number), pattern
