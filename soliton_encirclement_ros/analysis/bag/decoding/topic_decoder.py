"""Decodes all messages of a relevant topic into rows.

A message may list the poses of several bodies: frames of /tf, rigid bodies of motion capture.
"""

from collections import Counter
from typing import NamedTuple

import numpy as np
from velocity_mobility_ros.core.cdr_readers import BatchReader

from soliton_encirclement_ros.analysis.bag import topic_roles
from soliton_encirclement_ros.analysis.bag.decoding import vehicle_messages
from soliton_encirclement_ros.analysis.bag.decoding.joint_states import JointStateDecoder
from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import (
    Group,
    Numbers,
    Rows,
    TopicRows,
    TopicTimes,
    Types,
    groups,
)
from soliton_encirclement_ros.analysis.bag.decoding.vehicle_messages import Extractor, pose_in
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers, MessageBatch

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

    def __init__(self, fields: ListFields, times: TopicTimes) -> None:
        """Begin with none of a topic's messages.

        Args:
            fields: Where the poses are.
            times: Times of the messages; invalid stamps of items are counted there, too.
        """
        self._fields, self._times = fields, times
        self._found: dict[Entry, TopicRows] = {}
        self.sizes: Counter[Entry] = Counter()
        self.lengths: set[int] = set()

    def add(self, group: Group, places: Integers) -> None:
        """Take some messages; items without a needed name are left out.

        Raises:
            KeyError: The type lacks a field.
        """
        count = 0
        while f'{self._item(count)}.{self._fields.position}.x' in group.layout.fields:
            self._take(group, places, count)
            count += 1
        self.lengths.add(count)

    def whole(self) -> dict[Entry, Rows]:
        """Return the rows of all bodies, with the columns of ``POSE``, and forget them."""
        found, self._found = self._found, {}
        whole = {entry: rows.whole()[1] for entry, rows in found.items()}
        return {entry: rows for entry, rows in whole.items() if len(rows.logged)}

    def _item(self, k: int) -> str:
        return f'{self._fields.items}[{k}]'

    def _take(self, group: Group, places: Integers, k: int) -> None:
        item, fields = self._item(k), self._fields
        header = f'{item}.{fields.frame}' if fields.frame else 'header'
        (name,) = group.layout.texts[f'{item}.{fields.name}'] if fields.name else (str(k),)
        (frame,) = group.layout.texts[f'{header}.frame_id']
        if not name:
            return
        stamps = []
        if fields.frame:
            sec, nanosec = (group.numbers(f'{header}.stamp.{unit}')[:, 0].astype(np.int64)
                            for unit in ('sec', 'nanosec'))  # fmt: skip
            stamps = [self._times.tally.times(sec, nanosec)]
        values = [
            group.numbers(*(f'{item}.{path}.{axis}' for axis in axes)).astype(float)
            for path, axes in zip((fields.position, fields.attitude), POSE, strict=True)
        ]
        self.sizes[Entry(name, frame)] += len(places)
        rows = self._found.setdefault(Entry(name, frame), TopicRows(self._times))
        rows.add(places, np.column_stack(values), *stamps)


def _nothing(group: Group) -> Numbers:
    return np.zeros((len(group.rows), 0))


EXTRACTORS: dict[str, Extractor] = {
    topic_roles.CLOCK_TYPE: _nothing,
    topic_roles.ODOMETRY: vehicle_messages.odometry,
    topic_roles.POSE: pose_in('pose.position', 'pose.orientation'),
    topic_roles.POSE_COVARIANCE: pose_in('pose.pose.position', 'pose.pose.orientation'),
    topic_roles.TRANSFORM: pose_in('transform.translation', 'transform.rotation'),
    topic_roles.TWIST: vehicle_messages.twist,
    topic_roles.TWIST_STAMPED: vehicle_messages.twist_stamped,
    topic_roles.LOCAL_POSITION: vehicle_messages.local_position,
    topic_roles.VEHICLE_ODOMETRY: vehicle_messages.vehicle_odometry,
    topic_roles.SETPOINT: vehicle_messages.setpoint,
}
"""Function that converts a group of messages into rows, by type; JointState and lists of poses
go by names."""


FURTHER_COLUMNS: dict[str, tuple[str, ...]] = {
    topic_roles.ODOMETRY: vehicle_messages.OTHER,
    topic_roles.LOCAL_POSITION: vehicle_messages.ORIGIN,
    topic_roles.VEHICLE_ODOMETRY: vehicle_messages.ORIGIN,
}
"""Columns behind those of a body, by type."""


class TopicDecoder:
    """Decodes the messages of one topic.

    Attributes:
        taken: Number of messages that could be decoded.
    """

    def __init__(self, types: Types, type_name: str, times: TopicTimes) -> None:
        """Store the type, and the times of the messages."""
        self._reader = BatchReader(types.fields[type_name])
        self.further_columns = FURTHER_COLUMNS.get(type_name, ())
        self._extract = EXTRACTORS.get(type_name)
        self.joints = JointStateDecoder(times)
        self.bodies = ListDecoder(FIELDS[type_name], times) if type_name in FIELDS else None
        self.frames: set[str] = set()
        self.children: set[str] = set()
        self._rows = TopicRows(times)
        self._count = self.taken = 0
        self._unfit = ''

    def add(self, batch: MessageBatch) -> None:
        """Take a batch."""
        for group in groups(self._reader, batch):
            places = group.rows + self._count
            self.frames.update(group.layout.texts.get('header.frame_id', ()))
            self.children.update(group.layout.texts.get('child_frame_id', ()))
            try:
                if self.bodies is not None:
                    self.bodies.add(group, places)
                elif self._extract is not None:
                    self._rows.add(places, self._extract(group))
                else:
                    self.joints.add(group, places)
                self.taken += len(places)
            except (KeyError, ValueError) as error:
                self._unfit = f'its type lacks the field {error}'
        self._count += len(batch.starts)

    @property
    def flaw(self) -> str:
        """The messages that could not be decoded, empty if all were."""
        if self._unfit:
            return f'cannot be decoded: {self._unfit}'
        odd, uneven = self._reader.odd, self.joints.uneven
        if odd:
            return f'{odd} of {self._count} messages are damaged or of another type: left out'
        return f'{uneven} messages with lists of different lengths: left out' if uneven else ''

    def rows(self) -> Rows | None:
        """Return all rows and release them; None if there are none."""
        rows = self._rows.whole()[1] if self.taken and self._extract else None
        return rows if rows is not None and len(rows.logged) else None
