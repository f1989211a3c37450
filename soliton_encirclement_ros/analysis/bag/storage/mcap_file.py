"""An mcap file, read from front to back: all complete records are used.

Neither index nor summary is needed; if they exist, the data must agree with them. The records at
the end of a file repeat earlier declarations. Messages are buffered by channel.
"""

import struct
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from velocity_mobility_ros.core.user_errors import counted

from soliton_encirclement_ros.analysis.bag.storage import mcap_records as records
from soliton_encirclement_ros.analysis.bag.storage.mcap_chunk import (
    Walked,
    indexed,
    next_record,
    torn,
    unpacked,
    walk,
    walk_sound,
)
from soliton_encirclement_ros.analysis.bag.storage.mcap_records import (
    CUT_OFF,
    RECORD,
    ChannelRecord,
    Index,
    RecordError,
    Schema,
)
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import (
    Channel,
    MessageBatch,
    RecorderClock,
)

UNKNOWN = Schema(0, '', '', '')


class McapChannels:
    """Sorts messages by channel."""

    def __init__(self, topics: Mapping[str, str], clock: RecorderClock) -> None:
        """Start empty.

        Args:
            topics: Types by topic, as the bag's metadata have them; empty without metadata.
            clock: The clock of the recorder.
        """
        self._topics, self._clock = topics, clock
        self._schemas: dict[int, list[Schema]] = {}
        self._records: dict[int, list[ChannelRecord]] = {}
        self._channels: dict[int, Channel | None] = {}
        self._waiting: list[tuple[bytes, Walked]] = []
        self._found: Counter[int] = Counter()
        self._homeless = 0
        self._conflicts: dict[str, None] = {}
        self.expected: dict[int, int] | None = None
        self.waiting = 0

    def declare(self, opcode: int, data: bytes) -> None:
        """Add a schema or a channel.

        Raises:
            RecordError: It is damaged.
        """
        if opcode == records.SCHEMA:
            schema = records.schema(data)
            _add_variant(self._schemas.setdefault(schema.number, []), schema)
        else:
            channel = records.channel(data)
            _add_variant(self._records.setdefault(channel.number, []), channel)

    def add(self, data: bytes, walked: Walked) -> None:
        """Add messages, and the declarations between them."""
        for opcode, content in walked.declared:
            try:
                self.declare(opcode, content)
            except records.RecordError as error:
                self._conflicts[f'a declaration in a chunk {error}: left out'] = None
        self._waiting.append((data, walked))
        self.waiting += len(data)

    def batches(self) -> Iterator[MessageBatch]:
        """Pass on the buffered messages."""
        waiting, self._waiting, self.waiting = self._waiting, [], 0
        if not waiting:
            return
        buffer = np.frombuffer(b''.join([data for data, _ in waiting]), np.uint8)
        shifts = np.cumsum([0, *(len(data) for data, _ in waiting)])
        parts = [walked.messages for _, walked in waiting]
        starts = [part.starts + shift for part, shift in zip(parts, shifts, strict=False)]
        channels, logged, sizes = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ('channels', 'logged', 'sizes')
        )
        whole, begun = np.concatenate(starts), self._clock.begin_block(len(logged))
        for number in np.unique(channels).tolist():
            rows = np.flatnonzero(channels == number)
            self._found[number] += len(rows)
            channel = self._channel(number)
            if channel is None:
                self._homeless += len(rows)
            else:
                times = self._clock.mended(channel.topic, begun + rows, logged[rows])
                yield MessageBatch(channel, times, buffer, whole[rows], sizes[rows])

    @property
    def declared(self) -> set[tuple[str, str]]:
        """Names and types of all topics that are declared without a contradiction."""
        found = map(self._channel, self._records)
        return {(channel.topic, channel.type) for channel in found if channel is not None}

    def problems(self) -> list[str]:
        """Return the contradictions."""
        lines = list(self._conflicts)
        if self._homeless:
            lines.append(f'{self._homeless} messages of topics that are not declared: left out')
        for number, count in (self.expected or {}).items():
            if self._found[number] != count:
                variants = self._records.get(number)
                name = variants[0].topic if variants else f'channel {number}'
                found = self._found[number]
                lines.append(f'{name}: {found} messages found, {count} were written')
        return lines

    def _channel(self, number: int) -> Channel | None:
        if number not in self._channels:
            self._channels[number] = self._settled(number)
        return self._channels[number]

    def _settled(self, number: int) -> Channel | None:
        """Return a channel; None if its declarations contradict each other."""
        found = self._records.get(number, [])
        if len(found) > 1:
            true = [record for record in found if record.topic in self._topics]
            outcome = 'the metadata decide' if len(true) == 1 else 'its messages are left out'
            self._conflicts[f'{found[0].topic} is declared in two ways: {outcome}'] = None
            found = true
        if len(found) != 1:
            return None
        (record,) = found
        schema = self._schema(record)
        return Channel(
            record.topic, schema.name, schema.text, schema.encoding, record.encoding, record.digest
        )

    def _schema(self, record: ChannelRecord) -> Schema:
        found = self._schemas.get(record.schema, [UNKNOWN])
        if len(found) > 1:
            line = f'the type of {record.topic} is declared in two ways: the first counts'
            self._conflicts[line] = None
            wanted = self._topics.get(record.topic, '')
            found = sorted(found, key=lambda schema: schema.name != wanted)
        return found[0]


def _add_variant(variants: list[Any], definition: object) -> None:
    if definition not in variants:
        variants.append(definition)


END = struct.Struct('<BQQQI8s')
"""The footer, and the magic behind it."""

LARGEST = 1 << 28
"""Maximum bytes of a valid summary."""


def summary(file: BinaryIO, size: int) -> Iterator[tuple[int, bytes]]:
    """Iterate over opcodes and contents of the summary, as far as it is valid."""
    if size < END.size:
        return
    file.seek(size - END.size)
    opcode, length, start, _, _, magic = END.unpack(file.read(END.size))
    sane = opcode == records.FOOTER and length == 20 and magic == records.MAGIC
    if not sane or not max(0, size - LARGEST) < start < size:
        return
    file.seek(start)
    data, at = file.read(size - start - END.size), 0
    while at + RECORD.size <= len(data):
        opcode, length = RECORD.unpack_from(data, at)
        following = at + RECORD.size + length
        if following > len(data):
            return
        yield opcode, data[at + RECORD.size : following]
        at = following


BATCH_BYTES = 8_000_000
"""Bytes of messages that are passed on at once."""

KEPT = ': what is complete is used'
"""Ends the line about a truncated file."""

WINDOW = 4_000_000
"""Bytes in which messages outside of chunks are read."""

SEARCHED = 64_000_000
"""Bytes searched for records after an invalid one; a record may be half as large."""


class McapInput:
    """One file."""

    def __init__(self, path: Path, topics: Mapping[str, str], clock: RecorderClock) -> None:
        """Name the file, give the types of its topics as far as they are known, and the clock."""
        self._path = path
        self._channels = McapChannels(topics, clock)
        self._chunk: tuple[int, bytes, Walked] | None = None
        self._indices: list[Index] = []
        self._at = self._size = 0
        self._ended = False
        self._problems: list[str] = []

    @property
    def problems(self) -> list[str]:
        """What could not be read so far, one line each."""
        lines = [*self._problems, *self._channels.problems()]
        return [f'{self._path.name}: {line}' for line in lines]

    @property
    def declared(self) -> set[tuple[str, str]]:
        """Names and types of its topics, once it is read."""
        return self._channels.declared

    def batches(self) -> Iterator[MessageBatch]:
        """Iterate over all complete messages."""
        self._size = self._path.stat().st_size
        with self._path.open('rb') as file:
            if file.read(len(records.MAGIC)) == records.MAGIC:
                self._at = len(records.MAGIC)
            else:
                self._problems.append('does not begin as an mcap file')
            self._declare_summary(file)
            while self._at < self._size and not self._ended:
                self._step(file)
                if self._channels.waiting > BATCH_BYTES:
                    yield from self._channels.batches()
        self._close_chunk()
        behind = self._size - self._at - len(records.MAGIC)
        if not self._ended:
            self._problems.append(f'ends without its summary{KEPT}')
        elif behind > 0:
            line = f'{behind} bytes behind its end are left out: was another file appended to it?'
            self._problems.append(line)
        yield from self._channels.batches()

    def _declare_summary(self, file: BinaryIO) -> None:
        """Read the channels of the summary, to compare them with the first ones."""
        for opcode, data in summary(file, self._size):
            if opcode in (records.SCHEMA, records.CHANNEL):
                with suppress(RecordError):  # told where the walk comes to it
                    self._channels.declare(opcode, data)

    def _step(self, file: BinaryIO) -> None:
        try:
            opcode, data, following = self._record(file)
            if opcode != records.INDEX:
                self._close_chunk()
            self._take(opcode, data)
            self._at = following
        except RecordError as error:
            self._skip(file, str(error))

    def _record(self, file: BinaryIO) -> tuple[int, bytes, int]:
        """Return the record, or as many messages as lie here side by side."""
        file.seek(self._at)
        head = file.read(RECORD.size)
        if len(head) < RECORD.size:
            raise RecordError(CUT_OFF)
        opcode, size = RECORD.unpack(head)
        following = self._at + RECORD.size + size
        if following > self._size:
            raise RecordError(CUT_OFF)
        if opcode != records.MESSAGE:
            return opcode, file.read(size), following
        data = head + file.read(max(size, WINDOW))
        end = walk_sound(data).end
        if not end:
            raise RecordError('is too short for a message')
        return opcode, data[:end], self._at + end

    def _take(self, opcode: int, data: bytes) -> None:
        if opcode == records.CHUNK:
            self._take_chunk(data)
        elif opcode == records.INDEX:
            self._indices.append(records.index(data))
        elif opcode == records.MESSAGE:
            self._channels.add(data, walk_sound(data))
        elif opcode in (records.SCHEMA, records.CHANNEL):
            self._channels.declare(opcode, data)
        elif opcode == records.STATISTICS:
            self._channels.expected = records.statistics(data)
        else:
            records.pass_over(opcode, data)
            self._ended = opcode == records.FOOTER

    def _take_chunk(self, data: bytes) -> None:
        chunk = records.chunk(data)
        try:
            content = unpacked(chunk)
        except RecordError as error:
            self._problems.append(f'the chunk at byte {self._at} {error}: left out')
            return
        self._chunk = self._at, content, walk(content)

    def _close_chunk(self) -> None:
        """Pass on the last chunk, after its whole index was read."""
        if self._chunk is not None:
            at, content, walked = self._chunk
            if walked.damaged:
                line = f'{counted(walked.damaged, "byte")} of it are damaged: left out'
                self._problems.append(f'the chunk at byte {at}: {line}')
            if self._indices:
                messages = indexed(walked.messages, self._indices)
                lost = len(walked.messages.logged) - len(messages.logged)
                if lost:
                    line = f'{lost} messages are not as its index has them: left out'
                    self._problems.append(f'the chunk at byte {at}: {line}')
                walked = walked._replace(messages=messages)
            self._channels.add(content, walked)
        self._chunk, self._indices = None, []

    def _skip(self, file: BinaryIO, reason: str) -> None:
        """Continue after an invalid record."""
        self._close_chunk()
        following = self._search(file)
        if following < self._size:
            self._problems.append(self._damage(file, following, reason))
        else:
            self._rescue(file, reason)
        self._at = following

    def _damage(self, file: BinaryIO, following: int, reason: str) -> str:
        """Return what is wrong with an invalid record, after which another one was found."""
        file.seek(self._at)
        if reason == CUT_OFF and file.read(1) == bytes([records.CHUNK]):
            return (
                f'the chunk at byte {self._at} has no end, it is cut off or its length is wrong: '
                'its messages are read one by one'
            )
        return f'{following - self._at} bytes from byte {self._at} on are damaged: left out'

    def _search(self, file: BinaryIO) -> int:
        """Return the start of the next valid record, or the end of the file."""
        at = self._at + 1
        while at < self._size:
            file.seek(at)
            data = file.read(SEARCHED)
            found = next_record(data, 0)
            if found < len(data):
                return at + found
            at += len(data) if at + len(data) == self._size else SEARCHED // 2
        return self._size

    def _rescue(self, file: BinaryIO, reason: str) -> None:
        """Take the complete messages of a compressed chunk in which the file ends."""
        file.seek(self._at)
        head = file.read(RECORD.size)
        content = b''
        if head[:1] == bytes([records.CHUNK]):
            try:
                content = torn(file.read(SEARCHED))
            except RecordError as error:
                reason = reason if str(error) == reason else f'{reason} and {error}'
        walked = walk_sound(content)
        self._channels.add(content, walked)
        count = len(walked.messages.logged)
        rescued = f', with {counted(count, "complete message")}' if count else ''
        left = counted(self._size - self._at, 'byte')
        self._problems.append(f'the last record {reason}: {left} of it are there{rescued}')
