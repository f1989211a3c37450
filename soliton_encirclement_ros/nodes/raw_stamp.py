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
    if kind not in STAMPED_FIRST or len(data) < ORIGIN + STAMP_SIZE:
        return None
    return first_stamp_ns(data)
