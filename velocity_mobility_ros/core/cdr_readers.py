"""Readers of serialized messages, by layouts of ``core.cdr`` that they learn and compare.

One message after the other, many of a buffer at once, or messages of numbers only.
"""

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from velocity_mobility_ros.core.cdr import (
    ANY, LITTLE_ENDIAN, MAX_PADDING, ONE, TEXT, Field, Fields, Layout, LayoutError, encode,
    is_plain, kind_of, struct_of
)

MAX_LAYOUTS = 1024
"""Layouts of a topic with many senders that are kept at most; each repeats its own."""

FEW_LAYOUTS = 64
"""Layouts kept of a topic with one sender, whose messages differ in padding alone."""

MAX_LAYOUT_BYTES = 1 << 23
"""Bytes of the messages that layouts were learnt from, at most, if ``MAX_LAYOUTS`` may be kept.

Readers of fewer layouts keep fewer bytes in proportion. Layouts take four times as much memory.
"""

MAX_PLACES = 8
"""Most places of texts kept for one length: a message is compared with each of them."""

Summary = TypeVar('Summary')
Known = tuple[Summary, Callable[[bytes], tuple[Any, ...]]]
"""What messages of a layout have in common, and what returns all their numbers."""


class _Alike(Generic[Summary]):
    """Layouts of one length with their texts and numbers at the same places."""

    def __init__(self, layout: Layout) -> None:
        self.constant_of = itemgetter(*[slice(*part) for part in layout.constant])
        self.mask = layout.mask
        self.known: dict[Any, Known[Summary]] = {}
        """By all that is no number, with the padding of each message so far, and with zeros."""

    def cleaned(self, data: bytes) -> bytes:
        """Return a message with zeros as numbers and padding."""
        return (np.frombuffer(data, np.uint8) & self.mask).tobytes()


class MessageReader(Generic[Summary]):
    """Reads messages of one type, one after the other."""

    def __init__(
        self, fields: Fields, summarize: Callable[[Layout], Summary], most: int = FEW_LAYOUTS
    ) -> None:
        """Begin without a layout.

        Args:
            fields: The type.
            summarize: Returns what messages of one layout have in common; called once for each.
            most: Layouts to keep at most: a stranger must not fill the memory.
        """
        self._fields, self._summarize, self._most = fields, summarize, most
        self._most_bytes = MAX_LAYOUT_BYTES * most // MAX_LAYOUTS
        self._known: dict[int, dict[Any, _Alike[Summary]]] = {}
        self._count = self._bytes = 0

    def read(self, data: bytes) -> tuple[Summary, tuple[Any, ...]]:
        """Return the fixed part of the layout of a message, and all its numbers.

        Raises:
            LayoutError: It is no message of this type.
        """
        summary, unpack = self.find(data)
        return summary, unpack(data)

    def find(self, data: bytes) -> Known[Summary]:
        """Return the known layout of a message.

        Raises:
            LayoutError: It is no message of this type.
        """
        for alike in self._known.get(len(data), {}).values():
            known = alike.known.get(alike.constant_of(data))
            if known is not None:
                return known
        for alike in self._known.get(len(data), {}).values():
            known = alike.known.get(alike.constant_of(alike.cleaned(data)))
            if known is not None:
                return self._keep(data, alike, known)
        return self._learn(data)

    def _learn(self, data: bytes) -> Known[Summary]:
        layout = Layout(self._fields, data)
        known = self._summarize(layout), layout.read
        places = layout.mask.tobytes(), *layout.constant
        same_length = self._known.setdefault(len(data), {})
        if places not in same_length and len(same_length) >= MAX_PLACES:
            same_length.clear()
        alike = same_length.setdefault(places, _Alike(layout))
        self._keep(alike.cleaned(data), alike, known)
        return self._keep(data, alike, known)

    def _keep(
        self, data: bytes, alike: _Alike[Summary], known: Known[Summary]
    ) -> Known[Summary]:
        self._count, self._bytes = self._count + 1, self._bytes + len(data)
        if self._count > self._most or self._bytes > self._most_bytes:
            self._known.clear()
            self._count = self._bytes = 0
        else:
            alike.known[alike.constant_of(data)] = known
        return known


class BatchReader:
    """Sorts the messages of one type by layout, many at once.

    Attributes:
        odd: Number of those that are no such message.
    """

    def __init__(self, fields: Fields) -> None:
        """Store the type."""
        self._fields = fields
        self._layouts: dict[int, list[Layout]] = {}
        self._count = self._bytes = self.odd = 0

    def groups(
        self, buffer: NDArray[np.uint8], starts: NDArray[np.int64], sizes: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], Layout]]:
        """Iterate over the layouts of messages in a buffer: indices of the messages, and layout.

        Args:
            buffer: The bytes.
            starts: Where each message begins, (M,).
            sizes: Bytes of each, (M,).
        """
        for size in np.unique(sizes).tolist():
            rows = np.flatnonzero(sizes == size)
            for layout in list(self._layouts.get(size, ())):
                if len(rows):
                    fits = _fits(layout, buffer, starts[rows])
                    if fits.any():
                        yield rows[fits], layout
                    rows = rows[~fits]
            while len(rows):
                start = int(starts[rows[0]])
                try:
                    layout = self._learn(buffer[start : start + size].tobytes())
                except LayoutError:
                    self.odd, rows = self.odd + 1, rows[1:]
                    continue
                fits = _fits(layout, buffer, starts[rows])
                yield rows[fits], layout
                rows = rows[~fits]

    def _learn(self, data: bytes) -> Layout:
        layout = Layout(self._fields, data)
        self._count, self._bytes = self._count + 1, self._bytes + len(data)
        if self._count > MAX_LAYOUTS or self._bytes > MAX_LAYOUT_BYTES:
            self._layouts.clear()
            self._count = self._bytes = 0
        self._layouts.setdefault(len(data), []).append(layout)
        return layout


def _fits(
    layout: Layout, buffer: NDArray[np.uint8], starts: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return which messages, all as long as those of a layout, are of it."""
    fits = np.ones(len(starts), bool)
    for begin, end in layout.constant:
        mask, row = layout.mask[begin:end], f'V{end - begin}'  # a row compares as one value
        if mask.any():
            there = windows(buffer, starts + begin, end - begin) & mask
            fits &= there.view(row)[:, 0] == (layout.blank[begin:end] & mask).view(row)[0]
    return fits


def windows(
    buffer: NDArray[np.uint8], starts: NDArray[np.int64], width: int
) -> NDArray[np.uint8]:
    """Return so many bytes from every start, (M, width)."""
    return sliding_window_view(buffer, width)[starts]


def take(
    buffer: NDArray[np.uint8], starts: NDArray[np.int64], fields: Sequence[Field]
) -> NDArray[Any]:
    """Return adjacent fields of one type of messages of one layout, (M, how many)."""
    dtype, count = np.dtype(fields[0].code), sum(field.count for field in fields)
    if not count:
        return np.zeros((len(starts), 0), dtype)
    return windows(buffer, starts + fields[0].offset, count * dtype.itemsize).view(dtype)


class FixedLayout:
    """Messages of a type that holds numbers only: ``boolean``, ``uint8``, ..., ``float[3]``.

    Attributes:
        size: Bytes of a message, its header included.
    """

    def __init__(self, fields: Mapping[str, str]) -> None:
        """Find the places.

        Args:
            fields: Type by name of all fields, in their order.

        Raises:
            ValueError: A type is none of these.
        """
        kinds = {name: kind_of(kind) for name, kind in fields.items()}
        for name, kind in kinds.items():
            if kind.of == TEXT or kind.length == ANY:
                raise ValueError(f'{fields[name]} has no fixed place')
        self._layout = Layout([*kinds.items()], encode([*kinds.items()], {}))
        self.size, self._kinds = self._layout.size, kinds
        read = self._layout.fields
        ends = np.cumsum([0, *(field.count for field in read.values())]).tolist()
        self._places = [
            slice(begin, end) if kinds[name].length != ONE else begin
            for name, begin, end in zip(read, ends, ends[1:], strict=False)
        ]
        self._reader = struct_of(read.values(), '<')
        values: Any = namedtuple('Values', read)  # type: ignore[misc]  # names of a message
        self._make = values._make

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
        values = self._reader.unpack_from(data)
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
        for name, kind in self._kinds.items():
            flat += (values[name],) if kind.length == ONE else values[name]
        return self._layout.write(flat) + bytes(-self.size % (MAX_PADDING + 1))
