"""Rows of numbers gathered from many batches: the values of a message, and its two times."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers

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
