"""A bag of ROS 1, read by rosbags; its messages are converted into those of ROS 2."""

import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from rosbags.rosbag1 import Reader, ReaderError
from rosbags.rosbag1.reader import Header, RecordType, decompressors, read_bytes, read_uint32
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from soliton_encirclement_ros.analysis.bag.storage.raw_messages import (
    Channel, MessageBatch, with_slash
)

MAGIC = b'#ROSBAG V'

BATCH_BYTES = 1 << 22
"""Messages are given on when they hold so much."""

LARGEST = 1 << 16
"""Larger messages are those of cameras and the like, of which only the times are used [bytes]."""


Message = tuple[Any, int, bytes]
"""Connection, time [ns], content."""


class Rosbag1File:
    """One file."""

    def __init__(self, path: Path) -> None:
        """Name the file."""
        self._path = path
        self._lines: list[str] = []
        self._store = get_typestore(Stores.LATEST)
        self.declared: set[tuple[str, str]] = set()

    @property
    def problems(self) -> list[str]:
        """What could not be read so far, one line each."""
        return [f'{self._path.name}: {line}' for line in self._lines]

    def batches(self) -> Iterator[MessageBatch]:
        """Iterate over all complete messages."""
        self._lines.clear()
        channels: dict[int, Channel] = {}
        waiting: defaultdict[Channel, list[tuple[int, bytes, int]]] = defaultdict(list)
        size = place = 0
        try:
            for connection, time, raw in self._messages():
                if connection.id not in channels:
                    channels[connection.id] = self._channel(connection)
                channel = channels[connection.id]
                data = self._converted(channel, raw)
                waiting[channel].append((time, data, place))
                size, place = size + len(data), place + 1
                if size > BATCH_BYTES:
                    yield from map(_batch, waiting.items())
                    waiting.clear()
                    size = 0
        except Exception as error:  # of damaged bytes, in the words of the library or of Python
            reason = ' '.join(str(error).split()) or type(error).__name__
            self._lines.append(f'cannot be read any further: {reason}: rosbag reindex may help')
        yield from map(_batch, waiting.items())

    def _messages(self) -> Iterator[Message]:
        """Iterate over all messages, without an index in the order of the file.

        Raises:
            Exception: It is damaged, in the words of the library or of Python.
        """
        reader = Reader(self._path)
        try:
            reader.open()
        except ReaderError as error:
            reason = error.args[0].rstrip('.')
            self._lines.append(f'no index can be used, as of a recorder that was cut off '
                               f'({reason}): read as far as it goes')  # fmt: skip
            with self._path.open('rb') as file:
                file.readline()
                yield from _records(reader, file, {})
            return
        self.declared |= {(with_slash(one.topic), one.msgtype) for one in reader.connections}
        try:
            yield from reader.messages()
        finally:
            reader.close()

    def _channel(self, connection: Any) -> Channel:
        """Return what a connection says of its topic, with the definitions of its types."""
        kind, text = connection.msgtype, connection.msgdef.data
        if kind not in self._store.fielddefs:
            try:
                types = get_types_from_msg(text, kind)
                new = {name: types[name] for name in types if name not in self._store.fielddefs}
                self._store.register(new)
            except Exception:  # as above
                self._lines.append(f'{connection.topic}: its definition of {kind} makes no sense')
        topic = with_slash(connection.topic)
        self.declared.add((topic, kind))
        return Channel(topic, kind, text, 'ros2msg')

    def _converted(self, channel: Channel, raw: bytes) -> bytes:
        """Return a message of ROS 2; nothing for a large one, or one that ROS 2 has otherwise."""
        with suppress(Exception):  # as above
            if len(raw) <= LARGEST:
                return bytes(self._store.ros1_to_cdr(raw, channel.type))
        return b''


def _records(reader: Reader, source: BinaryIO, connections: dict[int, Any]) -> Iterator[Message]:
    """Iterate over the messages in the records of a file, or of a chunk of it.

    Raises:
        Exception: One is damaged, or cut off.
    """
    while source.read(1):
        source.seek(-1, os.SEEK_CUR)
        begin = source.tell()
        header = Header.read(source)
        kind = header.get_uint8('op')
        if kind == RecordType.CONNECTION:
            source.seek(begin)
            reader.bio = source
            connection = reader.read_connection()
            connections[connection.id] = connection
            continue
        size = read_uint32(source)
        if kind == RecordType.CHUNK:
            chunk = decompressors[header.get_string('compression')](source.read(size))
            yield from _records(reader, BytesIO(chunk), connections)
            continue
        content = read_bytes(source, size)
        if kind == RecordType.MSGDATA:
            yield connections[header.get_uint32('conn')], header.get_time('time'), content


def _batch(item: tuple[Channel, list[tuple[int, bytes, int]]]) -> MessageBatch:
    channel, messages = item
    times, blobs, places = zip(*messages, strict=True)
    sizes = np.array([len(blob) for blob in blobs], np.int64)
    return MessageBatch(
        channel, np.array(times, np.int64), np.frombuffer(b''.join(blobs) or b'\0', np.uint8),
        np.cumsum(sizes) - sizes, sizes, np.array(places, np.int64),
    )  # fmt: skip
