"""The stamp of a serialized message, read without deserialising it."""

import struct

STAMPED_FIRST = {
    'diagnostic_msgs/msg/DiagnosticArray',
    'geometry_msgs/msg/TwistStamped',
    'nav_msgs/msg/Odometry',
    'rosgraph_msgs/msg/Clock',
    'sensor_msgs/msg/JointState',
}
"""Types whose serialized form begins with a stamp."""


def stamp_ns(kind: str, data: bytes) -> int | None:
    """Return the stamp at the start of a serialized message [ns] (CDR, either byte order).

    Args:
        kind: Its type.
        data: The message.

    Returns:
        The stamp; None for a type that does not begin with one, or a message that is too short.
    """
    if kind not in STAMPED_FIRST or len(data) < 12:
        return None
    order = '<' if data[1] & 1 else '>'
    sec, nanosec = struct.unpack_from(f'{order}iI', data, 4)
    return sec * 1_000_000_000 + nanosec
