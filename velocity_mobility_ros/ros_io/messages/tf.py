"""Transforms on ``/tf`` and ``/tf_static``, and the frames of a simulated vehicle (REP-105).

They are published if the message package tf2_msgs is installed, and looked up if tf2_ros is;
neither is on PyPI. A simulated vehicle has map to base_link, or map to odom to base_link. The
odometry frame has its origin at the initial pose, as on a vehicle with a local origin.
"""

import importlib
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from geometry_msgs.msg import TransformStamped
from rclpy.node import Node
from rclpy.time import Time

from velocity_mobility_ros.core.coordinate_frames import (
    Attitude, Transform, VehicleMotion, multiply, quaternion_from_yaw, rotate_z, unit, wrap_pi
)
from velocity_mobility_ros.core.step_time import to_ns
from velocity_mobility_ros.core.user_errors import MobilityError
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.endpoints import COMMAND, LATCHED
from velocity_mobility_ros.ros_io.live_parameters import TunableNode
from velocity_mobility_ros.ros_io.messages.message_conversion import OdometryValues, level_odometry
from velocity_mobility_ros.ros_io.node_time import ns_to_time, time_to_ns
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME, TF, TF_STATIC

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


class VehicleFrames(NamedTuple):
    """Names of the frames, and the pose of the odometry frame.

    Attributes:
        body: Body frame.
        fixed: Fixed frame.
        odom: Odometry frame; empty: the fixed frame.
        origin: Origin of ``odom`` [m] in the fixed frame.
        heading: Heading of ``odom`` [rad] in the fixed frame.
    """

    body: str
    fixed: str = MAP_FRAME
    odom: str = ''
    origin: Vector = (0.0, 0.0, 0.0)
    heading: float = 0.0

    def odometry(
        self, stamp_ns: int, motion: VehicleMotion, attitude: Attitude | None = None
    ) -> OdometryValues:
        """Return the odometry of a body.

        Args:
            stamp_ns: Time of validity [ns].
            motion: Its motion in the fixed frame.
            attitude: Its attitude in the fixed frame; None: it is level.
        """
        if attitude is not None:
            return self._tilted(stamp_ns, motion.position, attitude)
        position, yaw, velocity, yaw_rate = motion
        frame = self.fixed
        if self.odom:
            frame, yaw = self.odom, wrap_pi(yaw - self.heading)
            position = self._point_in_odom(position)
            velocity = self._to_odom(velocity)
        return level_odometry(stamp_ns, self.body, position, yaw, velocity, yaw_rate, frame)

    def true_odometry(
        self, stamp_ns: int, motion: VehicleMotion, attitude: Attitude | None = None
    ) -> OdometryValues:
        """Return the same in the fixed frame, for whoever compares bodies."""
        return self._replace(odom='').odometry(stamp_ns, motion, attitude)

    def _tilted(self, stamp_ns: int, position: Vector, attitude: Attitude) -> OdometryValues:
        """Return the odometry of a body that rolls and pitches; its twist is in its own frame."""
        frame, rotation = self.fixed, attitude.rotation
        if self.odom:
            frame, position = self.odom, self._point_in_odom(position)
            rotation = multiply(quaternion_from_yaw(-self.heading), rotation)
        return OdometryValues(
            stamp_ns, frame, self.body, position, rotation, attitude.linear, attitude.angular
        )

    def _point_in_odom(self, position: Vector) -> Vector:
        x, y, z = self.origin
        return self._to_odom((position[0] - x, position[1] - y, position[2] - z))

    def origin_message(self, stamp_ns: int) -> TransformStamped | None:
        """Return the transform from the fixed frame to ``odom``; None without ``odom``."""
        if not self.odom:
            return None
        transform = Transform(self.origin, quaternion_from_yaw(self.heading))
        return to_message(stamp_ns, self.fixed, self.odom, transform)

    def _to_odom(self, vector: Vector) -> Vector:
        return (*rotate_z(vector[0], vector[1], -self.heading), vector[2])


class TransformError(MobilityError):
    """There is no transform between two frames at a time."""


def listen(node: TunableNode, longest_age: float) -> 'TransformListener | None':
    """Subscribe to transforms; return None if tf2_ros is not installed.

    Args:
        node: The node that subscribes.
        longest_age: Largest age [s] of the newest transform at the requested time.
    """
    try:
        tf2_ros = importlib.import_module('tf2_ros')
    except ImportError:
        return None
    return TransformListener(node, tf2_ros, longest_age)


class TransformListener:
    """A tf2 buffer of ``/tf`` and ``/tf_static``."""

    def __init__(self, node: TunableNode, tf2_ros: Any, longest_age: float) -> None:
        """Subscribe."""
        self._tf2 = tf2_ros
        self._buffer = tf2_ros.Buffer()
        self._listener = tf2_ros.TransformListener(self._buffer, node)
        self._longest_age = longest_age
        node.node_time.on_step(self._on_step)

    def _on_step(self, step_ns: int) -> None:
        """Forget what moves: tf2 takes nothing that is much older than its newest transform."""
        self._buffer.clear()

    def lookup(self, parent: str, child: str, stamp_ns: int) -> Transform:
        """Return the pose of a child frame in its parent at a time [ns].

        If the transform for this time has not arrived yet, the newest one is used, unless it is
        too old.

        Raises:
            TransformError: The transform is unknown or too old; the message says why.
        """
        try:
            return transform_of(self._find(parent, child, stamp_ns))
        except self._tf2.ExtrapolationException:
            return self._newest(parent, child, stamp_ns)
        except self._tf2.TransformException as error:
            raise TransformError(str(error)) from None

    def _newest(self, parent: str, child: str, stamp_ns: int) -> Transform:
        try:
            newest = self._find(parent, child, 0)
        except self._tf2.TransformException as error:
            raise TransformError(str(error)) from None
        age_ns = stamp_ns - time_to_ns(newest.header.stamp)
        if not 0 <= age_ns <= to_ns(self._longest_age):
            raise TransformError(
                f'the newest transform is {age_ns / 1e9:.3f} s old, limit {self._longest_age:g} s'
            )
        return transform_of(newest)

    def _find(self, parent: str, child: str, stamp_ns: int) -> TransformStamped:
        return self._buffer.lookup_transform(parent, child, Time(nanoseconds=stamp_ns))


def transform_of(message: TransformStamped) -> Transform:
    """Return the transform of a message, with a unit quaternion."""
    shift, turn = message.transform.translation, message.transform.rotation
    return Transform((shift.x, shift.y, shift.z), unit((turn.x, turn.y, turn.z, turn.w)))
