"""An mcap file, read from front to back: all complete records are used.

Neither index nor summary is needed; if they exist, the data must agree with them.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from velocity_mobility_ros.core.shown import counted

from soliton_encirclement_ros.analysis.bag.storage import mcap_records as records
from soliton_encirclement_ros.analysis.bag.storage.mcap_channels import McapChannels
from soliton_encirclement_ros.analysis.bag.storage.mcap_chunk import (
    Walked,
    indexed,
    torn,
    unpacked,
    walk,
    walk_sound,
)
from soliton_encirclement_ros.analysis.bag.storage.mcap_records import (
    CUT_OFF,
    RECORD,
    Index,
    RecordError,
)
from soliton_encirclement_ros.analysis.bag.storage.mcap_resync import next_record
from soliton_encirclement_ros.analysis.bag.storage.mcap_summary import summary
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import MessageBatch
from soliton_encirclement_ros.analysis.bag.storage.recorder_clock import RecorderClock

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
