"""Messages of commands, odometry and paths as other nodes send them, for tests of nodes."""

import math
from collections.abc import Sequence

from geometry_msgs.msg import PoseStamped, Twist, TwistStamped
from nav_msgs.msg import Odometry, Path
from sensor_msgs.msg import JointState

from velocity_mobility_ros.core.trajectory.pursuit import Waypoint
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.messages.message_conversion import OdometryValues
from velocity_mobility_ros.ros_io.node_time import ns_to_time, time_to_ns
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME


def command_to_twist(velocity: Vector, yaw_rate: float) -> Twist:
    """Return a velocity [m/s] and yaw rate [rad/s] as a Twist in the same frame."""
    message = Twist()
    message.linear.x, message.linear.y, message.linear.z = velocity
    message.angular.z = yaw_rate
    return message


def command_to_stamped(
    velocity: Vector, yaw_rate: float, stamp_ns: int, frame: str = MAP_FRAME
) -> TwistStamped:
    """Return a velocity [m/s] in a frame and yaw rate [rad/s] as a TwistStamped."""
    message = TwistStamped(twist=command_to_twist(velocity, yaw_rate))
    message.header.stamp = ns_to_time(stamp_ns)
    message.header.frame_id = frame
    return message


def odometry_message(values: OdometryValues) -> Odometry:
    """Return values as an Odometry, without covariances."""
    message = Odometry(child_frame_id=values.body)
    message.header.stamp = ns_to_time(values.stamp_ns)
    message.header.frame_id = values.frame
    pose, twist = message.pose.pose, message.twist.twist
    pose.position.x, pose.position.y, pose.position.z = values.position
    quaternion = pose.orientation
    quaternion.x, quaternion.y, quaternion.z, quaternion.w = values.attitude
    twist.linear.x, twist.linear.y, twist.linear.z = values.linear
    twist.angular.x, twist.angular.y, twist.angular.z = values.angular
    return message


def odometry_values(message: Odometry) -> OdometryValues:
    """Return what is used of an Odometry, unchecked."""
    position, orientation = message.pose.pose.position, message.pose.pose.orientation
    linear, angular = message.twist.twist.linear, message.twist.twist.angular
    return OdometryValues(
        time_to_ns(message.header.stamp),
        message.header.frame_id,
        message.child_frame_id,
        (position.x, position.y, position.z),
        (orientation.x, orientation.y, orientation.z, orientation.w),
        (linear.x, linear.y, linear.z),
        (angular.x, angular.y, angular.z),
    )


def path_message(waypoints: Sequence[Waypoint], start_ns: int, frame: str = MAP_FRAME) -> Path:
    """Return a path.

    Args:
        waypoints: The waypoints.
        start_ns: Time [ns] from which their times count, also the stamp of the header.
        frame: Its frame.
    """
    message = Path()
    message.header.stamp, message.header.frame_id = ns_to_time(start_ns), frame
    for position, time in waypoints:
        pose = PoseStamped()
        pose.header.frame_id = frame
        if not math.isnan(time):
            pose.header.stamp = ns_to_time(start_ns + round(time * 1e9))
        place = pose.pose.position
        place.x, place.y, place.z = map(float, position)
        pose.pose.orientation.w = 1.0
        message.poses.append(pose)
    return message


def values_to_joint_state(
    stamp_ns: int,
    names: list[str],
    positions: Sequence[float],
    velocities: Sequence[float] = (),
    frame: str = MAP_FRAME,
) -> JointState:
    """Return named coordinates as a JointState."""
    message = JointState(name=names, position=positions, velocity=velocities)
    message.header.stamp = ns_to_time(stamp_ns)
    message.header.frame_id = frame
    return message
