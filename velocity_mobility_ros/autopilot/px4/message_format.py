"""The hash by which PX4 tells the format of a message, from release 1.15 on.

It is that of a text with one line for each field, its type and its name as in the .msg file.
Constants are left out. After a field that is a message stand the lines of that message.
ROS does not tell ``char`` from ``uint8``; no message of the bridge has a ``char``.
"""

from collections.abc import Iterator, Mapping

from velocity_mobility_ros.autopilot.px4.definitions import ROS_NAMES

OFFSET_BASIS, PRIME, LIMIT = 0x811C9DC5, 0x01000193, 1 << 32
"""Of the FNV-1a hash with 32 bits."""

MSG_NAMES = {ros: name for name, ros in ROS_NAMES}
"""Type in a .msg file by its name in ROS, where they differ."""


def message_hash(message: str, fields: Mapping[str, Mapping[str, str]]) -> int:
    """Return the hash of a message.

    Args:
        message: Its name, such as ``VehicleStatus``.
        fields: Type by name of the fields, as ROS names types, by message; with those of
            messages inside.

    Raises:
        KeyError: The fields of a message are missing.
    """
    return fnv1a(''.join(_lines(message, fields)).encode())


def fnv1a(data: bytes) -> int:
    """Return the FNV-1a hash with 32 bits."""
    found = OFFSET_BASIS
    for byte in data:
        found = (found ^ byte) * PRIME % LIMIT
    return found


def _lines(message: str, fields: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    for name, kind in fields[message].items():
        package, _, bare = kind.rpartition('/')
        base, bracket, length = bare.partition('[')
        yield f'{MSG_NAMES.get(base, base)}{bracket}{length} {name}\n'
        if package:
            yield from _lines(base, fields)
