"""For tests of reading bags: copies of a bag in every form that a recorder may choose."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from rosbags.rosbag2 import CompressionFormat, CompressionMode, Reader, StoragePlugin, Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore


class Raw(NamedTuple):
    """A message as it lies in a bag."""

    topic: str
    type: str
    time_ns: int
    data: bytes


class Form(NamedTuple):
    """How a bag is written."""

    storage: StoragePlugin = StoragePlugin.MCAP
    compression: CompressionMode = CompressionMode.NONE
    version: int = 9


FORMS = {
    f'{storage.value}-{compression.name.lower()}': Form(storage, compression)
    for storage in StoragePlugin
    for compression in CompressionMode
    if (storage, compression) != (StoragePlugin.SQLITE3, CompressionMode.STORAGE)
}


def raw_messages(bag: Path) -> Iterator[Raw]:
    """Iterate over the messages of a bag."""
    with Reader(bag) as reader:
        for connection, time_ns, data in reader.messages():
            yield Raw(connection.topic, connection.msgtype, time_ns, bytes(data))


def write_bag(folder: Path, messages: Iterator[Raw] | list[Raw], form: Form = Form(), types: Any = None) -> Path:
    """Write a bag and return its folder."""
    types = types or get_typestore(Stores.LATEST)
    writer = Writer(folder, version=form.version, storage_plugin=form.storage)
    if form.compression is not CompressionMode.NONE:
        writer.set_compression(form.compression, CompressionFormat.ZSTD)
    connections: dict[str, Any] = {}
    with writer:
        for topic, kind, time_ns, data in messages:
            if topic not in connections:
                connections[topic] = writer.add_connection(topic, kind, typestore=types)
            writer.write(connections[topic], time_ns, data)
    return folder
