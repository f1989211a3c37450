"""Named coordinates of JointState messages, gathered by the names that they list."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag.decoding.decoder import Group
from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Numbers, Rows, TopicRows
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers

Names = tuple[str, ...]


class NamedColumns(NamedTuple):
    """Messages with the same names in the same order.

    Attributes:
        names: What they list.
        places: Where each stands among all messages of the topic, (M,).
        rows: Positions, then the velocities that are not zero: (M, N + K).
        moving: Which velocities these are, (K,); None where the messages list no velocities.
    """

    names: Names
    places: Integers
    rows: Rows
    moving: tuple[int, ...] | None

    @property
    def positions(self) -> Numbers:
        """(M, N)."""
        return self.rows.values[:, : len(self.names)]

    @property
    def velocities(self) -> Numbers:
        """(M, N), or (M, 0) where the messages list none."""
        if self.moving is None:
            return np.zeros((len(self.places), 0))
        velocities = np.zeros((len(self.places), len(self.names)))
        velocities[:, list(self.moving)] = self.rows.values[:, len(self.names) :]
        return velocities


class JointStateDecoder:
    """All messages of a topic; velocities of zero, which most are, take no memory."""

    def __init__(self) -> None:
        """Begin with none."""
        self._found: dict[tuple[Names, tuple[int, ...] | None], TopicRows] = {}
        self.uneven = 0

    def add(self, group: Group, stamps: Integers, places: Integers) -> None:
        """Take some messages; those whose lists differ in length are counted as ``uneven``."""
        names = group.layout.texts.get('name', ())
        position, velocity = (group.layout.fields[key] for key in ('position', 'velocity'))
        if position.count != len(names) or velocity.count not in (0, len(names)):
            self.uneven += len(group.rows)
        elif names:
            values, rates = (group.take([field]).astype(float) for field in (position, velocity))
            moving = tuple(np.flatnonzero(rates.view(np.int64).any(axis=0)).tolist())
            rows = Rows(group.logged, stamps, np.column_stack([values, rates[:, list(moving)]]))
            key = names, moving if velocity.count else None
            self._found.setdefault(key, TopicRows()).add(places, rows)

    def whole(self) -> Iterator[NamedColumns]:
        """Iterate over them all, and forget them."""
        while self._found:
            (names, moving), parts = self._found.popitem()
            yield NamedColumns(names, *parts.whole(), moving)
