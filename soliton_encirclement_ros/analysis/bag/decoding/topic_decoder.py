"""Decodes all messages of a relevant topic into rows."""

import numpy as np

from soliton_encirclement_ros.analysis.bag.decoding import px4_messages, vehicle_messages
from soliton_encirclement_ros.analysis.bag.decoding.decoder import Group, MessageDecoder
from soliton_encirclement_ros.analysis.bag.decoding.header_stamps import StampTally
from soliton_encirclement_ros.analysis.bag.decoding.joint_states import JointStateDecoder
from soliton_encirclement_ros.analysis.bag.decoding.listed_poses import FIELDS, ListDecoder
from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Numbers, Rows, TopicRows
from soliton_encirclement_ros.analysis.bag.decoding.type_definitions import Types
from soliton_encirclement_ros.analysis.bag.decoding.vehicle_messages import Extractor
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers, MessageBatch
from soliton_encirclement_ros.analysis.bag.topics import topic_roles


def _nothing(group: Group) -> Numbers:
    return np.zeros((len(group.rows), 0))


EXTRACTORS: dict[str, Extractor] = {
    topic_roles.CLOCK_TYPE: _nothing,
    topic_roles.ODOMETRY: vehicle_messages.odometry,
    topic_roles.POSE: vehicle_messages.pose,
    topic_roles.POSE_COVARIANCE: vehicle_messages.pose_with_covariance,
    topic_roles.TRANSFORM: vehicle_messages.transform,
    topic_roles.TWIST: vehicle_messages.twist,
    topic_roles.TWIST_STAMPED: vehicle_messages.twist_stamped,
    topic_roles.LOCAL_POSITION: px4_messages.local_position,
    topic_roles.VEHICLE_ODOMETRY: px4_messages.vehicle_odometry,
    topic_roles.SETPOINT: px4_messages.setpoint,
}
"""Function that converts a group of messages into rows, by type; JointState and lists of poses
go by names."""


FURTHER_COLUMNS: dict[str, tuple[str, ...]] = {
    topic_roles.ODOMETRY: vehicle_messages.OTHER,
    topic_roles.LOCAL_POSITION: px4_messages.ORIGIN,
    topic_roles.VEHICLE_ODOMETRY: px4_messages.ORIGIN,
}
"""Columns behind those of a body, by type."""


class TopicDecoder:
    """Decodes the messages of one topic.

    Attributes:
        taken: Number of messages that could be decoded.
    """

    def __init__(self, types: Types, type_name: str, tally: StampTally) -> None:
        """Store the type, and what counts its invalid stamps."""
        self._decoder = MessageDecoder(types.known, type_name)
        self.further_columns = FURTHER_COLUMNS.get(type_name, ())
        self._extract = EXTRACTORS.get(type_name)
        self.joints = JointStateDecoder()
        self.bodies = ListDecoder(FIELDS[type_name], tally) if type_name in FIELDS else None
        self.frames: set[str] = set()
        self.children: set[str] = set()
        self._rows = TopicRows()
        self._count = self.taken = 0
        self._unfit = ''

    def add(self, batch: MessageBatch, stamps: Integers) -> None:
        """Take a batch with the stamps of its messages [ns]."""
        for group in self._decoder.groups(batch):
            places, group_stamps = group.rows + self._count, stamps[group.rows]
            self.frames.update(group.layout.texts.get('header.frame_id', ()))
            self.children.update(group.layout.texts.get('child_frame_id', ()))
            self.taken += len(places)
            if self._extract is None and self.bodies is None:
                self.joints.add(group, group_stamps, places)
            else:
                self._take(group, group_stamps, places)
        self._count += len(batch.starts)

    def _take(self, group: Group, stamps: Integers, places: Integers) -> None:
        try:
            if self.bodies is not None:
                self.bodies.add(group, stamps, places)
            elif self._extract is not None:
                self._rows.add(places, Rows(group.logged, stamps, self._extract(group)))
        except (KeyError, ValueError) as error:
            self.taken -= len(places)
            self._unfit = f'its type lacks the field {error}'

    @property
    def flaw(self) -> str:
        """The messages that could not be decoded, empty if all were."""
        if self._unfit:
            return f'cannot be decoded: {self._unfit}'
        odd, uneven = self._decoder.odd, self.joints.uneven
        if odd:
            return f'{odd} of {self._count} messages are damaged or of another type: left out'
        return f'{uneven} messages with lists of different lengths: left out' if uneven else ''

    def rows(self) -> Rows | None:
        """Return all rows and release them; None if there are none."""
        return self._rows.whole()[1] if self.taken and self._extract else None
