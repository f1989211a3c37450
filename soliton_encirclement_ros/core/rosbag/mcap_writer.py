"""One mcap file of a bag: every chunk with its checksum, on disk whole or not at all."""

from binascii import crc32
from pathlib import Path

from rosbags.interfaces import Connection
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.rosbag2.enums import CompressionMode
from rosbags.rosbag2.storage_mcap import McapWriter

from soliton_encirclement_ros.core.files.append_file import AppendFile

CRC_AT = 1 + 8 + 3 * 8
"""Where a chunk's checksum lies: after opcode, length, first and last time, and size."""


class McapOutput(McapWriter):
    """Adds to the writer of rosbags a checksum per chunk, and the promise of whole chunks.

    rosbags leaves the checksum at 0, which means unknown: a flipped bit then passes as data.
    """

    durable = False
    """Whether every chunk waits for the disk."""

    def __init__(self, path: Path, compression: CompressionMode) -> None:
        """Create the file ``FOLDER/FOLDER.mcap``."""
        super().__init__(path, compression)
        self.bio.close()
        self.bio = AppendFile(self.path, self.durable)
        self.offers: dict[int, str] = {}

    def add_connection(self, connection: Connection, offered_qos_profiles: str) -> None:
        """Declare a topic, and remember its offer for the next file."""
        self.offers[connection.id] = offered_qos_profiles
        super().add_connection(connection, offered_qos_profiles)

    def close_chunk(self) -> None:
        """Put the pending chunk on disk.

        Raises:
            OSError: It does not fit; the file ends with the chunk before, and so does its index.
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
    """Waits for the disk after every chunk."""

    durable = True


class SafeWriter(Writer):
    """The writer of rosbags with our kind of file."""

    STORAGE_PLUGINS = {StoragePlugin.MCAP: McapOutput}  # noqa: RUF012 (as in the base)


class DurableWriter(Writer):
    """The same, and every chunk waits for the disk."""

    STORAGE_PLUGINS = {StoragePlugin.MCAP: DurableMcapFile}  # noqa: RUF012 (as in the base)
