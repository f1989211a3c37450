"""Odometry from and to serialized messages, without message objects."""

from collections.abc import Sequence

from nav_msgs.msg import Odometry
from rclpy.serialization import serialize_message

from velocity_mobility_ros.core.message_layout import TEXT, MessageLayout
from velocity_mobility_ros.ros_io.messages import (
    OdometryValues,
    odometry_message,
    odometry_values,
)
from velocity_mobility_ros.ros_io.serialized.layouts import SerializedReader

POSE, TWIST, COVARIANCE = 7, 6, 36
"""Numbers of the parts of an Odometry."""

LINEAR_AT = POSE + COVARIANCE
ANGULAR_AT, ANGULAR_END = LINEAR_AT + 3, LINEAR_AT + TWIST
"""Where the velocities stand among the numbers."""

NO_COVARIANCE = (0.0,) * COVARIANCE

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
        linear, angular = numbers[LINEAR_AT:ANGULAR_AT], numbers[ANGULAR_AT:ANGULAR_END]
        return OdometryValues(
            stamp_ns, *known.texts, numbers[:3], numbers[3:POSE], linear, angular
        )


class OdometryWriter:
    """Serializes the odometry of one body."""

    def __init__(self) -> None:
        """Begin without a layout."""
        self._frames: tuple[str, str] | None = None
        self._layout: MessageLayout | None = None

    def write(
        self,
        values: OdometryValues,
        covariances: tuple[Sequence[float], Sequence[float]] = (NO_COVARIANCE, NO_COVARIANCE),
    ) -> bytes:
        """Return a message, as ROS serializes it.

        Args:
            values: The odometry.
            covariances: Of pose and twist, 36 numbers each, in rows.
        """
        stamp_ns, frame, body, position, attitude, linear, angular = values
        if self._layout is None or self._frames != (frame, body):
            self._frames = frame, body
            self._layout = MessageLayout(serialize_message(odometry_message(values)), FIELDS)
        return self._layout.write(
            stamp_ns,
            (*position, *attitude, *covariances[0], *linear, *angular, *covariances[1]),
        )
