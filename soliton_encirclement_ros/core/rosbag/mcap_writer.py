"""Writes one mcap file of a bag: chunks have checksums and are written atomically."""

from binascii import crc32
from pathlib import Path

from rosbags.interfaces import Connection
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.rosbag2.enums import CompressionMode
from rosbags.rosbag2.storage_mcap import McapWriter

from soliton_encirclement_ros.core.files.append_file import AppendFile

CRC_AT = 1 + 8 + 3 * 8
"""Offset of a chunk's checksum: after opcode, length, first and last time, and size."""


class McapOutput(McapWriter):
    """The mcap writer of rosbags with checksums and atomic chunks.

    rosbags writes checksum 0, which means unknown: readers cannot detect flipped bits.
    """

    durable = False
    """Whether every chunk is synced to disk."""

    def __init__(self, path: Path, compression: CompressionMode) -> None:
        """Create the file ``FOLDER/FOLDER.mcap``."""
        super().__init__(path, compression)
        self.bio.close()
        self.bio = AppendFile(self.path, self.durable)
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


class DurableMcapFile(McapOutput):
    """Syncs every chunk to disk."""

    durable = True


class SafeWriter(Writer):
    """The bag writer of rosbags with ``McapOutput`` files."""

    STORAGE_PLUGINS = {StoragePlugin.MCAP: McapOutput}  # noqa: RUF012 (as in the base)


class DurableWriter(Writer):
    """The same with every chunk synced to disk."""

    STORAGE_PLUGINS = {StoragePlugin.MCAP: DurableMcapFile}  # noqa: RUF012 (as in the base)
