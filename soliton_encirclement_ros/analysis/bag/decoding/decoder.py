"""Columns of numbers from batches of serialized messages."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from rosbags.interfaces.typing import Typesdict

from soliton_encirclement_ros.analysis.bag.decoding.field_layout import (
    Field,
    FieldLayout,
    LayoutError,
    layout_of,
)
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import (
    Bytes,
    Integers,
    MessageBatch,
)

MAX_LAYOUTS = 1024
"""Maximum number of cached layouts of one topic; a damaged bag may have one per message."""

WIDEST_GAP = 16
"""Bytes of padding up to which two pieces are compared as one."""


class Group(NamedTuple):
    """Messages of a batch that share a layout: which rows of the batch these are."""

    batch: MessageBatch
    rows: Integers
    layout: FieldLayout

    @property
    def logged(self) -> Integers:
        """Reception times of the messages [ns], (M,)."""
        return self.batch.logged[self.rows]

    def numbers(self, *paths: str) -> NDArray[Any]:
        """Return adjacent fields of one type, (M, how many)."""
        return self.take([self.layout.fields[path] for path in paths])

    def take(self, fields: Sequence[Field]) -> NDArray[Any]:
        """Return the same, given the fields."""
        first, count = fields[0], sum(field.count for field in fields)
        dtype = np.dtype(first.code)
        if not count:
            return np.zeros((len(self.rows), 0), dtype)
        starts = self.batch.starts[self.rows] + first.offset
        return windows(self.batch.buffer, starts, count * dtype.itemsize).view(dtype)


class MessageDecoder:
    """Sorts the messages of one topic by layout."""

    def __init__(self, types: Typesdict, name: str) -> None:
        """Store the definitions of types and the type of the messages."""
        self._types, self._name = types, name
        self._layouts: dict[int, list[tuple[_Pattern, FieldLayout]]] = {}
        self._count = 0
        self.odd = 0
        self.reason = ''

    def groups(self, batch: MessageBatch) -> Iterator[Group]:
        """Iterate over the layouts in a batch; ``odd`` counts what is no such message."""
        for size in np.unique(batch.sizes).tolist():
            rows = np.flatnonzero(batch.sizes == size)
            for pattern, layout in list(self._layouts.get(size, ())):
                if not len(rows):
                    break
                fits = pattern.fits(batch.buffer, batch.starts[rows])
                if fits.any():
                    yield Group(batch, rows[fits], layout)
                    rows = rows[~fits]
            yield from self._unknown(batch, rows, size)

    def _unknown(self, batch: MessageBatch, rows: Integers, size: int) -> Iterator[Group]:
        while len(rows):
            start = int(batch.starts[rows[0]])
            try:
                layout = self._learn(batch.buffer[start : start + size].tobytes())
            except LayoutError as error:
                self.odd, self.reason = self.odd + 1, self.reason or str(error)
                rows = rows[1:]
                continue
            fits = self._layouts[size][-1][0].fits(batch.buffer, batch.starts[rows])
            yield Group(batch, rows[fits], layout)
            rows = rows[~fits]

    def _learn(self, data: bytes) -> FieldLayout:
        layout = layout_of(self._types, self._name, data)
        if self._count >= MAX_LAYOUTS:
            self._layouts.clear()
            self._count = 0
        self._count += 1
        known = self._layouts.setdefault(len(data), [])
        known.append((_Pattern(layout.fixed), layout))
        return layout


class _Pattern:
    """The bytes that identify messages of a layout."""

    def __init__(self, fixed: Sequence[tuple[int, bytes]]) -> None:
        self._spans = [_span(pieces) for pieces in _close(fixed)]

    def fits(self, buffer: Bytes, starts: Integers) -> NDArray[np.bool_]:
        fits = np.ones(len(starts), bool)
        for offset, data, mask in self._spans:
            found = windows(buffer, starts + offset, len(data))
            fits &= ~((found ^ data) & mask).any(axis=1)
        return fits


def _close(fixed: Sequence[tuple[int, bytes]]) -> list[list[tuple[int, bytes]]]:
    """Return the pieces in lists of such as lie close together."""
    lists = [[fixed[0]]]
    for piece in fixed[1:]:
        offset, data = lists[-1][-1]
        if piece[0] - offset - len(data) <= WIDEST_GAP:
            lists[-1].append(piece)
        else:
            lists.append([piece])
    return lists


def _span(pieces: Sequence[tuple[int, bytes]]) -> tuple[int, Bytes, Bytes]:
    """Return offset, bytes and mask of some pieces as one."""
    start, end = pieces[0][0], pieces[-1][0] + len(pieces[-1][1])
    data, mask = np.zeros(end - start, np.uint8), np.zeros(end - start, np.uint8)
    for offset, piece in pieces:
        place = slice(offset - start, offset - start + len(piece))
        data[place], mask[place] = np.frombuffer(piece, np.uint8), 255
    return start, data, mask


def windows(buffer: Bytes, starts: Integers, width: int) -> Bytes:
    """Return so many bytes from every start, (M, width)."""
    return sliding_window_view(buffer, width)[starts]
