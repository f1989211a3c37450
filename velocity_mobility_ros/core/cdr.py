"""Serialized messages read and written in place: CDR, the encoding of ROS 2.

Values stand at multiples of their size, counted from behind the four bytes that name the encoding.
What is skipped for that may hold anything, and up to three bytes may follow a message.

Messages of a type differ in layout only by their texts and by the lengths of their lists. A layout
is learnt from one message, or from values; from then on messages with these texts and lengths are
read and written at known places: one by ``struct``, many as arrays (``core.cdr_readers``).
"""

import re
import struct
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

ORIGIN = 4
"""Where the message begins, and alignment counts from; the bytes before it name the encoding."""

LITTLE_ENDIAN = 1
HEADER = bytes((0, LITTLE_ENDIAN, 0, 0))
"""Begin of a message: little-endian CDR."""

STAMP_SIZE = 8
"""Bytes of a stamp: seconds and nanoseconds."""

BILLION = 1_000_000_000
MAX_PADDING = 3

TEXT = 'string'
NUMBERS: dict[Any, str] = {
    'boolean': '?', 'bool': 'B', 'octet': 'B', 'byte': 'B', 'char': 'B', 'uint8': 'B',
    'int8': 'b', 'uint16': 'H', 'int16': 'h', 'uint32': 'I', 'int32': 'i', 'uint64': 'Q',
    'int64': 'q', 'float': 'f', 'float32': 'f', 'double': 'd', 'float64': 'd',
}  # fmt: skip
"""Letter of ``struct`` and numpy by type, as .msg files and as ROS' Python classes name it."""

ONE, ANY = -1, -2
"""Lengths of a field that is no list, and of a list whose length a message says."""


class FieldType(NamedTuple):
    """What a field is made of: numbers of a type, texts, or messages by their fields; how many."""

    of: 'str | Fields'
    length: int = ONE


Fields = Sequence[tuple[str, FieldType]]
"""The fields of a type by name, in their order."""

KIND = re.compile(r'(\w+)(?:\[(\d*)\])?')


def kind_of(text: str) -> FieldType:
    """Return the kind that a text such as ``float32``, ``float64[3]`` or ``string[]`` says.

    Raises:
        ValueError: It says none.
    """
    match = KIND.fullmatch(text)
    if match is None or match[1] not in (*NUMBERS, TEXT):
        raise ValueError(f'{text} is no kind of field')
    return FieldType(match[1], ONE if match[2] is None else int(match[2] or ANY))


def fields_of(text: str) -> Fields:
    """Return the fields in a text such as ``uint32 sec; float64[3] position; string[] names``."""
    named = [part.split() for part in text.split(';')]
    return tuple([(name, kind_of(kind)) for kind, name in named])


STAMP = 'int32 sec; uint32 nanosec'
CLOCK = fields_of(STAMP)
TWIST = fields_of('float64[3] linear; float64[3] angular')
TWIST_STAMPED = fields_of(f'{STAMP}; string frame; float64[3] linear; float64[3] angular')
ODOMETRY = fields_of(
    f'{STAMP}; string frame; string child; float64[3] position; float64[4] attitude; '
    'float64[36] pose_covariance; float64[3] linear; float64[3] angular; '
    'float64[36] twist_covariance'
)
JOINT_STATE = fields_of(
    f'{STAMP}; string frame; string[] name; float64[] position; float64[] velocity; '
    'float64[] effort'
)
"""Types that are sent at every tick; messages inside leave no trace among the bytes."""


class LayoutError(ValueError):
    """The bytes are not a message of the type."""


def is_plain(data: bytes) -> bool:
    """Return whether a message is announced as CDR, in either byte order.

    Of the options there is one: the number of bytes that follow the message.
    """
    announced = data[:ORIGIN]
    return len(announced) == ORIGIN and not announced[0] and not announced[2] and (
        announced[1] <= LITTLE_ENDIAN and announced[3] <= MAX_PADDING
    )  # fmt: skip


def first_stamp_ns(data: bytes) -> int:
    """Return the stamp [ns] that a message begins with.

    Raises:
        struct.error: The message ends before.
    """
    order = '<' if data[1] & LITTLE_ENDIAN else '>'
    seconds, nanoseconds = struct.unpack_from(f'{order}iI', data, ORIGIN)
    return int(seconds) * BILLION + int(nanoseconds)


def encode(fields: Fields, values: Mapping[str, Any]) -> bytes:
    """Return a message of a type without messages inside, as ROS serializes it.

    Args:
        fields: The type.
        values: By name; numbers that are missing are 0, texts and lists empty.
    """
    data = bytearray(HEADER)
    for name, (of, length) in fields:
        value = values.get(name, '' if of == TEXT else 0)
        if length == ANY:
            value = values.get(name, ())
            _put(data, 'I', len(value))
        elif length != ONE:
            value = values.get(name, (0,) * length)
        listed = (value,) if length == ONE else value
        if of != TEXT:
            _put(data, NUMBERS[of], *listed)
            continue
        for item in listed:
            text = item.encode() + b'\0'
            data += bytes((ORIGIN - len(data)) % 4) + len(text).to_bytes(4, 'little') + text
    return bytes(data)


def _put(data: bytearray, letter: str, *values: Any) -> None:
    if values:
        data += bytes((ORIGIN - len(data)) % struct.calcsize(letter))
        data += struct.pack(f'<{len(values)}{letter}', *values)


class Field(NamedTuple):
    """Numbers of one type in a row.

    Attributes:
        offset: Where they begin in the message.
        code: What struct and numpy call their type, byte order included.
        count: How many.
    """

    offset: int
    code: str
    count: int  # type: ignore[assignment]  # hides tuple.count

    @property
    def end(self) -> int:
        """Where they end in the message."""
        return self.offset + struct.calcsize(self.code) * self.count


class _Walk:
    """Parses the bytes of one message and records the positions of its fields.

    ``mask`` is 255 at the bytes of texts and lengths. A swarm has layouts of hundreds of texts, a
    new one whenever somebody fails: they leave no object each, which garbage collection would
    look at.
    """

    def __init__(self, fields: Fields, data: bytes) -> None:
        self.data, self.at = data, ORIGIN
        self.order = '<' if data[1] & LITTLE_ENDIAN else '>'
        self.fields: dict[str, Field] = {}
        self.texts: dict[str, tuple[str, ...]] = {}
        self.mask = bytearray(b'\xff' * len(data))
        self.read_length = struct.Struct(f'{self.order}I').unpack_from
        self.slack = MAX_PADDING
        self.message(fields, '')
        self.mask[self.at :] = bytes(len(data) - self.at)

    def message(self, fields: Fields, path: str) -> None:
        for name, (of, length) in fields:
            inner = f'{path}{name}'
            if length == ONE and not isinstance(of, str):
                self.message(of, f'{inner}.')
                continue
            count = 1 if length == ONE else self.length() if length == ANY else length
            if of in NUMBERS:
                self.numbers(NUMBERS[of], count, inner)
            elif count > len(self.data) - self.at:  # a damaged length may be billions
                raise LayoutError(f'a list of {count} at byte {self.at} of {len(self.data)}')
            elif of == TEXT:
                self.texts[inner] = tuple([self.text() for _ in range(count)])
            elif isinstance(of, str):
                raise LayoutError(f'a field of type {of}')
            else:
                for i in range(count):
                    self.message(of, f'{inner}[{i}].')

    def numbers(self, letter: str, count: int, path: str) -> None:
        size = struct.calcsize(letter)
        if count:
            self.align(size)
        self.slack += 4 * (count == 0)  # ROS makes room there for what aligns the first number
        self.fields[path] = Field(self.at, f'{self.order}{letter}', count)
        start = self.skip(size * count)
        self.mask[start : self.at] = bytes(size * count)

    def text(self) -> str:
        size = self.length()
        start = self.skip(size)
        text, _, behind = self.data[start : self.at].partition(b'\0')
        if behind or len(text) == size > 0:
            raise LayoutError(f'a text at byte {start} does not end with its only 0')
        return text.decode()

    def length(self) -> int:
        self.align(4)
        return int(self.read_length(self.data, self.skip(4))[0])

    def align(self, size: int) -> None:
        gap = (ORIGIN - self.at) % size
        if gap:
            self.mask[self.at : self.at + gap] = bytes(gap)
            self.at += gap

    def skip(self, size: int) -> int:
        start, self.at = self.at, self.at + size
        if self.at > len(self.data):
            raise LayoutError(f'{size} bytes at byte {start} of {len(self.data)}')
        return start


def struct_of(fields: Iterable[Field], order: str) -> struct.Struct:
    """Return what reads the numbers of some fields, given in order of their places."""
    form, at = order, 0
    for field in fields:
        form += f'{field.offset - at}x{field.count}{field.code[1]}' if field.count else ''
        at = field.end if field.count else at
    return struct.Struct(form)


class Layout:
    """Messages of a type with the same texts and lengths of lists.

    Attributes:
        fields: Numbers by the path of their field, such as ``header.stamp.sec``.
        texts: Texts by path, as tuples.
        blank: The message with 0 as numbers.
        mask: 255 at the bytes that identify a message of this layout, else 0.
        constant: From where to where there are no numbers.
    """

    def __init__(self, fields: Fields, data: bytes) -> None:
        """Learn from a message.

        Raises:
            LayoutError: The bytes are no such message.
        """
        if not is_plain(data):
            raise LayoutError('not announced as CDR')
        try:
            walk = _Walk(fields, data)
        except UnicodeDecodeError as error:
            raise LayoutError(f'a text is not UTF-8: {error}') from None
        if not walk.at + data[ORIGIN - 1] <= len(data) <= walk.at + walk.slack:
            raise LayoutError(f'{len(data)} bytes, but its fields end at {walk.at}')
        self.fields, self.texts, self.size = walk.fields, walk.texts, walk.at
        self.mask = np.frombuffer(walk.mask, np.uint8)
        self.blank = np.frombuffer(data, np.uint8) & self.mask
        self.constant, at = [], 0
        for field in self.fields.values():
            if field.count and field.offset > at:
                self.constant.append((at, field.offset))
            at = field.end if field.count else at
        self.constant += [(at, walk.at)] if at < walk.at else []
        self.read = struct_of(self.fields.values(), walk.order).unpack_from
        """Returns all numbers of a message of this layout, in their order."""

    @cached_property
    def _runs(self) -> list[tuple[struct.Struct, int, slice]]:
        """Numbers without a gap between: what writes them, where, and which of all these are."""
        runs: list[list[Field]] = []
        for field in self.fields.values():
            if runs and runs[-1][-1].end == field.offset:
                runs[-1].append(field)
            elif field.count:
                runs.append([field])
        writers, count = [], 0
        for run in runs:
            form = run[0].code[0] + ''.join(f'{field.count}{field.code[1]}' for field in run)
            end = count + sum(field.count for field in run)
            writers.append((struct.Struct(form), run[0].offset, slice(count, end)))
            count = end
        return writers

    def write(self, numbers: Sequence[float]) -> bytes:
        """Return a message with these numbers, all in their order.

        Raises:
            struct.error: One is beyond the numbers of its type.
        """
        data = bytearray(self._bytes)
        for run, offset, part in self._runs:
            run.pack_into(data, offset, *numbers[part])
        return bytes(data)

    @cached_property
    def _bytes(self) -> bytes:
        return self.blank.tobytes()

    def write_many(
        self, stamps_ns: NDArray[np.int64], numbers: NDArray[np.float64]
    ) -> list[bytes]:
        """Return messages of a type that begins with a stamp and has doubles else, little-endian.

        Args:
            stamps_ns: Their stamps [ns], (M,).
            numbers: Their other numbers, (M, N).
        """
        sheet = np.tile(self.blank, (len(stamps_ns), 1))
        stamps = np.stack(np.divmod(stamps_ns, BILLION), axis=1).astype('<u4')
        sheet[:, ORIGIN : ORIGIN + STAMP_SIZE] = stamps.view(np.uint8)
        filled, at = np.ascontiguousarray(numbers, '<f8').view(np.uint8), 0
        for field in [*self.fields.values()][2:]:
            width = field.end - field.offset
            sheet[:, field.offset : field.end] = filled[:, at : at + width]
            at += width
        text, size = sheet.tobytes(), sheet.shape[1]
        return [text[at : at + size] for at in range(0, len(text), size)]
