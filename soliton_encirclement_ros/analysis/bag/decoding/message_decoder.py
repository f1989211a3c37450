"""Columns of numbers and header stamps from batches of serialized messages.

Definitions of ROS' own types come from rosbags, others from the bag. Humble recorders write none
into sqlite3. The PX4 messages used here have a different length in every release that changed
them, so the length determines the fields; unused fields are blocks here.

A row has the values of a message and its two times: that of its header, of a clock or of PX4's
microseconds, and that of the recorder.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, get_types_from_idl, get_types_from_msg, get_typestore

from soliton_encirclement_ros.analysis.bag.storage.raw_messages import (
    Channel, Integers, MessageBatch
)
from velocity_mobility_ros.core.cdr import (
    ANY, BILLION, MAX_PADDING, ONE, ORIGIN, STAMP_SIZE, Field, Fields, FieldType, Layout
)
from velocity_mobility_ros.core.cdr_readers import BatchReader, take, windows

LOCAL_POSITION = (
    'uint64 timestamp; uint64 -; bool xy_valid; bool z_valid; bool v_xy_valid; bool v_z_valid;'
    'float32 x; float32 y; float32 z; float32[2] -; uint8 -; float32 -; uint8 -;'
    'float32 vx; float32 vy; float32 vz; float32[3] -; uint8 -; float32 -; uint8 -; float32[3] -;'
    'float32 heading; {}; bool xy_global; bool z_global; uint64 -;'
    'float64 ref_lat; float64 ref_lon; float32 ref_alt; {}'
)
HEADING_13, HEADING_15 = 'float32 -; uint8[2] -', 'float32[3] -; uint8[2] -; float32 -'
LIMITS_13 = 'float32 -; uint8[2] -; float32[8] -'
LIMITS_14 = 'float32 -; uint8[2] -; float32[4] -; uint8 -; float32[4] -'
LIMITS_16 = 'uint8 -; float32[3] -; uint8[2] -; float32[4] -; uint8 -; float32[5] -'
ODOMETRY = (
    'uint64 timestamp; uint64 -; uint8 pose_frame; float32[3] position; float32[4] q;'
    'uint8 velocity_frame; float32[3] velocity; float32[12] -; uint8[2] -'
)
SETPOINT = (
    'uint64 timestamp; float32[3] position; float32[3] velocity; float32[6] -; float32 yaw;'
    'float32 yawspeed'
)

KNOWN = {
    'px4_msgs/msg/VehicleLocalPosition': {
        184: ('1.13', LOCAL_POSITION.format(HEADING_13, LIMITS_13)),
        188: ('1.14', LOCAL_POSITION.format(HEADING_13, LIMITS_14)),
        204: ('1.15', LOCAL_POSITION.format(HEADING_15, LIMITS_14)),
        220: ('1.16 or newer', LOCAL_POSITION.format(HEADING_15, LIMITS_16)),
    },
    'px4_msgs/msg/VehicleOdometry': {118: ('1.14 or newer', ODOMETRY)},
    'px4_msgs/msg/TrajectorySetpoint': {68: ('1.14 or newer', SETPOINT)},
}
"""Release and fields by type and length of the serialized message [bytes]."""


def px4_definition(kind: str, size: int) -> tuple[str, str]:
    """Return release and definition of a type of PX4 by the length of a message [bytes].

    Both are empty if it is unknown.
    """
    for length, (release, fields) in KNOWN.get(kind, {}).items():
        if length <= size <= length + MAX_PADDING:
            lines = [field.split() for field in fields.split(';')]
            named = [f'{kind} {name}' if name != '-' else f'{kind} skipped_{i}'
                     for i, (kind, name) in enumerate(lines)]  # fmt: skip
            return release, '\n'.join(named) + '\n'
    return '', ''


class Types:
    """All known definitions.

    Attributes:
        fields: Fields by the name of their type.
        problems: Why a type is not known.
        assumed: Release of PX4 by type, where the length of a message told it.
    """

    def __init__(self) -> None:
        """Start with those of ROS; the parts in use are the same from Humble to Kilted."""
        self._store = get_typestore(Stores.LATEST)
        self.fields: dict[str, Fields] = {}
        self._add(self._store.fielddefs)
        self._tried: set[tuple[str, str]] = set()
        self.problems: dict[str, str] = {}
        self.assumed: dict[str, str] = {}

    def learn(self, channel: Channel, size: int) -> bool:
        """Add the definition of a channel's type from the bag if ROS has none; return if known.

        Without a definition, PX4's types are known by the length of the first message [bytes].
        """
        tried = (channel.type, channel.definition)
        if channel.type in self.fields or tried in self._tried:
            return channel.type in self.fields
        self._tried.add(tried)
        if not channel.definition:
            release, text = px4_definition(channel.type, size)
            if not release:
                package = channel.type.partition('/')[0]
                self.problems[channel.type] = (
                    'its definition is not in the bag: convert the bag to mcap where '
                    f'{package} is installed (ros2 bag convert)'
                )
                return False
            self.assumed[channel.type] = release
            channel = channel._replace(definition=text, encoding='ros2msg')
        try:
            if channel.encoding == 'ros2idl':
                definitions = get_types_from_idl(channel.definition)
            else:
                definitions = get_types_from_msg(channel.definition, channel.type)
            new = {name: node for name, node in definitions.items() if name not in self.fields}
            self._add(new)
        except Exception as error:
            reason = ' '.join(str(error).split())[:100]
            self.problems[channel.type] = f'its definition in the bag makes no sense: {reason}'
        return channel.type in self.fields

    def message(self, batch: MessageBatch, row: int) -> Any:
        """Return a message of ROS as an object; a damaged one raises any error."""
        start, size = batch.starts[row], batch.sizes[row]
        data = batch.buffer[start : start + size].tobytes()
        return self._store.deserialize_cdr(data, batch.channel.type)

    def _add(self, definitions: Mapping[str, Any]) -> None:
        """Add definitions of rosbags, all or none: a damaged one may look valid."""
        new: dict[str, Fields] = {}

        def fields_of(name: str) -> Fields:
            if name in self.fields or name in new:
                return self.fields.get(name, new.get(name, ()))
            if name not in definitions:
                raise ValueError(f'{name} is not defined')
            fields = definitions[name][1]
            if len({field for field, _ in fields}) < len(fields):
                raise ValueError(f'{name} has a field twice')
            new[name] = tuple([(field, kind_of(*node_type)) for field, node_type in fields])
            return new[name]

        def kind_of(node: int, content: Any) -> FieldType:
            if node in (Nodetype.ARRAY, Nodetype.SEQUENCE):
                length = content[1] if node == Nodetype.ARRAY else ANY
                return kind_of(*content[0])._replace(length=length)
            return FieldType(fields_of(content) if node == Nodetype.NAME else content[0])

        for name in definitions:
            fields_of(name)
        self.fields.update(new)


class Group(NamedTuple):
    """Messages of a batch that share a layout: which rows of the batch these are."""

    batch: MessageBatch
    rows: Integers
    layout: Layout

    def numbers(self, *paths: str) -> NDArray[Any]:
        """Return adjacent fields of one type, (M, how many)."""
        return self.take([self.layout.fields[path] for path in paths])

    def take(self, fields: Sequence[Field]) -> NDArray[Any]:
        """Return the same, given the fields."""
        return take(self.batch.buffer, self.batch.starts[self.rows], fields)


def groups(reader: BatchReader, batch: MessageBatch) -> Iterator[Group]:
    """Iterate over the layouts in a batch; ``odd`` of the reader counts what is no message."""
    for rows, layout in reader.groups(batch.buffer, batch.starts, batch.sizes):
        yield Group(batch, rows, layout)


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
    def is_always_zero(self) -> bool:
        """Whether all of several stamps were 0: nobody set them."""
        return self._count > 1 and self._zeros == self._count

    @property
    def is_useless(self) -> bool:
        """Whether so many were invalid that those which look valid are wrong as well."""
        return self._wrong > MOST_WRONG * self._count


def stamps(types: Types, batch: MessageBatch, tally: StampTally) -> Integers:
    """Return the stamps of messages [ns], ``NO_STAMP`` where there is none, (M,).

    Those that are invalid are counted in the tally.
    """
    kind = batch.channel.type
    stamps = np.full(len(batch.starts), NO_STAMP, np.int64)
    unit = _unit(types, kind)
    complete = np.flatnonzero(batch.sizes >= ORIGIN + STAMP_SIZE)
    if not unit or not len(complete):
        return stamps
    heads = windows(batch.buffer, batch.starts[complete], ORIGIN + STAMP_SIZE)
    for order, flag in (('>', 0), ('<', 1)):
        rows = np.flatnonzero((heads[:, 0] == 0) & (heads[:, 1] == flag))
        numbers = np.ascontiguousarray(heads[rows, ORIGIN:])
        counter = None if kind == CLOCK else tally
        stamps[complete[rows]] = _nanoseconds(numbers, order, unit, counter)
    return stamps


def _unit(types: Types, kind: str) -> str:
    """Return ``s`` for a type that begins with a stamp, ``us`` for one of PX4, else nothing."""
    fields = types.fields.get(kind, ())
    if not fields:
        return ''
    name, (of, length) = fields[0]
    if length == ONE and (of is types.fields[TIME] or of is types.fields[HEADER]):
        return 's'
    return 'us' if (name, of, length) == ('timestamp', 'uint64', ONE) else ''


def _nanoseconds(numbers: np.ndarray, order: str, unit: str, tally: StampTally | None) -> Integers:
    """Return times [ns]; without a tally as they are."""
    if unit == 'us':
        stamps = numbers.view(f'{order}u8')[:, 0].astype(np.int64) * 1000
        return np.where(stamps == 0, NO_STAMP, stamps)
    seconds = numbers[:, :4].copy().view(f'{order}i4')[:, 0].astype(np.int64)
    nanoseconds = numbers[:, 4:].copy().view(f'{order}u4')[:, 0]
    return seconds * BILLION + nanoseconds if tally is None else tally.times(seconds, nanoseconds)


Numbers = NDArray[np.float64]
Columns = tuple[NDArray[Any], ...]


class MessageRows(NamedTuple):
    """Messages of a topic in the order of the file: numbers (M, C), and two times [ns], (M,) each.

    They were ``logged`` by the recorder; a message without a stamp has ``NO_STAMP``.
    """

    logged: Integers
    stamps: Integers
    values: Numbers

    def select(self, selected: NDArray[np.bool_] | Integers) -> 'MessageRows':
        """Return some of the rows, by mask or index."""
        return MessageRows(self.logged[selected], self.stamps[selected], self.values[selected])


def _join_columns(pieces: list[Columns]) -> Columns:
    """Return the concatenated columns, and release the pieces."""
    columns = tuple(np.concatenate(column) for column in zip(*pieces, strict=True))
    pieces.clear()
    return columns


class TopicTimes:
    """Reception times and stamps of the messages of a topic, in the order of the bag.

    Attributes:
        count: Number of messages.
        tally: Counts invalid stamps.
        places: Indices among all messages of the bag, once all are read, (M,).
        logged: Reception times of the recorder [ns], (M,).
        stamps: Stamps [ns], ``NO_STAMP`` for none, (M,).
        selected: Mask of the messages of the selected flight, (M,).
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._pieces: list[Columns] = []
        self.count = 0
        self.tally = StampTally()

    def add(self, places: Integers, logged: Integers, stamps: Integers) -> None:
        """Take some messages."""
        self._pieces.append((places, logged, stamps))
        self.count += len(places)

    def end(self) -> None:
        """Concatenate all that was added."""
        self.places, self.logged, self.stamps = _join_columns(self._pieces)
        self.selected = np.ones(self.count, bool)


class TopicRows:
    """A topic's rows under construction, each with its index among all messages of the topic."""

    def __init__(self, times: TopicTimes) -> None:
        """Begin with none of a topic's messages."""
        self._times = times
        self._pieces: list[Columns] = []

    def add(self, index: Integers, values: Numbers, *stamps: Integers) -> None:
        """Take some rows; with stamps [ns] where those of the messages do not count."""
        self._pieces.append((index.astype(np.int32), values, *stamps))

    def pop_all(self) -> tuple[Integers, MessageRows]:
        """Return the rows of the selected flight, in order, with their indices; release them."""
        index, *columns = _join_columns(self._pieces)
        is_valid, times = self._times.selected[index], self._times
        if not is_valid.all():
            index, columns = index[is_valid], [column[is_valid] for column in columns]
        if not (np.diff(index) > 0).all():
            order = np.argsort(index, kind='stable')
            index, columns = index[order], [column[order] for column in columns]
        values, *stamps = columns
        stamp = stamps[0] if stamps else times.stamps[index]
        return index, MessageRows(times.logged[index], stamp, values)
