"""Records of an mcap file, parsed to the last byte: an inconsistent record is refused."""

import struct
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers

MAGIC = b'\x89MCAP0\r\n'
HEADER, FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK, INDEX = range(1, 8)
STATISTICS, DATA_END = 0x0B, 0x0F
PASSED_OVER = {
    HEADER: 'tt', 0x08: 'QQQQbQtQQ', 0x09: 'QQttlI', 0x0A: 'QQQQQtt', 0x0C: 'tb', 0x0D: 'QQt',
    0x0E: 'BQQ', FOOTER: 'QQI', DATA_END: 'I',
}  # fmt: skip
"""Fields of the records that hold nothing of use: numbers, texts, bytes behind their number."""

RECORD = struct.Struct('<BQ')
"""Every record begins with its opcode and the number of bytes that follow."""

CUT_OFF = 'is cut off'
"""Why a record cannot be read that claims more bytes than there are."""


class RecordError(ValueError):
    """Bytes that are not a record of their declared kind."""


class Schema(NamedTuple):
    """A type's definition."""

    number: int
    name: str
    encoding: str
    text: str


class ChannelRecord(NamedTuple):
    """A topic; ``schema`` is the number of its type's."""

    number: int
    schema: int
    topic: str
    encoding: str
    digest: str


class ChunkRecord(NamedTuple):
    """Records, perhaps compressed; ``crc`` 0 means that there is no checksum."""

    size: int
    crc: int
    compression: str
    data: bytes


class Index(NamedTuple):
    """When a channel's messages in the chunk before were logged [ns], and where they begin."""

    channel: int
    logged: Integers
    offsets: Integers


class Fields:
    """Takes fields from bytes, one after the other."""

    def __init__(self, data: bytes) -> None:
        """Begin at the first."""
        self._data, self._at = data, 0

    def whole(self, code: str) -> int:
        """Take a number by its code of ``struct``."""
        try:
            (value,) = struct.unpack_from(f'<{code}', self._data, self._at)
        except struct.error:
            raise RecordError(CUT_OFF) from None
        self._at += struct.calcsize(f'<{code}')
        return int(value)

    def bytes(self, code: str = 'I') -> bytes:
        """Take bytes that come behind their number."""
        size = self.whole(code)
        end = self._at + size
        if end > len(self._data):
            raise RecordError(CUT_OFF)
        taken, self._at = self._data[self._at : end], end
        return taken

    def text(self) -> str:
        """Take a text."""
        try:
            return self.bytes().decode()
        except UnicodeDecodeError:
            raise RecordError('a text is not UTF-8') from None

    def rest(self) -> bytes:
        """Take all that is left."""
        return self._data[self._at :]

    def end(self) -> None:
        """Refuse bytes that are left over."""
        if self._at != len(self._data):
            raise RecordError(f'{len(self._data) - self._at} bytes too many')


def schema(data: bytes) -> Schema:
    """Parse a schema."""
    fields = Fields(data)
    found = Schema(fields.whole('H'), fields.text(), fields.text(), fields.text())
    fields.end()
    return found


def channel(data: bytes) -> ChannelRecord:
    """Parse a channel."""
    fields = Fields(data)
    numbers = fields.whole('H'), fields.whole('H')
    topic, encoding = fields.text(), fields.text()
    metadata = Fields(fields.bytes())
    fields.end()
    return ChannelRecord(*numbers, topic, encoding, _metadata(metadata))


def _metadata(fields: Fields) -> str:
    """Return the hash of the type's definition that newer recorders note."""
    found = {}
    while True:
        try:
            fields.end()
        except RecordError:
            key = fields.text()
            found[key] = fields.text()
        else:
            return found.get('topic_type_hash', '')


def chunk(data: bytes) -> ChunkRecord:
    """Parse a chunk."""
    fields = Fields(data)
    fields.whole('Q')
    fields.whole('Q')
    found = ChunkRecord(fields.whole('Q'), fields.whole('I'), fields.text(), fields.bytes('Q'))
    fields.end()
    return found


def torn_chunk(data: bytes) -> tuple[str, bytes]:
    """Return compression and data of a chunk whose end is missing."""
    fields = Fields(data)
    for code in 'QQQI':
        fields.whole(code)
    compression = fields.text()
    fields.whole('Q')
    return compression, fields.rest()


def index(data: bytes) -> Index:
    """Parse the index of a chunk's messages."""
    fields = Fields(data)
    number, entries = fields.whole('H'), fields.bytes()
    fields.end()
    if len(entries) % 16:
        raise RecordError('part of an entry')
    pairs = np.frombuffer(entries, '<u8').astype(np.int64).reshape(-1, 2)
    return Index(number, pairs[:, 0], pairs[:, 1])


def statistics(data: bytes) -> dict[int, int]:
    """Return how many messages there are by the number of their channel."""
    fields = Fields(data)
    for code in 'QHIIIIQQ':
        fields.whole(code)
    counts = fields.bytes()
    fields.end()
    if len(counts) % 10:
        raise RecordError('part of an entry')
    return dict(struct.iter_unpack('<HQ', counts))


def pass_over(opcode: int, data: bytes) -> None:
    """Check a record that is not used.

    Raises:
        RecordError: It is of an unknown kind, or damaged.
    """
    if opcode not in PASSED_OVER:
        raise RecordError(f'is of the unknown kind {opcode}')
    fields = Fields(data)
    for code in PASSED_OVER[opcode]:
        if code == 't':
            fields.text()
        elif code in 'bl':
            fields.bytes('I' if code == 'b' else 'Q')
        else:
            fields.whole(code)
    fields.end()
