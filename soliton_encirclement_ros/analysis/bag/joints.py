"""Named coordinates of JointState messages, gathered by the names that they list."""

from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag.decoding import Group
from soliton_encirclement_ros.analysis.bag.raw import Integers
from soliton_encirclement_ros.analysis.bag.rows import Gathered, Numbers, Rows

Names = tuple[str, ...]


class Joints(NamedTuple):
    """Messages with the same names in the same order.

    Attributes:
        names: What they list.
        places: Where each stands among all messages of the topic, (M,).
        rows: Positions, then velocities if there are any: (M, N) or (M, 2 N).
    """

    names: Names
    places: Integers
    rows: Rows

    @property
    def positions(self) -> Numbers:
        """(M, N)."""
        return self.rows.values[:, : len(self.names)]

    @property
    def velocities(self) -> Numbers:
        """(M, N), or (M, 0) where the messages list none."""
        return self.rows.values[:, len(self.names) :]


class JointGatherer:
    """All messages of a topic."""

    def __init__(self) -> None:
        """Begin with none."""
        self._found: dict[tuple[Names, int], Gathered] = {}
        self.uneven = 0

    def add(self, group: Group, stamps: Integers, places: Integers) -> None:
        """Take some messages; those whose lists differ in length are counted as ``uneven``."""
        names = group.layout.texts.get('name', ())
        position, velocity = (group.layout.fields[key] for key in ('position', 'velocity'))
        if position.count != len(names) or velocity.count not in (0, len(names)):
            self.uneven += len(group.rows)
        elif names:
            values = [group.take([field]) for field in (position, velocity)]
            rows = Rows(group.logged, stamps, np.column_stack(values).astype(float))
            self._found.setdefault((names, velocity.count), Gathered()).add(places, rows)

    def whole(self) -> list[Joints]:
        """Return them all, and forget them."""
        found = [Joints(names, *parts.whole()) for (names, _), parts in self._found.items()]
        self._found.clear()
        return found
