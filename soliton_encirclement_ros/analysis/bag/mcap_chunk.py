"""The records in some bytes of an mcap file, where most are messages."""

import struct
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag.mcap_records import (
    CHANNEL,
    MESSAGE,
    RECORD,
    SCHEMA,
    Chunk,
    RecordError,
)
from soliton_encirclement_ros.analysis.bag.raw import Integers

MESSAGE_HEAD = struct.Struct('<BQHIQQ')
"""Opcode and length of a record, then a message's channel, number, and two times."""

LARGEST_CHUNK = 1 << 30
"""Bytes; whoever claims to be larger is not unpacked."""


class Messages(NamedTuple):
    """What was found.

    Attributes:
        channels: Number of each message's channel, (M,).
        logged: When the recorder got it [ns], (M,).
        starts: Where it begins, (M,).
        sizes: Its bytes, (M,).
        others: Opcode, start and end of the records that are no messages.
        end: How far the bytes made sense.
    """

    channels: Integers
    logged: Integers
    starts: Integers
    sizes: Integers
    others: list[tuple[int, int, int]]
    end: int


def walk(data: bytes, at: int = 0) -> Messages:
    """Go from record to record, up to the end or to the first that makes no sense."""
    channels, logged, starts, sizes, others = [], [], [], [], []
    end, unpack, head = len(data), MESSAGE_HEAD.unpack_from, MESSAGE_HEAD.size
    while at + RECORD.size <= end:
        opcode, size = RECORD.unpack_from(data, at)
        following = at + RECORD.size + size
        if following > end:
            break
        if opcode == MESSAGE and size >= head - RECORD.size:
            _, _, channel, _, time, _ = unpack(data, at)
            channels.append(channel)
            logged.append(time)
            starts.append(at + head)
            sizes.append(following - at - head)
        elif opcode in (SCHEMA, CHANNEL):
            others.append((opcode, at + RECORD.size, following))
        else:
            break
        at = following
    columns = (np.array(c, np.uint64).astype(np.int64) for c in (channels, logged, starts, sizes))
    return Messages(*columns, others, at)


def unpacked(chunk: Chunk) -> bytes:
    """Return the records of a chunk.

    Raises:
        RecordError: They are damaged.
    """
    if chunk.size > LARGEST_CHUNK:
        raise RecordError(f'claims to hold {chunk.size} bytes')
    data = _decompressed(chunk)
    if len(data) != chunk.size:
        raise RecordError(f'holds {len(data)} bytes instead of {chunk.size}')
    if chunk.crc and _crc(data) != chunk.crc:
        raise RecordError('has a wrong checksum')
    return data


def _decompressed(chunk: Chunk) -> bytes:
    if not chunk.compression:
        return chunk.data
    try:
        if chunk.compression == 'zstd':
            import zstandard

            return zstandard.ZstdDecompressor().decompress(chunk.data, chunk.size)
        if chunk.compression == 'lz4':
            import lz4.frame

            return lz4.frame.decompress(chunk.data)
    except Exception as error:
        raise RecordError(f'cannot be decompressed: {error}') from None
    raise RecordError(f'is compressed with {chunk.compression!r}, which is not known')


def _crc(data: bytes) -> int:
    import zlib

    return zlib.crc32(data)
