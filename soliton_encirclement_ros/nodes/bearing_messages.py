"""Bearings of the target as messages, from and to bytes: geometry_msgs/Vector3Stamped.

A vector in map from the agent to the target. Without ``range_noise`` only its direction counts;
with it its length is the measured range [m]. A vector of zeros: the target is not in sight.
"""

import math

from geometry_msgs.msg import Vector3Stamped
from rclpy.serialization import deserialize_message, serialize_message
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.messages.message_conversion import MalformedMessageError
from velocity_mobility_ros.ros_io.node_time import ns_to_time, time_to_ns
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME


def bearing_message(stamp_ns: int, vector: Vector) -> bytes:
    """Return a measured vector of a time [ns] as a serialized message."""
    message = Vector3Stamped()
    message.header.stamp, message.header.frame_id = ns_to_time(stamp_ns), MAP_FRAME
    message.vector.x, message.vector.y, message.vector.z = vector
    return serialize_message(message)


def read_bearing(data: bytes) -> tuple[int, Vector]:
    """Return the stamp [ns] and the vector of a serialized message.

    Raises:
        MalformedMessageError: It is not in map, or a number is not finite.
    """
    message = deserialize_message(data, Vector3Stamped)
    frame, v = message.header.frame_id, message.vector
    if frame != MAP_FRAME:
        raise MalformedMessageError(
            f"frame_id = '{frame}' must be '{MAP_FRAME}': the publisher has to turn the bearing"
        )
    if not (math.isfinite(v.x) and math.isfinite(v.y) and math.isfinite(v.z)):
        raise MalformedMessageError(f'vector = {v.x}, {v.y}, {v.z} must be finite')
    return time_to_ns(message.header.stamp), (v.x, v.y, v.z)
