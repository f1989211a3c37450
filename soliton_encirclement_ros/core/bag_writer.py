"""A rosbag2 bag in mcap that survives the death of its writer up to the last second.

It takes serialized messages, so a process without ROS can write a bag as well as the recorder.
"""

import time
from contextlib import suppress
from pathlib import Path

from rosbags.interfaces import (
    Connection,
    Qos,
    QosDurability,
    QosHistory,
    QosLiveliness,
    QosReliability,
    QosTime,
)
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.typesys import Stores, get_typestore

METADATA_VERSION = 9
CHUNK_PERIOD = 1.0
"""Wall time [s] after which a chunk is closed and on disk."""

FOREVER = QosTime(2147483647, 4294967295)


class BagWriter:
    """Writes serialized messages; a full disk or a vanished folder raises OSError."""

    def __init__(self, folder: Path) -> None:
        """Create the bag's folder, which must not exist."""
        self.types = get_typestore(Stores.LATEST)
        self._writer = Writer(folder, version=METADATA_VERSION, storage_plugin=StoragePlugin.MCAP)
        self._writer.open()
        self._chunked = time.monotonic()
        self.messages = 0

    def knows(self, message_type: str) -> bool:
        """Say whether the definition of a type such as ``nav_msgs/msg/Odometry`` is at hand."""
        return message_type in self.types.types

    def add_topic(
        self, topic: str, message_type: str, reliable: bool, latched: bool, depth: int
    ) -> Connection:
        """Declare a topic with the quality of service on offer; return the handle for ``write``.

        Args:
            topic: Name of the topic.
            message_type: Its type, which must be known.
            reliable: Whether nothing may be lost.
            latched: Whether latecomers get what was said before.
            depth: How many messages are kept.
        """
        offered = _quality(reliable, latched, depth)
        return self._writer.add_connection(
            topic, message_type, typestore=self.types, offered_qos_profiles=[offered]
        )

    def write(self, topic: Connection, time_ns: int, data: bytes) -> None:
        """Append a serialized message logged at a time [ns]."""
        self._writer.write(topic, time_ns, data)
        self.messages += 1
        if time.monotonic() - self._chunked > CHUNK_PERIOD:
            self._put_on_disk()

    def close(self) -> None:
        """Write index and metadata, once; messages on disk stay there if that fails."""
        if self._writer.storage is None:
            return
        try:
            self._writer.close()
        except OSError:
            with suppress(OSError):
                self._writer.abort()
            raise

    def _put_on_disk(self) -> None:
        self._chunked = time.monotonic()
        storage = self._writer.storage
        storage.close_chunk()
        storage.bio.flush()


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
