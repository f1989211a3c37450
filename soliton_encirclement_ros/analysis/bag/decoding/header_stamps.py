"""Time of messages: the stamp of a header, of a clock, or PX4's microseconds."""

import numpy as np
from rosbags.interfaces import Nodetype
from rosbags.interfaces.typing import Typesdict
from velocity_mobility_ros.core.cdr import BILLION, ORIGIN, STAMP_SIZE

from soliton_encirclement_ros.analysis.bag.decoding.decoder import windows
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers, MessageBatch

NO_STAMP = int(np.iinfo(np.int64).min)
"""Stands for the stamp of a message that has none, or one of zero, or an invalid one."""

MOST_WRONG = 0.1
"""Share of a topic's stamps that may be invalid; with more, the others are not believed."""

TIME, HEADER = 'builtin_interfaces/msg/Time', 'std_msgs/msg/Header'
CLOCK = 'rosgraph_msgs/msg/Clock'


class StampTally:
    """Counts the stamps of a topic with a nanosec of a second or more, which is no time.

    Attributes:
        largest: The largest nanosec.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self.largest = 0
        self._count = self._wrong = self._zeros = 0

    def times(self, seconds: Integers, nanoseconds: np.ndarray) -> Integers:
        """Return stamps [ns], ``NO_STAMP`` where they are zero or invalid, (M,)."""
        wrong = nanoseconds >= BILLION
        self.largest = max(self.largest, int(nanoseconds.max(initial=0)))
        self._count += len(wrong)
        self._wrong += np.count_nonzero(wrong)
        stamps = seconds * BILLION + nanoseconds
        self._zeros += np.count_nonzero(stamps == 0)
        return np.where(wrong | (stamps == 0), NO_STAMP, stamps)

    @property
    def is_any_wrong(self) -> bool:
        """Whether a stamp was invalid."""
        return self._wrong > 0

    @property
    def is_always_zero(self) -> bool:
        """Whether all of several stamps were 0: nobody set them."""
        return self._count > 1 and self._zeros == self._count

    @property
    def is_useless(self) -> bool:
        """Whether so many were invalid that those which look valid are wrong as well."""
        return self._wrong > MOST_WRONG * self._count


def stamps(types: Typesdict, batch: MessageBatch, tally: StampTally) -> Integers:
    """Return the stamps of messages [ns], ``NO_STAMP`` where there is none, (M,).

    Args:
        types: Known types.
        batch: The messages.
        tally: Counts those that are invalid.
    """
    kind = batch.channel.type
    stamps = np.full(len(batch.starts), NO_STAMP, np.int64)
    unit = _unit(types, kind)
    whole = np.flatnonzero(batch.sizes >= ORIGIN + STAMP_SIZE)
    if not unit or not len(whole):
        return stamps
    found = windows(batch.buffer, batch.starts[whole], ORIGIN + STAMP_SIZE)
    for order, flag in (('>', 0), ('<', 1)):
        rows = np.flatnonzero((found[:, 0] == 0) & (found[:, 1] == flag))
        numbers = np.ascontiguousarray(found[rows, ORIGIN:])
        stamps[whole[rows]] = _nanoseconds(numbers, order, unit, None if kind == CLOCK else tally)
    return stamps


def _unit(types: Typesdict, kind: str) -> str:
    """Return ``s`` for a type that begins with a stamp, ``us`` for one of PX4, else nothing."""
    fields = types[kind][1] if kind in types else ()
    if not fields:
        return ''
    name, (node, content) = fields[0]
    if node == Nodetype.NAME and content in (HEADER, TIME):
        return 's'
    is_px4 = name == 'timestamp' and node == Nodetype.BASE and content[0] == 'uint64'
    return 'us' if is_px4 else ''


def _nanoseconds(numbers: np.ndarray, order: str, unit: str, tally: StampTally | None) -> Integers:
    """Return times [ns]; without a tally as they are."""
    if unit == 'us':
        stamps = numbers.view(f'{order}u8')[:, 0].astype(np.int64) * 1000
        return np.where(stamps == 0, NO_STAMP, stamps)
    seconds = numbers[:, :4].copy().view(f'{order}i4')[:, 0].astype(np.int64)
    nanoseconds = numbers[:, 4:].copy().view(f'{order}u4')[:, 0]
    return seconds * BILLION + nanoseconds if tally is None else tally.times(seconds, nanoseconds)
