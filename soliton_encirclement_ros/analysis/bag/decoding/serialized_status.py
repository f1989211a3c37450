"""One serialized ``DiagnosticStatus``, by itself or in an array."""

import struct
from collections.abc import Mapping
from typing import NamedTuple

from velocity_mobility_ros.core.cdr import CdrCursor


class SerializedStatus(NamedTuple):
    """What one status says: name, level 0 to 3, message, whose it is, and its values by key."""

    name: str
    level: int
    message: str
    hardware_id: str
    values: Mapping[str, str]


def read_status(cursor: CdrCursor) -> SerializedStatus:
    """Read the status at the cursor.

    Raises:
        struct.error: The bytes are no status.
        UnicodeDecodeError: Neither, or not in UTF-8.
    """
    (level,) = struct.unpack_from('B', cursor.data, cursor.at)
    cursor.at += 1
    name, message, hardware_id = read_text(cursor), read_text(cursor), read_text(cursor)
    values = {}
    for _ in range(read_count(cursor)):
        key = read_text(cursor)
        values[key] = read_text(cursor)
    return SerializedStatus(name, level, message, hardware_id, values)


def read_count(cursor: CdrCursor) -> int:
    """Read the length of a list; a damaged one may be billions.

    Raises:
        struct.error: It is longer than the message.
    """
    count = cursor.length()
    if count > len(cursor.data) - cursor.at:
        raise struct.error(f'a list of {count}')
    return count


def read_text(cursor: CdrCursor) -> str:
    """Read a text.

    Raises:
        struct.error: It is longer than the message.
        UnicodeDecodeError: It is not in UTF-8.
    """
    length = cursor.length()
    start, end = cursor.at, cursor.at + length
    if end > len(cursor.data):
        raise struct.error(f'a text of {length} bytes')
    cursor.at = end
    return cursor.data[start : max(start, end - 1)].decode()
