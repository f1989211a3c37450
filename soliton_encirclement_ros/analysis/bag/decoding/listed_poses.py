"""Poses of several bodies in one message: frames of /tf, rigid bodies of motion capture."""

from collections import Counter
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag.decoding.decoder import Group
from soliton_encirclement_ros.analysis.bag.decoding.header_stamps import StampTally
from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Rows, TopicRows
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers
from soliton_encirclement_ros.analysis.bag.topics import topic_roles

POSE = ('x', 'y', 'z'), ('x', 'y', 'z', 'w')
"""Columns of a listed pose: position [m], and attitude as a quaternion."""


class ListFields(NamedTuple):
    """Fields of a message with a list of poses.

    Attributes:
        items: The list.
        name: Name of an item's body; empty where only its place in the list tells it.
        frame: Frame of an item's pose, of which the message has one if this is empty.
        position: Its position.
        attitude: Its attitude.
    """

    items: str
    name: str
    frame: str
    position: str
    attitude: str


FIELDS = {
    topic_roles.FRAMES: ListFields(
        'transforms', 'child_frame_id', 'header', 'transform.translation', 'transform.rotation'
    ),
    topic_roles.POSE_ARRAY: ListFields('poses', '', '', 'position', 'orientation'),
    topic_roles.NAMED_POSES: ListFields('poses', 'name', '', 'pose.position', 'pose.orientation'),
    topic_roles.RIGID_BODIES: ListFields(
        'rigidbodies', 'rigid_body_name', '', 'pose.position', 'pose.orientation'
    ),
}


class Entry(NamedTuple):
    """Name of a body in a list, and the frame of its pose."""

    name: str
    frame: str


class ListDecoder:
    """Gathers the poses of every body in the messages of a topic.

    Attributes:
        sizes: Number of poses of every body.
        lengths: Numbers of items in the messages.
    """

    def __init__(self, fields: ListFields, tally: StampTally) -> None:
        """Begin with none.

        Args:
            fields: Where the poses are.
            tally: Counts invalid stamps, where every item has its own.
        """
        self._fields, self._tally = fields, tally
        self._found: dict[Entry, TopicRows] = {}
        self.sizes: Counter[Entry] = Counter()
        self.lengths: set[int] = set()

    def add(self, group: Group, stamps: Integers, places: Integers) -> None:
        """Take some messages with their stamps [ns]; items without a needed name are left out.

        Raises:
            KeyError: The type lacks a field.
        """
        count = 0
        while f'{self._item(count)}.{self._fields.position}.x' in group.layout.fields:
            self._take(group, stamps, places, count)
            count += 1
        self.lengths.add(count)

    def whole(self) -> dict[Entry, Rows]:
        """Return the rows of all bodies, with the columns of ``POSE``, and forget them."""
        found, self._found = self._found, {}
        return {entry: rows.whole()[1] for entry, rows in found.items()}

    def _item(self, k: int) -> str:
        return f'{self._fields.items}[{k}]'

    def _take(self, group: Group, stamps: Integers, places: Integers, k: int) -> None:
        item, fields = self._item(k), self._fields
        header = f'{item}.{fields.frame}' if fields.frame else 'header'
        (name,) = group.layout.texts[f'{item}.{fields.name}'] if fields.name else (str(k),)
        (frame,) = group.layout.texts[f'{header}.frame_id']
        if not name:
            return
        if fields.frame:
            sec, nanosec = (group.numbers(f'{header}.stamp.{unit}')[:, 0].astype(np.int64)
                            for unit in ('sec', 'nanosec'))  # fmt: skip
            stamps = self._tally.times(sec, nanosec)
        values = [
            group.numbers(*(f'{item}.{path}.{axis}' for axis in axes)).astype(float)
            for path, axes in zip((fields.position, fields.attitude), POSE, strict=True)
        ]
        rows = Rows(group.logged, stamps, np.column_stack(values))
        self.sizes[Entry(name, frame)] += len(places)
        self._found.setdefault(Entry(name, frame), TopicRows()).add(places, rows)
