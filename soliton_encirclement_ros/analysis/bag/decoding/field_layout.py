"""Definitions of message types, and the positions of their fields in serialized messages.

ROS' own definitions come from the library, others from the bag. Humble recorders write none into
sqlite3. The PX4 messages used here have a different length in every release that changed them, so
the length determines the fields; unused fields are blocks here.

Messages of a type differ in layout only by their texts and by the lengths of their lists, which
parsing one example shows. So one pass in Python serves all messages that share these bytes, and
numpy reads their numbers.
"""

import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

from rosbags.interfaces import Nodetype
from rosbags.interfaces.typing import Typesdict
from rosbags.typesys import Stores, get_types_from_idl, get_types_from_msg, get_typestore
from velocity_mobility_ros.core.cdr import CdrCursor, is_plain

from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Channel

SIZES = {
    'bool': 1, 'byte': 1, 'char': 1, 'octet': 1, 'int8': 1, 'uint8': 1, 'int16': 2, 'uint16': 2,
    'int32': 4, 'uint32': 4, 'float32': 4, 'int64': 8, 'uint64': 8, 'float64': 8,
}  # fmt: skip
CODES = {
    'bool': 'u1', 'byte': 'u1', 'char': 'u1', 'octet': 'u1', 'int8': 'i1', 'uint8': 'u1',
    'int16': 'i2', 'uint16': 'u2', 'int32': 'i4', 'uint32': 'u4', 'float32': 'f4', 'int64': 'i8',
    'uint64': 'u8', 'float64': 'f8',
}  # fmt: skip
SLACK = 3
"""Bytes by which some middlewares pad a message at its end."""


class LayoutError(ValueError):
    """The bytes are not a message of the type."""


class Field(NamedTuple):
    """Numbers of one type in a row.

    Attributes:
        offset: Where they begin in the message.
        code: What numpy calls their type, byte order included.
        count: How many.
    """

    offset: int
    code: str
    count: int


class FieldLayout(NamedTuple):
    """Positions of all fields.

    Attributes:
        fields: Numbers by the path of their field, such as ``header.stamp.sec``.
        texts: Texts by path, as tuples.
        fixed: Pieces (offset, bytes) that identify a message of this layout.
    """

    fields: dict[str, Field]
    texts: dict[str, tuple[str, ...]]
    fixed: list[tuple[int, bytes]]


def layout_of(types: Typesdict, name: str, data: bytes) -> FieldLayout:
    """Parse a message.

    Args:
        types: Definitions by the name of the type.
        name: Its type.
        data: The serialized message.

    Raises:
        LayoutError: The bytes are no such message.
    """
    if not is_plain(data):
        raise LayoutError('not announced as CDR')
    walk = _Walk(types, data)
    try:
        walk.struct(name, '')
    except (struct.error, UnicodeDecodeError, KeyError) as error:
        raise LayoutError(f'{type(error).__name__}: {error}') from None
    if not walk.at <= len(data) <= walk.at + SLACK:
        raise LayoutError(f'{len(data)} bytes, but its fields end at {walk.at}')
    return FieldLayout(walk.fields, walk.texts, _merged(walk.fixed))


class _Walk(CdrCursor):
    """Parses the bytes of one message and records the positions of its fields."""

    def __init__(self, types: Typesdict, data: bytes) -> None:
        super().__init__(data)
        self.types = types
        self.fields: dict[str, Field] = {}
        self.texts: dict[str, tuple[str, ...]] = {}
        self.fixed = [(0, data[:2])]

    def struct(self, name: str, path: str) -> None:
        for field, (kind, content) in self.types[name][1]:
            inner = f'{path}.{field}' if path else field
            if kind == Nodetype.ARRAY:
                self.list(content[0], content[1], inner)
            elif kind == Nodetype.SEQUENCE:
                self.list(content[0], self.length(), inner)
            elif kind == Nodetype.NAME:
                self.struct(content, inner)
            else:
                self.list((kind, content), 1, inner)

    def list(self, element: Any, count: int, path: str) -> None:
        kind, content = element
        if kind == Nodetype.NAME:
            for i in self.range(count):
                self.struct(content, f'{path}[{i}]')
        elif content[0] in SIZES:
            self.numbers(content[0], count, path)
        else:
            self.texts[path] = tuple([self.text(content[0]) for _ in self.range(count)])

    def range(self, count: int) -> range:
        """Refuse counts larger than the remaining bytes: a damaged one may be billions."""
        if count > len(self.data) - self.at:
            raise LayoutError(f'a list of {count} at byte {self.at} of {len(self.data)}')
        return range(count)

    def numbers(self, kind: str, count: int, path: str) -> None:
        size = SIZES[kind]
        if count:
            self.align(size)
        self.fields[path] = Field(self.at, f'{self.order}{CODES[kind]}', count)
        self.skip(size * count)

    def text(self, kind: str) -> str:
        if kind != 'string':
            raise LayoutError(f'a field of type {kind}')
        length = self.length()
        start = self.at
        self.skip(length)
        self.fixed.append((start, self.data[start : self.at]))
        return self.data[start : max(start, self.at - 1)].decode()

    def length(self) -> int:
        """Identify the layout by it, too."""
        length = super().length()
        start = self.at - 4
        self.fixed.append((start, self.data[start : self.at]))
        return length

    def skip(self, size: int) -> None:
        if self.at + size > len(self.data):
            raise LayoutError(f'{size} bytes at byte {self.at} of {len(self.data)}')
        self.at += size


def _merged(pieces: Sequence[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """Return the same pieces with neighbours in one; bytes of padding are in none."""
    merged = [pieces[0]]
    for offset, data in pieces[1:]:
        start, before = merged[-1]
        if start + len(before) == offset:
            merged[-1] = (start, before + data)
        else:
            merged.append((offset, data))
    return merged


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

PADDING = 3
"""Bytes by which some middlewares lengthen a message."""


def px4_definition(kind: str, size: int) -> tuple[str, str]:
    """Return the release and the definition of a message of PX4, both empty if it is unknown.

    Args:
        kind: Its type.
        size: Its length [bytes].
    """
    for length, (release, fields) in KNOWN.get(kind, {}).items():
        if length <= size <= length + PADDING:
            return release, _text(fields)
    return '', ''


def _text(fields: str) -> str:
    lines = [field.split() for field in fields.split(';')]
    named = [f'{kind} {name}' if name != '-' else f'{kind} skipped_{i}'
             for i, (kind, name) in enumerate(lines)]  # fmt: skip
    return '\n'.join(named) + '\n'


class Types:
    """All known definitions."""

    def __init__(self) -> None:
        """Start with those of ROS; the parts in use are the same from Humble to Kilted."""
        self.known: Typesdict = dict(get_typestore(Stores.LATEST).fielddefs)
        self._tried: set[tuple[str, str]] = set()
        self.problems: dict[str, str] = {}
        self.assumed: dict[str, str] = {}

    def learn(self, channel: Channel, size: int) -> bool:
        """Add the definition of a channel's type from the bag if ROS has none; return if known.

        Args:
            channel: With the definition; without, PX4's types are known by their length.
            size: That of its first message [bytes].
        """
        tried = (channel.type, channel.definition)
        if channel.type in self.known or tried in self._tried:
            return channel.type in self.known
        self._tried.add(tried)
        if not channel.definition:
            release, text = px4_definition(channel.type, size)
            if not release:
                self.problems[channel.type] = _undefined(channel.type)
                return False
            self.assumed[channel.type] = release
            channel = channel._replace(definition=text, encoding='ros2msg')
        try:
            found = self._checked(_parsed(channel))
        except Exception as error:
            reason = ' '.join(str(error).split())[:100]
            self.problems[channel.type] = f'its definition in the bag makes no sense: {reason}'
            return False
        self.known.update(found)
        return channel.type in self.known

    def _checked(self, found: Typesdict) -> Typesdict:
        """Return new definitions, if they are plausible: a damaged one may look valid."""
        new = {name: definition for name, definition in found.items() if name not in self.known}
        for name, (_, fields) in new.items():
            names = [field for field, _ in fields]
            if len(set(names)) < len(names):
                raise ValueError(f'{name} has a field twice')
            for kind in filter(None, (_inner(definition) for _, definition in fields)):
                if kind not in self.known and kind not in new:
                    raise ValueError(f'{name} is made of {kind}, which is not defined')
        return new


def _undefined(kind: str) -> str:
    package = kind.partition('/')[0]
    return ('its definition is not in the bag: convert the bag to mcap where '
            f'{package} is installed (ros2 bag convert)')  # fmt: skip


def _parsed(channel: Channel) -> Typesdict:
    if channel.encoding == 'ros2idl':
        return get_types_from_idl(channel.definition)
    return get_types_from_msg(channel.definition, channel.type)


def _inner(definition: Any) -> str:
    """Return the name of the type that a field is made of, empty for numbers and texts."""
    node, content = definition
    if node in (Nodetype.ARRAY, Nodetype.SEQUENCE):
        node, content = content[0]
    return str(content) if node == Nodetype.NAME else ''
