"""Rows of numbers gathered from many batches: what a message said, and its two times."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.analysis.bag.raw import Integers

Numbers = NDArray[np.float64]


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


class Gathered:
    """Rows that are still coming in, each with its place among all messages of the topic."""

    def __init__(self) -> None:
        """Begin with none."""
        self._parts: list[tuple[Integers, Rows]] = []

    def add(self, places: Integers, rows: Rows) -> None:
        """Take some rows."""
        self._parts.append((places, rows))

    def whole(self) -> tuple[Integers, Rows]:
        """Return all of them in order, with their places, and forget the parts."""
        places = np.concatenate([places for places, _ in self._parts])
        columns = zip(*(rows for _, rows in self._parts), strict=True)
        rows = Rows(*(np.concatenate(column) for column in columns))
        self._parts = []
        if not (np.diff(places) > 0).all():
            order = np.argsort(places, kind='stable')
            places, rows = places[order], rows.some(order)
        return places, rows
