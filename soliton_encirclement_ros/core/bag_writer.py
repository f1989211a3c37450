"""Writes rosbag2 mcap bags; if the process dies, at most the last second is lost.

Messages are already serialized, so no ROS is needed; definitions of types are those of rosbags,
and others that are registered. Chunks have checksums and are written atomically. The metadata of
the files of a split bag is merged into one ``metadata.yaml``.
"""

# What it builds on is private to rosbags, whose types say nothing of it.
# mypy: disable-error-code="arg-type, assignment, attr-defined, dict-item, union-attr, valid-type"

import time
from binascii import crc32
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from rosbags.interfaces import (
    Connection, Qos, QosDurability, QosHistory, QosLiveliness, QosReliability, QosTime
)
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.rosbag2.enums import CompressionMode
from rosbags.rosbag2.storage_mcap import McapWriter
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from soliton_encirclement_ros.core.files import AppendFile, replacing

HEAD = 'rosbag2_bagfile_information'


def merged(segments: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the metadata of a bag.

    Args:
        segments: Metadata of its files in order, at least one; the last one lists all topics.
    """
    bodies = [segment[HEAD] for segment in segments]
    filled = [body for body in bodies if body['message_count']] or bodies[-1:]
    start = min(map(_start, filled))
    counts: dict[str, int] = {}
    for topic in [topic for body in bodies for topic in body['topics_with_message_count']]:
        name = topic['topic_metadata']['name']
        counts[name] = counts.get(name, 0) + topic['message_count']
    body = {
        **bodies[-1],
        'relative_file_paths': [path for body in bodies for path in body['relative_file_paths']],
        'files': [file for body in bodies for file in body['files']],
        'starting_time': {'nanoseconds_since_epoch': start},
        'duration': {'nanoseconds': max(map(_end, filled)) - start},
        'message_count': sum(body['message_count'] for body in bodies),
        'topics_with_message_count': [
            {**topic, 'message_count': counts[topic['topic_metadata']['name']]}
            for topic in bodies[-1]['topics_with_message_count']
        ],
    }
    return {HEAD: body}


def renamed(part: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the metadata of a single file under another name."""
    body = part[HEAD]
    files = [{**file, 'path': name} for file in body['files']]
    return {HEAD: {**body, 'relative_file_paths': [name], 'files': files}}


def _start(body: Mapping[str, Any]) -> int:
    return body['starting_time']['nanoseconds_since_epoch']


def _end(body: Mapping[str, Any]) -> int:
    return _start(body) + body['duration']['nanoseconds']


CRC_AT = 1 + 8 + 3 * 8
"""Offset of a chunk's checksum: after opcode, length, first and last time, and size."""


class McapOutput(McapWriter):
    """The mcap writer of rosbags with checksums and atomic chunks.

    rosbags writes checksum 0, which means unknown: readers cannot detect flipped bits.
    """

    def __init__(self, path: Path, compression: CompressionMode, durable: bool = False) -> None:
        """Create the file ``FOLDER/FOLDER.mcap``; ``durable``: every chunk is synced to disk."""
        super().__init__(path, compression)
        self.bio.close()
        self.bio = AppendFile(self.path, durable)
        self.offers: dict[int, str] = {}

    def add_connection(self, connection: Connection, offered_qos_profiles: str) -> None:
        """Declare a topic, and keep its offered QoS for the next file."""
        self.offers[connection.id] = offered_qos_profiles
        super().add_connection(connection, offered_qos_profiles)

    def close_chunk(self) -> None:
        """Write the pending chunk to disk.

        Raises:
            OSError: The disk is full; file and index end with the chunk before.
        """
        checksum, start = crc32(self.chunk.bio.getbuffer()), self.bio.tell()
        super().close_chunk()
        self.bio.patch(start + CRC_AT, checksum.to_bytes(4, 'little'))
        try:
            self.bio.flush()
        except OSError:
            self.chunks.pop()
            raise


Find = Callable[[str], str | None]
"""Returns the text of a type's .msg file, None if there is none."""


def _learn(types: Typestore, message_type: str, find: Find) -> bool:
    text = find(message_type)
    if text is None:
        return False
    added = get_types_from_msg(text, message_type)
    for nested in _parts(added):
        if nested not in types.types and nested not in added and not _learn(types, nested, find):
            return False
    types.register({name: fields for name, fields in added.items() if name not in types.types})
    return True


def _parts(definitions: dict[str, Any]) -> list[str]:
    """Return the names of all nested types of some definitions."""
    names, waiting = [], [kind for _, fields in definitions.values() for _, kind in fields]
    while waiting:
        node, content = waiting.pop()
        if node.name == 'NAME':
            names.append(content)
        elif node.name != 'BASE':
            waiting.append(content[0])
    return names


METADATA_VERSION = 9
CHUNK_PERIOD = 0.5
"""Wall time [s] after which a chunk is closed and written to disk."""

FOREVER = QosTime(2147483647, 4294967295)


class BagWriter:
    """Writes serialized messages; raises OSError if the disk is full or the folder is gone."""

    def __init__(self, folder: Path, max_bytes: int | None = None, durable: bool = False) -> None:
        """Create the bag's folder, which must not exist.

        Args:
            folder: The bag's folder; its file has the same name.
            max_bytes: File size at which the bag is split; None for one file.
            durable: Whether to sync every chunk to disk, so that a power cut loses at most the
                last second.
        """
        self.types = get_typestore(Stores.LATEST)
        self._max_bytes = max_bytes
        self._output = partial(McapOutput, durable=durable)
        self._writer = Writer(folder, version=METADATA_VERSION, storage_plugin=StoragePlugin.MCAP)
        self._writer.STORAGE_PLUGINS = {StoragePlugin.MCAP: self._output}
        self._writer.open()
        self._chunked = time.monotonic()
        self._done: list[dict] = []
        self._done_bytes = 0
        self._closed = False
        self.messages = 0
        self.counts: Counter[str] = Counter()
        self._remember()

    @property
    def bytes(self) -> int:
        """Size of all files including buffered data [bytes]; after ``close`` the size on disk."""
        storage = self._writer.storage
        now = storage.bio.tell() + storage.chunk.bio.tell() if storage is not None else 0
        return self._done_bytes + now

    def has_type(self, message_type: str) -> bool:
        """Return whether the definition of a type such as ``nav_msgs/msg/Odometry`` is known."""
        return message_type in self.types.types

    def learn(self, message_type: str, find: Find) -> bool:
        """Register the definition of a type and of its nested types.

        Args:
            message_type: The type.
            find: Returns the text of a type's .msg file, None if there is none.

        Returns:
            Whether the type is known now; False if a definition is missing or invalid.
        """
        try:
            return self.has_type(message_type) or _learn(self.types, message_type, find)
        except Exception:  # the parser raises many types for invalid text
            return False

    def add_topic(
        self, topic: str, message_type: str, reliable: bool, latched: bool, depth: int
    ) -> Connection:
        """Declare a topic with its offered quality of service; return the handle for ``write``.

        Args:
            topic: Name of the topic.
            message_type: Its type, which must be known.
            reliable: Reliable instead of best-effort delivery.
            latched: Transient-local instead of volatile durability.
            depth: Depth of the history.
        """
        offered = _quality(reliable, latched, depth)
        return self._writer.add_connection(
            topic, message_type, typestore=self.types, offered_qos_profiles=[offered]
        )

    def write(self, topic: Connection, time_ns: int, data: bytes) -> None:
        """Append a serialized message with its log time [ns].

        Raises:
            OSError: The chunk with this message cannot be written and is discarded;
                ``messages`` counts those on disk. Only ``close`` may be called afterwards.
        """
        try:
            self._writer.write(topic, time_ns, data)
            self.messages += 1
            self.counts[topic.topic] += 1
            self._put_on_disk()
        except OSError:
            self._take_back()
            raise

    def keep(self) -> None:
        """Write an overdue chunk to disk; call it regularly while no messages arrive.

        Raises:
            OSError: As in ``write``.
        """
        try:
            self._put_on_disk()
        except OSError:
            self._take_back()
            raise

    def close(self) -> None:
        """Write index and metadata, once; if that fails, messages on disk are kept."""
        if self._closed:
            return
        self._closed = True
        try:
            if self._writer.storage is not None:
                self._close_file()
            if len(self._done) > 1 or not self._writer.metapath.exists():
                self._write_metadata()
        except OSError:
            with suppress(OSError):  # the first error counts
                self._writer.abort()
            raise

    def _put_on_disk(self) -> None:
        """Close the chunk if it is overdue, and the file if it is large enough."""
        storage = self._writer.storage
        overdue = time.monotonic() - self._chunked > CHUNK_PERIOD
        if overdue and storage.chunk.msgs:
            storage.close_chunk()
        if len(storage.chunks) == self._chunks:
            return
        self._chunked = time.monotonic()
        self._remember()
        if self._max_bytes is not None and storage.bio.size >= self._max_bytes:
            self._begin_file()

    def _remember(self) -> None:
        """Store the statistics of the chunks on disk."""
        storage = self._writer.storage
        self._chunks = len(storage.chunks)
        self._stored_stats = (
            dict(storage.channel_stats), storage.message_start_time, storage.message_end_time,
            dict(self._writer.counts), self._writer.min_timestamp, self._writer.max_timestamp,
            self.messages, Counter(self.counts),
        )  # fmt: skip

    def _take_back(self) -> None:
        """Restore the statistics of the chunks on disk, for index and metadata."""
        storage, writer = self._writer.storage, self._writer
        if storage is None:
            return
        stats, storage.message_start_time, storage.message_end_time, *rest = self._stored_stats
        counts, writer.min_timestamp, writer.max_timestamp, self.messages, self.counts = rest
        storage.channel_stats = {cid: stats.get(cid, 0) for cid in storage.channel_stats}
        writer.counts = {cid: counts.get(cid, 0) for cid in writer.counts}

    def _close_file(self) -> None:
        """Close the current file and keep its metadata for the merge."""
        path, meta = self._writer.storage.path, self._writer.metapath
        self._writer.close()
        self._done_bytes += path.stat().st_size
        part = yaml.safe_load(meta.read_text(encoding='utf-8'))
        self._done.append(renamed(part, path.name))

    def _begin_file(self) -> None:
        """Start the next file; ``metadata.yaml`` does not exist while a file is open.

        After a crash, a metadata file without the open file would hide it from every reader.
        """
        writer, old = self._writer, self._writer.storage
        number = len(self._done)
        if number == 0:
            old.path = old.path.rename(old.path.with_stem(f'{writer.path.name}_0'))
        self._close_file()
        writer.metapath.unlink()
        storage = self._output(writer.path, writer.compression_mode)
        storage.path = storage.path.rename(
            storage.path.with_stem(f'{writer.path.name}_{number + 1}')
        )
        known = set()
        for connection in writer.connections:
            if connection.msgtype not in known:
                storage.add_msgtype(connection)
                known.add(connection.msgtype)
            storage.add_connection(connection, old.offers[connection.id])
        writer.storage = storage
        writer.counts = dict.fromkeys(writer.counts, 0)
        writer.min_timestamp, writer.max_timestamp = 2**63 - 1, 0
        self._remember()

    def _write_metadata(self) -> None:
        text = yaml.safe_dump(merged(self._done), sort_keys=False)
        with replacing(self._writer.metapath) as part:
            part.write_text(text, encoding='utf-8')


def _quality(reliable: bool, latched: bool, depth: int) -> Qos:
    return Qos(
        QosHistory.KEEP_LAST,
        max(1, depth),
        QosReliability.RELIABLE if reliable else QosReliability.BEST_EFFORT,
        QosDurability.TRANSIENT_LOCAL if latched else QosDurability.VOLATILE,
        FOREVER,
        FOREVER,
        QosLiveliness.AUTOMATIC,
        FOREVER,
        False,
    )
