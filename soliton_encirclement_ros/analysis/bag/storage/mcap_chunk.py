"""The records in a block of an mcap file, most of them messages, also after invalid bytes."""

import re
import struct
import zlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag.storage import mcap_records as records
from soliton_encirclement_ros.analysis.bag.storage.mcap_records import (
    CHANNEL,
    MESSAGE,
    RECORD,
    SCHEMA,
    ChunkRecord,
    Index,
    RecordError,
)
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers

CANDIDATE = re.compile(rb'(?=[\x01-\x0f].{4}\x00{4})', re.DOTALL)
"""Possible start of a record of less than 4 GB."""

IN_A_ROW = 3
"""Number of consecutive records that cannot be valid by chance."""

PARSERS = {
    records.SCHEMA: records.schema,
    records.CHANNEL: records.channel,
    records.CHUNK: records.chunk,
    records.INDEX: records.index,
    records.STATISTICS: records.statistics,
}
SMALLEST_MESSAGE = 22 + 4
"""A message's numbers, and what announces its encoding."""


def next_record(data: bytes, at: int) -> int:
    """Return the start of the next valid records, or the end."""
    for match in CANDIDATE.finditer(data, at):
        if _is_row(data, match.start()):
            return match.start()
    return len(data)


def _is_row(data: bytes, at: int) -> bool:
    for i in range(IN_A_ROW):
        if i and at == len(data):
            return True
        if at + RECORD.size > len(data):
            return False
        opcode, size = RECORD.unpack_from(data, at)
        following = at + RECORD.size + size
        if following > len(data) or not is_sound(opcode, data[at + RECORD.size : following]):
            return False
        at = following
    return True


def is_sound(opcode: int, data: bytes) -> bool:
    """Return whether the content of a record fits its opcode."""
    if opcode == records.MESSAGE:
        return len(data) >= SMALLEST_MESSAGE
    try:
        if opcode in PARSERS:
            PARSERS[opcode](data)
        else:
            records.pass_over(opcode, data)
    except RecordError:
        return False
    return True


MESSAGE_HEAD = struct.Struct('<BQHIQQ')
"""Opcode and length of a record, then a message's channel, number, and two times."""

LARGEST_CHUNK = 1 << 30
"""Maximum size in bytes; anything larger is not decompressed."""


Row = tuple[int, int, int, int]
"""A message: its channel, when it was logged [ns], where it begins, and its bytes."""


class Messages(NamedTuple):
    """Messages in some bytes.

    Attributes:
        channels: Number of each one's channel, (M,).
        logged: When the recorder got it [ns], (M,).
        starts: Where it begins, (M,).
        sizes: Its bytes, (M,).
    """

    channels: Integers
    logged: Integers
    starts: Integers
    sizes: Integers


class Walked(NamedTuple):
    """Records found in a block.

    Attributes:
        messages: The messages.
        declared: Opcode and bytes of schemas and channels.
        damaged: Number of invalid bytes.
        end: End of the parsed part.
    """

    messages: Messages
    declared: list[tuple[int, bytes]]
    damaged: int
    end: int


def walk(data: bytes) -> Walked:
    """Parse record by record; after an invalid one continue at the next valid one.

    The message before invalid bytes is left out as well: it may contain some of them.
    """
    rows: list[Row] = []
    declared: list[tuple[int, bytes]] = []
    at, damaged = 0, 0
    while (at := _walk(data, at, rows, declared)) < len(data):
        if rows:
            rows.pop()
        following = next_record(data, at + 1)
        damaged += following - at
        at = following
    return Walked(_messages(rows), declared, damaged, at)


def walk_sound(data: bytes) -> Walked:
    """Parse record by record up to the first that is invalid, or of another kind."""
    rows: list[Row] = []
    declared: list[tuple[int, bytes]] = []
    end = _walk(data, 0, rows, declared)
    return Walked(_messages(rows), declared, 0, end)


def _messages(rows: list[Row]) -> Messages:
    return Messages(*np.array(rows, np.uint64).astype(np.int64).reshape(-1, 4).T)


def _walk(data: bytes, at: int, rows: list[Row], declared: list[tuple[int, bytes]]) -> int:
    """Return the end of the valid records."""
    end, unpack, head = len(data), MESSAGE_HEAD.unpack_from, MESSAGE_HEAD.size
    append, body = rows.append, MESSAGE_HEAD.size - RECORD.size
    data += bytes(head)  # so that a head can be taken of the last record, however short
    while at < end:
        opcode, size, channel, _, time, _ = unpack(data, at)
        following = at + RECORD.size + size
        if following > end:
            return at
        if opcode == MESSAGE and size >= body:
            append((channel, time, at + head, size - body))
        elif opcode in (SCHEMA, CHANNEL):
            declared.append((opcode, data[at + RECORD.size : following]))
        else:
            return at
        at = following
    return at


def unpacked(chunk: ChunkRecord) -> bytes:
    """Return the records of a chunk.

    Raises:
        RecordError: They are damaged.
    """
    if chunk.size > LARGEST_CHUNK:
        raise RecordError(f'claims to hold {chunk.size} bytes')
    data = _decompressed(chunk)
    if len(data) != chunk.size:
        raise RecordError(f'holds {len(data)} bytes instead of {chunk.size}')
    if chunk.crc and zlib.crc32(data) != chunk.crc:
        raise RecordError('has a wrong checksum')
    return data


def _decompressed(chunk: ChunkRecord) -> bytes:
    if not chunk.compression:
        return chunk.data
    try:
        if chunk.compression == 'zstd':
            return _zstd().decompress(chunk.data, chunk.size)
        if chunk.compression == 'lz4':
            return bytes(_lz4().decompress(chunk.data))
    except Exception as error:  # a damaged stream, in the text of either library, or no library
        raise RecordError(f'cannot be decompressed: {error}') from None
    raise RecordError(f'is compressed with {chunk.compression!r}, which is not known')


def torn(data: bytes) -> bytes:
    """Return the decompressible part of a compressed chunk whose end is missing.

    Raises:
        RecordError: There is none; the reason is the library's.
    """
    compression, data = records.torn_chunk(data)
    try:
        if compression == 'zstd':
            return bytes(_zstd().decompressobj().decompress(data))
        return bytes(_lz4().decompress(data)) if compression == 'lz4' else b''
    except Exception as error:  # a damaged stream, in the text of either library, or no library
        raise RecordError(f'cannot be decompressed: {error}') from None


def _zstd() -> Any:
    import zstandard

    return zstandard.ZstdDecompressor()


def _lz4() -> Any:
    import lz4.frame

    return lz4.frame.LZ4FrameDecompressor()


def indexed(messages: Messages, indices: Iterable[Index]) -> Messages:
    """Return the messages of a chunk that agree with its index.

    A channel that the index does not mention is accepted: the file may end before it.
    """
    indices = list(indices)
    channels = np.concatenate([np.full(len(i.logged), i.channel) for i in indices])
    known = np.stack([
        np.concatenate([i.offsets for i in indices]), channels,
        np.concatenate([i.logged for i in indices]),
    ])  # fmt: skip
    known = known[:, np.argsort(known[0], kind='stable')]
    found = np.stack([messages.starts - MESSAGE_HEAD.size, messages.channels, messages.logged])
    if known.shape == found.shape and (known == found).all():
        return messages
    at = np.minimum(np.searchsorted(known[0], found[0]), max(0, known.shape[1] - 1))
    agreed = (known[:, at] == found).all(axis=0) if known.shape[1] else False
    agreed |= ~np.isin(messages.channels, [i.channel for i in indices])
    return Messages(*(column[agreed] for column in messages))
