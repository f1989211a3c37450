"""A vehicle's odometry in the frame of the swarm, as a message, and the parameters of all bridges.

The parameters of every bridge node are its commands, its frames and its rates.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from nav_msgs.msg import Odometry
from rclpy.node import Node

from velocity_mobility_ros.autopilot.bridge import SwarmPose
from velocity_mobility_ros.core.coordinate_frames import (
    Quaternion, check_frame_name, inverse, rotate
)
from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.endpoints import STATE, make_publisher
from velocity_mobility_ros.ros_io.messages.message_conversion import OdometryValues
from velocity_mobility_ros.ros_io.messages.serialized_messages import OdometryWriter
from velocity_mobility_ros.ros_io.messages.tf import TransformPublisher
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME, ODOM


@dataclass(frozen=True)
class BridgeNodeParameters(Parameters):
    """Interface of the node on the side of ROS."""

    tick_rate: float = parameter(
        50.0, 'rate of setpoints, and of odom at most', unit='Hz', minimum=10.0, maximum=200.0
    )
    cmd_vel_frame: str = parameter(
        MAP_FRAME, 'frame of Twist commands; base_link is turned by the heading only',
        choices=('map', 'base_link'), only_with={'enable_stamped_cmd_vel': False},
    )  # fmt: skip
    enable_stamped_cmd_vel: bool = parameter(False, 'cmd_vel is TwistStamped; false: Twist')
    frame_id: str = parameter(MAP_FRAME, 'fixed frame of odom, that of the swarm')
    child_frame_id: str = parameter('', 'body frame; empty: NAMESPACE/base_link')
    fleet: str = parameter(
        '', 'all vehicles with a bridge that fly together, such as uav_1, uav_2: whom swarm fly '
        'waits for; empty: those whose bridges are heard',
    )  # fmt: skip
    publish_tf: bool = parameter(True, 'publish transforms, if tf2_msgs is installed')

    def __post_init__(self) -> None:
        """Refuse invalid frame names."""
        super().__post_init__()
        if not self.frame_id:
            raise ParameterError(f"frame_id = '' must name a frame, such as {MAP_FRAME}")
        for name in ('frame_id', 'child_frame_id'):
            check_frame_name(name, getattr(self, name))


SIDE = 6
"""Rows of a covariance: x, y, z and rotations about x, y, z."""

UNKNOWN = (-1.0, *[0.0] * (SIDE * SIDE - 1))
"""A covariance that is not known, as ROS marks it."""

AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

SOONEST = 0.5
"""Odometry that comes sooner after the last one, as a share of the node's period, is left out."""


class BridgeOdometry:
    """Publishes odometry, at the rate of the node at most.

    Attributes:
        offset: Stamp of the last odometry less this computer's clock [s]; NaN: there was none.
    """

    def __init__(self, node: Node, settings: BridgeNodeParameters, body: str) -> None:
        """Open the topics.

        Args:
            node: The node.
            settings: Its frames and its rate.
            body: The frame of the body.
        """
        self.offset = math.nan
        self._frame, self._body = settings.frame_id, body
        self._soonest, self._published = SOONEST / settings.tick_rate, -math.inf
        self._publisher = make_publisher(node, Odometry, ODOM, STATE)
        self._writer = OdometryWriter()
        self._transforms = TransformPublisher(node, settings.publish_tf)

    def publish(self, pose: SwarmPose, stamp_ns: int, now_ns: int, now: float) -> None:
        """Publish the odometry of the vehicle.

        Args:
            pose: Its pose and twist.
            stamp_ns: Their time by the clock of this computer [ns].
            now_ns: The time by that clock [ns].
            now: Monotonic time [s].
        """
        self.offset = 1e-9 * (stamp_ns - now_ns)
        if 0.0 <= now - self._published < self._soonest:
            return
        self._published = now
        values = OdometryValues(
            stamp_ns, self._frame, self._body, pose.position, pose.attitude, pose.linear,
            pose.angular,
        )  # fmt: skip
        self._publisher.publish(self._writer.write(values, covariances(pose)))
        self._transforms.publish([values])


def covariances(pose: SwarmPose) -> tuple[Sequence[float], Sequence[float]]:
    """Return the covariances of pose and twist; what is not known is 0, or all of it not known.

    The twist is in the frame of the body, so that its variances are turned: ``R^T diag(v) R``.
    """
    return (
        _diagonal(pose.position_variance, pose.attitude_variance),
        _turned(pose.velocity_variance, pose.attitude),
    )


def _diagonal(linear: Vector, angular: Vector) -> Sequence[float]:
    if not all(map(math.isfinite, linear)):
        return UNKNOWN
    covariance = [0.0] * (SIDE * SIDE)
    for place, variance in enumerate((*linear, *angular)):
        if math.isfinite(variance):
            covariance[(SIDE + 1) * place] = variance
    return covariance


def _turned(variance: Vector, attitude: Quaternion) -> Sequence[float]:
    if not all(map(math.isfinite, variance)):
        return UNKNOWN
    back = inverse(attitude)
    axes = [rotate(back, axis) for axis in AXES]
    covariance = [0.0] * (SIDE * SIDE)
    for row in range(3):
        for column in range(3):
            covariance[SIDE * row + column] = sum(
                v * axis[row] * axis[column] for v, axis in zip(variance, axes, strict=True)
            )
    return covariance
