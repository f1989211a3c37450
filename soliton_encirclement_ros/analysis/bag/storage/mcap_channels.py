"""The channels of an mcap file, and messages buffered by channel."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from soliton_encirclement_ros.analysis.bag.storage import mcap_records as records
from soliton_encirclement_ros.analysis.bag.storage.mcap_chunk import Walked
from soliton_encirclement_ros.analysis.bag.storage.mcap_records import ChannelRecord, Schema
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Channel, MessageBatch
from soliton_encirclement_ros.analysis.bag.storage.recorder_clock import RecorderClock

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
