"""An mcap file, read from front to back: what is complete is used, summary or not.

Records are parsed, unpacked and checked by the library of the format. Its own readers stop at the
first byte that is missing; here the complete messages of a chunk that is cut off count as well,
and after damaged bytes reading goes on at the next ones that have the form of records.
"""

import mmap
import re
import struct
from collections import Counter
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import lz4.frame
import numpy as np
import zstandard
from mcap import records
from mcap.data_stream import ReadDataStream
from mcap.opcode import Opcode
from mcap.stream_reader import CRCValidationError, get_chunk_data_stream

from soliton_encirclement_ros.analysis.bag.storage.raw_messages import (
    Channel, Integers, MessageBatch, batches_by_channel
)
from velocity_mobility_ros.core.user_errors import counted

MAGIC = b'\x89MCAP0\r\n'

RECORD = struct.Struct('<BQ')
"""Every record begins with its opcode and the number of bytes that follow."""

MESSAGE_HEAD = struct.Struct('<BQHIQQ')
"""Opcode and length of a record, then a message's channel, number, and two times."""

CHUNK_HEAD = re.compile(
    rb'\x06.{6}\0\0.{28}(?:\0{4}|\x03\0{3}(?=lz4)|\x04\0{3}(?=zstd))', re.DOTALL
)
"""Opcode and length of a chunk, times, size, checksum, and how long its compression's name is."""

FIRST_PRIVATE = 0x80
"""Opcodes from here on are records of others, which are passed over."""

RECORD_HEAD = re.compile(rb'[\x03-\x05].{3}\0{5}', re.DOTALL)
"""Opcode and length of a schema, a channel or a message of less than 16 MB."""

SIDE_BY_SIDE, SMALLEST = 4, 10
"""So many of them in a row, each of at least so many bytes, are no accident."""

MOST_PLACES = 1000
"""A file that is damaged in more places is left out from there on."""

BATCH_BYTES = 8_000_000
"""Bytes of messages that are passed on at once."""

WINDOW = 4_000_000
"""Bytes in which messages outside of chunks are read."""

LARGEST_CHUNK = 1 << 30
"""Maximum size in bytes; anything larger is not unpacked."""

PARTLY_USED = ': what is complete is used'
Declared = records.Schema | records.Channel
FileBytes = bytes | mmap.mmap


def parse_records(data: bytes) -> tuple[Integers, list[Declared], int]:
    """Parse messages and declarations, one after the other.

    Returns:
        Channel, time of reception [ns], start and size in bytes of each message, (M, 4); the
        schemas and channels between them; where the first begins that is neither, or not complete.
    """
    rows: list[tuple[int, int, int, int]] = []
    declared: list[Declared] = []
    at, end, head = 0, len(data), MESSAGE_HEAD.size
    unpack, append, body = MESSAGE_HEAD.unpack_from, rows.append, head - RECORD.size
    data += bytes(head)  # so that a head can be taken of the last record, however short
    while at < end:
        opcode, size, channel, _, time, _ = unpack(data, at)
        following = at + RECORD.size + size
        if following > end:
            break
        if opcode == Opcode.MESSAGE and size >= body:
            append((channel, time, at + head, size - body))
        elif opcode in (Opcode.SCHEMA, Opcode.CHANNEL):
            try:
                declared.append(_record(opcode, data[at + RECORD.size : following]))
            except ValueError:
                break
        else:
            break
        at = following
    return np.array(rows, np.uint64).astype(np.int64).reshape(-1, 4), declared, at


def find_chunk(data: FileBytes, at: int) -> int:
    """Return where from a place on a chunk begins that is whole by its form, the end if none."""
    while head := CHUNK_HEAD.search(data, at):
        at, name = head.start(), head.end()
        end = at + RECORD.size + RECORD.unpack_from(data, at)[1]
        begin = name + int.from_bytes(data[name - 4 : name], 'little') + 8
        length = int.from_bytes(data[begin - 8 : begin], 'little')  # of what it holds
        if end <= len(data) and begin + length == end:
            return at
        at += 1
    return len(data)


def find_records(data: FileBytes, at: int, end: int) -> int:
    """Return where between two places messages and declarations stand in a row, else the end."""
    while head := RECORD_HEAD.search(data, at, end):
        at, following, count = head.start(), head.start(), 0
        while count < SIDE_BY_SIDE and RECORD_HEAD.match(data, following):
            size = RECORD.unpack_from(data, following)[1]
            following += RECORD.size + size
            if size < SMALLEST or following > len(data):
                break
            count += 1
        if count == SIDE_BY_SIDE or (count and following == len(data)):
            return at
        at += 1
    return end


def _record(opcode: int, data: bytes) -> Any:
    """Return a record that is used.

    Raises:
        ValueError: It is damaged; the text says which it is.
    """
    kinds = {
        Opcode.SCHEMA: records.Schema, Opcode.CHANNEL: records.Channel,
        Opcode.CHUNK: records.Chunk, Opcode.STATISTICS: records.Statistics,
    }  # fmt: skip
    kind = kinds[Opcode(opcode)]
    try:
        return kind.read(ReadDataStream(BytesIO(data)))
    except Exception:  # the library checks nothing, and its end of file has no text
        raise ValueError(f'holds a damaged {kind.__name__}') from None


def _content(chunk: records.Chunk) -> bytes:
    """Return the records of a chunk.

    Raises:
        ValueError: They are damaged; the text says how.
    """
    if chunk.uncompressed_size > LARGEST_CHUNK:
        raise ValueError(f'claims to hold {chunk.uncompressed_size} bytes')
    try:
        stream, size = get_chunk_data_stream(chunk, validate_crc=True)
    except CRCValidationError:
        raise ValueError('has a wrong checksum') from None
    except Exception as error:  # a damaged stream, in the text of either library, or no library
        raise ValueError(f'cannot be decompressed: {error}') from None
    return stream.read(size)


def _unpack_truncated(data: bytes) -> bytes:
    """Return what can be unpacked of a chunk whose end is missing.

    Raises:
        ValueError: Nothing; the text says why.
    """
    try:
        stream = ReadDataStream(BytesIO(data))
        stream.read(3 * 8 + 4)
        compression = stream.read(stream.read4()).decode()
        stream.read8()
        body = data[stream.count :]
        if compression == 'zstd':
            return bytes(zstandard.ZstdDecompressor().decompressobj().decompress(body))
        if compression == 'lz4':
            return bytes(lz4.frame.LZ4FrameDecompressor().decompress(body))
    except Exception as error:  # as above
        raise ValueError(f'cannot be decompressed: {error}') from None
    return b'' if compression else body


class McapInput:
    """One file."""

    def __init__(self, path: Path) -> None:
        """Name the file."""
        self._path = path
        self._schemas: dict[int, records.Schema] = {}
        self._records: dict[int, records.Channel] = {}
        self._waiting: list[tuple[bytes, Integers]] = []
        self._counts: Counter[int] = Counter()
        self._expected: Mapping[int, int] = {}
        self._lines: list[str] = []
        self._places = 0
        self._chunk = 0  # where the next one behind the last damage is

    @property
    def problems(self) -> list[str]:
        """What could not be read so far, one line each."""
        lines = [*self._lines]
        unknown = sum(count for number, count in self._counts.items()
                      if number not in self._records)  # fmt: skip
        if unknown:
            lines.append(f'{unknown} messages of topics that are not declared: left out')
        for number, count in self._expected.items():
            if self._counts[number] != count and number in self._records:
                name, received = self._records[number].topic, self._counts[number]
                lines.append(f'{name}: {received} messages found, {count} were written')
        return [f'{self._path.name}: {line}' for line in lines]

    @property
    def declared(self) -> set[tuple[str, str]]:
        """Names and types of its topics, once it is read."""
        return {(channel.topic, channel.type) for channel in map(self._channel, self._records)}

    def batches(self) -> Iterator[MessageBatch]:
        """Iterate over all complete messages."""
        size, at, opcode = self._path.stat().st_size, len(MAGIC), 0
        with self._path.open('rb') as file:
            if file.read(at) != MAGIC:
                self._lines.append('does not begin as an mcap file')
            while at < size:
                try:
                    opcode, following = self._take(file, at, size)
                except Exception as error:  # each record has its own for damaged bytes
                    if opcode == Opcode.MESSAGE and self._waiting:
                        self._drop_last(self._waiting[-1][0])
                    opcode, following = 0, self._resume(file, at, size, str(error))
                at = following
                if sum(len(data) for data, _ in self._waiting) > BATCH_BYTES:
                    yield from self._flush()
                if opcode == Opcode.FOOTER:
                    break
            else:
                self._lines.append(f'ends without its summary{PARTLY_USED}')
        surplus = size - at - len(MAGIC)
        if at < size and surplus > 0:
            line = f'{surplus} bytes behind its end are left out: was another file appended to it?'
            self._lines.append(line)
        yield from self._flush()

    def _take(self, file: BinaryIO, at: int, size: int) -> tuple[int, int]:
        """Take a record, or the messages that lie side by side; return opcode, and what follows.

        Raises:
            Exception: It is damaged, or cut off.
        """
        file.seek(at)
        head = file.read(RECORD.size)
        opcode, length = RECORD.unpack(head)
        following = at + RECORD.size + length
        if following > size:
            raise ValueError('is cut off')
        if opcode == Opcode.MESSAGE:
            data = head + file.read(max(length, WINDOW))
            end = self._add(data)
            if not end:
                raise ValueError('is too short for a message')
            return opcode, at + end
        if opcode == Opcode.CHUNK:
            self._add_chunk(_record(opcode, file.read(length)), at)
        elif opcode == Opcode.STATISTICS:
            self._expected = _record(opcode, file.read(length)).channel_message_counts
        elif opcode in (Opcode.SCHEMA, Opcode.CHANNEL):
            self._declare(_record(opcode, file.read(length)))
        elif opcode < FIRST_PRIVATE:
            Opcode(opcode)
        return opcode, following

    def _add_chunk(self, chunk: records.Chunk, at: int) -> None:
        try:
            content = _content(chunk)
        except ValueError as error:
            self._lines.append(f'the chunk at byte {at} {error}: left out')
            return
        begin = left = 0
        while begin < len(content):
            end = begin + self._add(content[begin:])
            is_readable = self._places < MOST_PLACES
            begin = len(content)
            if is_readable:
                begin = find_records(content, end + 1, begin)
            if end < len(content):
                data = self._waiting[-1][0]
                self._drop_last(data[: end - len(content)])
                left, self._places = left + begin - end, self._places + 1
        if left:
            line = f'the chunk at byte {at}: {counted(left, "byte")} of it are damaged: left out'
            self._lines.append(line)

    def _add(self, data: bytes) -> int:
        """Take messages and declarations; return where they end."""
        messages, declared, end = parse_records(data)
        for record in declared:
            self._declare(record)
        self._waiting.append((data, messages))
        return end

    def _drop_last(self, data: bytes) -> None:
        """Leave out the last message of those taken last, in which the damage may begin.

        Args:
            data: What to keep of their bytes.
        """
        self._waiting[-1] = data, self._waiting[-1][1][:-1]

    def _declare(self, record: Declared) -> None:
        if isinstance(record, records.Schema):
            self._schemas.setdefault(record.id, record)
        else:
            self._records.setdefault(record.id, record)

    def _resume(self, file: BinaryIO, at: int, size: int, reason: str) -> int:
        """Return where to continue after a damaged record: at whole chunks, or at messages."""
        self._places += 1
        if self._places > MOST_PLACES:
            line = f'damaged in more than {MOST_PLACES} places: left out from byte {at} on'
            self._lines.append(line)
            return size
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            if self._chunk <= at:
                self._chunk = find_chunk(data, at + 1)
            following = self._chunk
            if data[at] != Opcode.CHUNK:
                following = find_records(data, at + 1, following)
        if following < size:
            self._lines.append(f'{following - at} bytes from byte {at} on are damaged: left out')
            return following
        file.seek(at)
        head, count = file.read(RECORD.size), 0
        if head[:1] == bytes([Opcode.CHUNK]):
            try:
                self._add(_unpack_truncated(file.read()))
                count = len(self._waiting[-1][1])
            except ValueError as error:
                reason = f'{reason} and {error}'
        rescued = f', with {counted(count, "complete message")}' if count else ''
        missing = counted(size - at, 'byte')
        self._lines.append(f'the last record {reason}: {missing} of it are there{rescued}')
        return size

    def _flush(self) -> Iterator[MessageBatch]:
        """Iterate over the messages that wait, by channel."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        buffer = np.frombuffer(b''.join([data for data, _ in waiting]), np.uint8)
        shifts = np.cumsum([0, *(len(data) for data, _ in waiting)])
        shifted = [messages + np.array((0, 0, shift, 0))
                 for (_, messages), shift in zip(waiting, shifts, strict=False)]  # fmt: skip
        channels, logged, starts, sizes = np.concatenate(shifted).T
        first = self._counts.total()
        self._counts.update(channels.tolist())
        known = {number: self._channel(number) for number in self._records}
        yield from batches_by_channel(known, channels, logged, buffer, starts, sizes, first)

    def _channel(self, number: int) -> Channel:
        record = self._records[number]
        schema = self._schemas.get(record.schema_id)
        if schema is None:
            return Channel(record.topic, '', serialization=record.message_encoding)
        text = schema.data.decode(errors='replace')
        return Channel(record.topic, schema.name, text, schema.encoding, record.message_encoding)
