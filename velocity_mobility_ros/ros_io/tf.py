"""Transforms on ``/tf``, where the message package tf2_msgs is installed (PyPI lacks it)."""

from geometry_msgs.msg import TransformStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node

from velocity_mobility_ros.ros_io.qos import COMMAND
from velocity_mobility_ros.ros_io.topics import TF

try:
    from tf2_msgs.msg import TFMessage
except ImportError:
    TFMessage = None


class TransformPublisher:
    """Publishes fixed frame -> body of an odometry, or nothing without tf2_msgs."""

    def __init__(self, node: Node, enable: bool) -> None:
        """Begin to publish if wanted and possible; say once if it is not possible."""
        self._publisher = None
        if not enable:
            return
        if TFMessage is None:
            node.get_logger().info('no /tf: install tf2_msgs to get transforms')
            return
        self._publisher = node.create_publisher(TFMessage, TF, COMMAND)

    def publish(self, odometry: Odometry) -> None:
        """Publish the pose of an odometry as a transform."""
        if self._publisher is None:
            return
        transform = TransformStamped(
            header=odometry.header, child_frame_id=odometry.child_frame_id
        )
        position, translation = odometry.pose.pose.position, transform.transform.translation
        translation.x, translation.y, translation.z = position.x, position.y, position.z
        transform.transform.rotation = odometry.pose.pose.orientation
        self._publisher.publish(TFMessage(transforms=[transform]))
