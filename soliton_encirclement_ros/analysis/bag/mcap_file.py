"""An mcap file, read from front to back: everything complete counts, whatever is missing behind.

Neither index nor summary is needed, so it does not matter whether they are there.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from soliton_encirclement_ros.analysis.bag import mcap_records as records
from soliton_encirclement_ros.analysis.bag.mcap_chunk import Messages, unpacked, walk
from soliton_encirclement_ros.analysis.bag.raw import Batch, Channel

BATCH_BYTES = 8_000_000
"""Bytes of messages that are handed on at once."""


class McapFile:
    """One file."""

    def __init__(self, path: Path) -> None:
        """Name the file."""
        self._path = path
        self.problems: list[str] = []
        self.expected = -1
        self._schemas: dict[int, records.Schema] = {}
        self._channels: dict[int, Channel] = {}
        self._waiting: list[tuple[bytes, Messages]] = []

    def batches(self) -> Iterator[Batch]:
        """Iterate over everything that is complete."""
        with self._path.open('rb') as file:
            if file.read(len(records.MAGIC)) != records.MAGIC:
                self.problems.append(f'{self._path.name}: does not begin as an mcap file')
            yield from self._read(file)
        yield from self._handed_on()

    def _read(self, file: BinaryIO) -> Iterator[Batch]:
        while len(head := file.read(records.RECORD.size)) == records.RECORD.size:
            opcode, size = records.RECORD.unpack(head)
            if opcode == records.DATA_END:
                return
            data = file.read(size)
            if opcode == records.CHUNK:
                chunk = unpacked(records.chunk(data))
                self._add(chunk, walk(chunk))
                if sum(len(data) for data, _ in self._waiting) > BATCH_BYTES:
                    yield from self._handed_on()
            elif opcode == records.MESSAGE:
                whole = head + data
                self._add(whole, walk(whole))
            elif opcode in (records.SCHEMA, records.CHANNEL):
                self._declare(opcode, data)

    def _add(self, data: bytes, found: Messages) -> None:
        for opcode, start, end in found.others:
            self._declare(opcode, data[start:end])
        self._waiting.append((data, found))

    def _declare(self, opcode: int, data: bytes) -> None:
        if opcode == records.SCHEMA:
            schema = records.schema(data)
            self._schemas[schema.number] = schema
            return
        record = records.channel(data)
        schema = self._schemas.get(record.schema, records.Schema(0, '', '', ''))
        self._channels[record.number] = Channel(
            record.topic, schema.name, schema.text, schema.encoding, record.encoding, record.digest
        )

    def _handed_on(self) -> Iterator[Batch]:
        if not self._waiting:
            return
        buffer = np.frombuffer(b''.join([data for data, _ in self._waiting]), np.uint8)
        shifts = np.cumsum([0, *(len(data) for data, _ in self._waiting)])
        parts = [found for _, found in self._waiting]
        self._waiting = []
        channels = np.concatenate([part.channels for part in parts])
        logged = np.concatenate([part.logged for part in parts])
        starts = np.concatenate([part.starts + s for part, s in zip(parts, shifts, strict=False)])
        sizes = np.concatenate([part.sizes for part in parts])
        for number in np.unique(channels).tolist():
            rows = np.flatnonzero(channels == number)
            if number in self._channels:
                channel = self._channels[number]
                yield Batch(channel, logged[rows], buffer, starts[rows], sizes[rows])
