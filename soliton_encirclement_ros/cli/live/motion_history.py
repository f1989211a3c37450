"""Motion of bodies on one grid of times, as the replay of a report has it, but it grows."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

COLUMNS = ('x', 'y', 'z', 'v', 'yaw', 'flags', 'pred', 'succ')
"""Position [m, map], speed [m/s], heading [rad], what is the matter (see ``Flag``), and the places
of both neighbours on the ring in the list of bodies, -1 for none."""

STEPPED = COLUMNS.index('flags')
"""The first column whose values stay as they are until they change."""

STEP = 0.05
"""Time between two rows [s]."""

MOST_ROWS = 12_000
"""Rows that are kept, ten minutes; of a longer flight the first quarter is dropped."""

LONGEST_JUMP = 5.0
"""Time without news [s] over which a body has not moved straight on: that is a hole."""


class Flag:
    """Bits of what is the matter with a body."""

    DOWN, FILTERED, STOPPED, SILENT = 1, 2, 4, 8


class Rows(NamedTuple):
    """Rows that are new.

    Attributes:
        first: Index of the first one.
        values: (rows, bodies, columns); NaN where nothing is known.
    """

    first: int
    values: NDArray[np.float32]


class MotionHistory:
    """What is kept of the motion of all bodies.

    Attributes:
        begin: Time of the first row [s].
        count: How many rows there are.
    """

    def __init__(self) -> None:
        """Begin without anybody."""
        self.begin, self.count = math.nan, 0
        self._values = np.full((256, 0, len(COLUMNS)), np.nan, dtype=np.float32)

    @property
    def end(self) -> float:
        """Time of the last row [s]."""
        return self.begin + STEP * (self.count - 1)

    @property
    def values(self) -> NDArray[np.float32]:
        """All rows: (rows, bodies, columns)."""
        return self._values[: self.count]

    def add(self, time: float, bodies: Sequence[Sequence[float]]) -> Rows:
        """Take what is known at a time, and return the rows that are new; none if it is old news.

        Times between two looks are filled in: of a simulation that runs ten times as fast as real
        time every tenth row is seen.

        Args:
            time: When [s].
            bodies: The columns of every body, at least as many bodies as before.
        """
        found = np.asarray(bodies, dtype=np.float32).reshape(-1, len(COLUMNS))
        self._make_room_for(len(found))
        if not self.count:
            self.begin = time
        index = round((time - self.begin) / STEP)
        first = self.count
        if index < first:
            return Rows(first, self._values[first:first])
        rows = self._between(index - first + 1, found)
        first = self._append(rows)
        return Rows(first, rows)

    def _between(self, count: int, found: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the rows from the last one to what is found, which is the last of them."""
        rows = np.full((count, *found.shape), np.nan, dtype=np.float32)
        rows[-1] = found
        if not self.count or count == 1 or count * STEP > LONGEST_JUMP:
            return rows
        before, share = self._values[self.count - 1], np.arange(1, count)[:, None, None] / count
        rows[:-1] = before + share * (found - before)
        rows[:-1, :, STEPPED - 1 :] = before[:, STEPPED - 1 :]  # an angle is no number to divide
        return rows

    def _append(self, rows: NDArray[np.float32]) -> int:
        """Write rows after the last one; return the index of the first one."""
        rows = rows[-MOST_ROWS:]
        if self.count + len(rows) > MOST_ROWS:
            self._drop(max(MOST_ROWS // 4, self.count + len(rows) - MOST_ROWS))
        first, end = self.count, self.count + len(rows)
        if end > len(self._values):
            more = np.full((end, *self._values.shape[1:]), np.nan, dtype=np.float32)
            self._values = np.concatenate([self._values, more])
        self._values[first:end] = rows
        self.count = end
        return first

    def _drop(self, count: int) -> None:
        count = min(count, self.count)
        left = self.count - count
        self._values[:left] = self._values[count : self.count].copy()
        self._values[left:] = np.nan
        self.begin, self.count = self.begin + STEP * count, left

    def _make_room_for(self, bodies: int) -> None:
        rows, before, columns = self._values.shape
        if bodies > before:
            more = np.full((rows, bodies - before, columns), np.nan, dtype=np.float32)
            self._values = np.concatenate([self._values, more], axis=1)
