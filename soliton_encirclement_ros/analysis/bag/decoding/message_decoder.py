"""Columns of numbers and header stamps from batches of serialized messages.

A row has the values of a message and its two times: that of its header, of a clock or of PX4's
microseconds, and that of the recorder.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from rosbags.interfaces import Nodetype
from rosbags.interfaces.typing import Typesdict
from velocity_mobility_ros.core.cdr import BILLION, ORIGIN, STAMP_SIZE

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


NO_STAMP = int(np.iinfo(np.int64).min)
"""Stands for the stamp of a message that has none, or one of zero, or an invalid one."""

MOST_WRONG = 0.1
"""Share of a topic's stamps that may be invalid; with more, the others are not believed."""

TIME, HEADER = 'builtin_interfaces/msg/Time', 'std_msgs/msg/Header'
CLOCK = 'rosgraph_msgs/msg/Clock'


class StampTally:
    """Counts the stamps of a topic with a nanosec of a second or more, which is no time.

    Attributes:
        largest: The largest nanosec.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self.largest = 0
        self._count = self._wrong = self._zeros = 0

    def times(self, seconds: Integers, nanoseconds: np.ndarray) -> Integers:
        """Return stamps [ns], ``NO_STAMP`` where they are zero or invalid, (M,)."""
        wrong = nanoseconds >= BILLION
        self.largest = max(self.largest, int(nanoseconds.max(initial=0)))
        self._count += len(wrong)
        self._wrong += np.count_nonzero(wrong)
        stamps = seconds * BILLION + nanoseconds
        self._zeros += np.count_nonzero(stamps == 0)
        return np.where(wrong | (stamps == 0), NO_STAMP, stamps)

    @property
    def is_any_wrong(self) -> bool:
        """Whether a stamp was invalid."""
        return self._wrong > 0

    @property
    def is_always_zero(self) -> bool:
        """Whether all of several stamps were 0: nobody set them."""
        return self._count > 1 and self._zeros == self._count

    @property
    def is_useless(self) -> bool:
        """Whether so many were invalid that those which look valid are wrong as well."""
        return self._wrong > MOST_WRONG * self._count


def stamps(types: Typesdict, batch: MessageBatch, tally: StampTally) -> Integers:
    """Return the stamps of messages [ns], ``NO_STAMP`` where there is none, (M,).

    Args:
        types: Known types.
        batch: The messages.
        tally: Counts those that are invalid.
    """
    kind = batch.channel.type
    stamps = np.full(len(batch.starts), NO_STAMP, np.int64)
    unit = _unit(types, kind)
    whole = np.flatnonzero(batch.sizes >= ORIGIN + STAMP_SIZE)
    if not unit or not len(whole):
        return stamps
    found = windows(batch.buffer, batch.starts[whole], ORIGIN + STAMP_SIZE)
    for order, flag in (('>', 0), ('<', 1)):
        rows = np.flatnonzero((found[:, 0] == 0) & (found[:, 1] == flag))
        numbers = np.ascontiguousarray(found[rows, ORIGIN:])
        stamps[whole[rows]] = _nanoseconds(numbers, order, unit, None if kind == CLOCK else tally)
    return stamps


def _unit(types: Typesdict, kind: str) -> str:
    """Return ``s`` for a type that begins with a stamp, ``us`` for one of PX4, else nothing."""
    fields = types[kind][1] if kind in types else ()
    if not fields:
        return ''
    name, (node, content) = fields[0]
    if node == Nodetype.NAME and content in (HEADER, TIME):
        return 's'
    is_px4 = name == 'timestamp' and node == Nodetype.BASE and content[0] == 'uint64'
    return 'us' if is_px4 else ''


def _nanoseconds(numbers: np.ndarray, order: str, unit: str, tally: StampTally | None) -> Integers:
    """Return times [ns]; without a tally as they are."""
    if unit == 'us':
        stamps = numbers.view(f'{order}u8')[:, 0].astype(np.int64) * 1000
        return np.where(stamps == 0, NO_STAMP, stamps)
    seconds = numbers[:, :4].copy().view(f'{order}i4')[:, 0].astype(np.int64)
    nanoseconds = numbers[:, 4:].copy().view(f'{order}u4')[:, 0]
    return seconds * BILLION + nanoseconds if tally is None else tally.times(seconds, nanoseconds)


Numbers = NDArray[np.float64]
Columns = tuple[NDArray[Any], ...]

MAX_SMALL = 64
"""Pieces that wait before they are joined."""


class Rows(NamedTuple):
    """Messages of a topic in the order of the file.

    Attributes:
        logged: When the recorder got each [ns], (M,).
        stamps: What each says of its time [ns], ``NO_STAMP`` where nothing, (M,).
        values: Its numbers, (M, C).
    """

    logged: Integers
    stamps: Integers
    values: Numbers

    def some(self, kept: NDArray[np.bool_] | Integers) -> 'Rows':
        """Return some of the rows, by mask or index."""
        return Rows(self.logged[kept], self.stamps[kept], self.values[kept])


class Pieces:
    """Columns that are still coming in.

    Small pieces are joined early: many small arrays leave a memory full of holes.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._blocks: list[Columns] = []
        self._small: list[Columns] = []

    def add(self, *columns: NDArray[Any]) -> None:
        """Take a piece of every column."""
        self._small.append(columns)
        if len(self._small) >= MAX_SMALL:
            self._join()

    def whole(self) -> Columns:
        """Return the columns, and forget them."""
        self._join()
        blocks, self._blocks = self._blocks, []
        return blocks[0] if len(blocks) == 1 else _joined(blocks)

    def _join(self) -> None:
        if self._small:
            self._blocks.append(_joined(self._small))
            self._small = []


def _joined(pieces: list[Columns]) -> Columns:
    return tuple(np.concatenate(column) for column in zip(*pieces, strict=True))


class TopicRows:
    """Rows that are still coming in, each with its place among all messages of the topic."""

    def __init__(self) -> None:
        """Begin with none."""
        self._pieces = Pieces()

    def add(self, places: Integers, rows: Rows) -> None:
        """Take some rows."""
        self._pieces.add(places.astype(np.int32), *rows)

    def whole(self) -> tuple[Integers, Rows]:
        """Return all of them in order, with their places, and forget them."""
        places, *columns = self._pieces.whole()
        rows = Rows(*columns)
        if not (np.diff(places) > 0).all():
            order = np.argsort(places, kind='stable')
            places, rows = places[order], rows.some(order)
        return places, rows
