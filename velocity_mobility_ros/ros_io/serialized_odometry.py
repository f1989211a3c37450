"""Odometry from serialized messages, without message objects."""

from nav_msgs.msg import Odometry

from velocity_mobility_ros.core.message_layout import TEXT
from velocity_mobility_ros.ros_io.messages import OdometryValues, odometry_values
from velocity_mobility_ros.ros_io.serialized_layouts import SerializedReader

POSE, TWIST, COVARIANCE = 7, 6, 36
"""Numbers of the parts of an Odometry."""

LINEAR_AT = POSE + COVARIANCE
"""Where the linear velocity begins among the numbers."""

FIELDS = (TEXT, TEXT, POSE + COVARIANCE + TWIST + COVARIANCE)


class SerializedOdometry:
    """Reads serialized odometry."""

    def __init__(self) -> None:
        """Begin without a layout."""
        self._reader: SerializedReader[tuple[str, str]] = SerializedReader(
            Odometry, FIELDS, lambda message: (message.header.frame_id, message.child_frame_id)
        )

    def read(self, data: bytes) -> OdometryValues:
        """Return what is used of a message.

        Raises:
            MalformedMessageError: It is no Odometry.
        """
        known = self._reader.find(data)
        if known is None:
            return odometry_values(self._reader.learn(data))
        stamp_ns, numbers = known.layout.read(data)
        linear = numbers[LINEAR_AT : LINEAR_AT + 3]
        return OdometryValues(stamp_ns, *known.texts, numbers[:3], numbers[3:7], linear)
