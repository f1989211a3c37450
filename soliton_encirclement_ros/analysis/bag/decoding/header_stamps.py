"""Time of messages: the stamp of a header, of a clock, or PX4's microseconds."""

import numpy as np
from rosbags.interfaces import Nodetype
from rosbags.interfaces.typing import Typesdict
from velocity_mobility_ros.core.cdr import ORIGIN, STAMP_SIZE

from soliton_encirclement_ros.analysis.bag.decoding.decoder import windows
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers, MessageBatch

NO_STAMP = int(np.iinfo(np.int64).min)
"""Stands for the stamp of a message that has none, or one of zero."""

TIME, HEADER = 'builtin_interfaces/msg/Time', 'std_msgs/msg/Header'
CLOCK = 'rosgraph_msgs/msg/Clock'


def stamps(types: Typesdict, batch: MessageBatch) -> Integers:
    """Return the stamps of messages [ns], ``NO_STAMP`` where there is none, (M,)."""
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
        stamps[whole[rows]] = _nanoseconds(numbers, order, unit, kind == CLOCK)
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


def _nanoseconds(numbers: np.ndarray, order: str, unit: str, zero_counts: bool) -> Integers:
    if unit == 'us':
        stamps = numbers.view(f'{order}u8')[:, 0].astype(np.int64) * 1000
    else:
        seconds = numbers[:, :4].copy().view(f'{order}i4')[:, 0].astype(np.int64)
        stamps = seconds * 1_000_000_000 + numbers[:, 4:].copy().view(f'{order}u4')[:, 0]
    return stamps if zero_counts else np.where(stamps == 0, NO_STAMP, stamps)
