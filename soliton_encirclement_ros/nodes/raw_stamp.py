"""The stamp of a serialized message, read without deserialising it."""

from velocity_mobility_ros.core.cdr import ORIGIN, STAMP_SIZE, first_stamp_ns

STAMPED_FIRST = {
    'diagnostic_msgs/msg/DiagnosticArray',
    'geometry_msgs/msg/TwistStamped',
    'geometry_msgs/msg/Vector3Stamped',
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
    return leading_stamp_ns(data) if kind in STAMPED_FIRST else None


def leading_stamp_ns(data: bytes) -> int | None:
    """Return the stamp [ns] of a message of a type that begins with one; None: too short."""
    return first_stamp_ns(data) if len(data) >= ORIGIN + STAMP_SIZE else None
