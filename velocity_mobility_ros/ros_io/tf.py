"""Transforms on ``/tf``, if the message package tf2_msgs is installed (it is not on PyPI)."""

import time
from collections.abc import Iterable

from geometry_msgs.msg import TransformStamped
from rclpy.node import Node

from velocity_mobility_ros.core.frames import Transform
from velocity_mobility_ros.ros_io.messages import OdometryValues, ns_to_time
from velocity_mobility_ros.ros_io.qos import COMMAND, LATCHED
from velocity_mobility_ros.ros_io.vehicle_topics import TF, TF_STATIC

try:
    from tf2_msgs.msg import TFMessage
except ImportError:
    TFMessage = None


class TransformPublisher:
    """Publishes transforms, or nothing without tf2_msgs."""

    def __init__(self, node: Node, enable: bool, period: float = 0.0) -> None:
        """Create the publishers if enabled; log one line if tf2_msgs is not installed.

        Args:
            node: The node that publishes.
            enable: Whether to publish.
            period: Shortest wall time [s] between two messages on ``/tf``.
        """
        self._publisher = self._static = None
        self._period = period
        self._next = 0.0
        if not enable:
            return
        if TFMessage is None:
            node.get_logger().info('tf2_msgs is not installed: no transforms on /tf')
            return
        self._publisher = node.create_publisher(TFMessage, TF, COMMAND)
        self._static = node.create_publisher(TFMessage, TF_STATIC, LATCHED)

    def publish(self, odometries: Iterable[OdometryValues]) -> None:
        """Publish the poses of odometries as transforms if due and subscribed."""
        if self._publisher is None:
            return
        now = time.monotonic()
        if now < self._next or not self._publisher.get_subscription_count():
            return
        self._next = now + self._period
        self._publisher.publish(TFMessage(transforms=[*map(pose_message, odometries)]))

    def publish_static(self, transforms: Iterable[TransformStamped]) -> None:
        """Publish static transforms, also for late subscribers."""
        transforms = list(transforms)
        if self._static is not None and transforms:
            self._static.publish(TFMessage(transforms=transforms))


def pose_message(odometry: OdometryValues) -> TransformStamped:
    """Return the pose of an odometry as a transform, from its frame to the body frame."""
    pose = Transform(odometry.position, odometry.attitude)
    return to_message(odometry.stamp_ns, odometry.frame, odometry.body, pose)


def to_message(stamp_ns: int, parent: str, child: str, transform: Transform) -> TransformStamped:
    """Return a transform between two frames as a message with a stamp [ns]."""
    message = TransformStamped(child_frame_id=child)
    message.header.stamp = ns_to_time(stamp_ns)
    message.header.frame_id = parent
    translation, turn = message.transform.translation, message.transform.rotation
    translation.x, translation.y, translation.z = transform.translation
    turn.x, turn.y, turn.z, turn.w = transform.rotation
    return message
