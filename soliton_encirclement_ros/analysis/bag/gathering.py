"""All messages of a topic of use, as rows."""

import numpy as np

from soliton_encirclement_ros.analysis.bag import messages, px4, roles
from soliton_encirclement_ros.analysis.bag.decoding import Decoder, Group
from soliton_encirclement_ros.analysis.bag.joints import JointGatherer
from soliton_encirclement_ros.analysis.bag.messages import Extractor
from soliton_encirclement_ros.analysis.bag.raw import Batch, Integers
from soliton_encirclement_ros.analysis.bag.rows import Gathered, Numbers, Rows
from soliton_encirclement_ros.analysis.bag.types import Types


def _nothing(group: Group) -> Numbers:
    return np.zeros((len(group.rows), 0))


EXTRACTORS: dict[str, Extractor] = {
    roles.CLOCK_TYPE: _nothing,
    roles.ODOMETRY: messages.odometry,
    roles.POSE: messages.pose,
    roles.POSE_COVARIANCE: messages.pose_with_covariance,
    roles.TWIST: messages.twist,
    roles.TWIST_STAMPED: messages.twist_stamped,
    roles.LOCAL_POSITION: px4.local_position,
    roles.VEHICLE_ODOMETRY: px4.vehicle_odometry,
    roles.SETPOINT: px4.setpoint,
}
"""What turns a group of messages into rows, by type; JointState is gathered by names."""


class Gatherer:
    """Takes the messages of one topic."""

    def __init__(self, types: Types, type_name: str) -> None:
        """Know the type."""
        self._decoder = Decoder(types.known, type_name)
        self._extract = EXTRACTORS.get(type_name)
        self.joints = JointGatherer()
        self.frames: set[str] = set()
        self._rows = Gathered()
        self._count = self._taken = 0
        self._unfit = ''

    def add(self, batch: Batch, stamps: Integers) -> None:
        """Take a batch with the stamps of its messages [ns]."""
        for group in self._decoder.groups(batch):
            places, told = group.rows + self._count, stamps[group.rows]
            self.frames.update(group.layout.texts.get('header.frame_id', ()))
            self._taken += len(places)
            if self._extract is None:
                self.joints.add(group, told, places)
            else:
                self._take(group, told, places)
        self._count += len(batch.starts)

    def _take(self, group: Group, stamps: Integers, places: Integers) -> None:
        try:
            values = self._extract(group) if self._extract else _nothing(group)
        except (KeyError, ValueError) as error:
            self._taken -= len(places)
            self._unfit = f'its type lacks the field {error}'
            return
        self._rows.add(places, Rows(group.logged, stamps, values))

    @property
    def flaw(self) -> str:
        """What could not be decoded, empty if everything was."""
        if self._unfit:
            return f'cannot be decoded: {self._unfit}'
        odd, uneven = self._decoder.odd, self.joints.uneven
        if odd:
            return f'{odd} of {self._count} messages are damaged or of another type: left out'
        return f'{uneven} messages with lists of different lengths: left out' if uneven else ''

    def rows(self) -> Rows | None:
        """Return all rows and forget them; None if there are none."""
        return self._rows.whole()[1] if self._taken and self._extract else None
