"""Conversions between ROS messages and plain values, and the age of their stamps.

Commands, odometry, joint states and paths (``nav_msgs/Path``, to waypoints). A non-finite number
in a received message raises ``MalformedMessageError``.
"""

import math
from typing import NamedTuple

from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Path

from velocity_mobility_ros.core.coordinate_frames import (
    Attitude, Quaternion, Transform, is_plausible, quaternion_from_yaw, rotate_z, velocity_of,
    yaw_from_quaternion
)
from velocity_mobility_ros.core.parameter_declaration import LARGEST_COORDINATE
from velocity_mobility_ros.core.step_time import to_ns
from velocity_mobility_ros.core.trajectory.pursuit import Waypoint
from velocity_mobility_ros.core.user_errors import MalformedMessageError, shown
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.node_time import time_to_ns
from velocity_mobility_ros.ros_io.vehicle_topics import BASE_FRAME, MAP_FRAME, names_of

EAST: Quaternion = (0.0, 0.0, 0.0, 1.0)
"""Attitude of a level body with heading 0."""


def checked_command(velocity: Vector, yaw_rate: float) -> tuple[Vector, float]:
    """Return a received velocity [m/s] and yaw rate [rad/s].

    Raises:
        MalformedMessageError: A number is not finite.
    """
    if not all(map(math.isfinite, (*velocity, yaw_rate))):
        raise MalformedMessageError(f'linear = {velocity}, angular.z = {yaw_rate} must be finite')
    return velocity, yaw_rate


def is_body_frame(frame: str, body: str) -> bool:
    """Return whether the frame of a command is the body frame (True) or the map (False).

    A command in the body frame is rotated by the heading only (REP-147, nav2). Rotated by the full
    attitude, a forward command to a tilted multirotor would be a dive.

    Args:
        frame: ``map``, ``base_link`` or the frame id of the body, fleet optional.
        body: The body's frame id.

    Raises:
        MalformedMessageError: It is another frame.
    """
    if frame == MAP_FRAME:
        return False
    if frame in names_of(body):
        return True
    raise MalformedMessageError(
        f'frame_id = {shown(frame)} must be {MAP_FRAME!r}, {BASE_FRAME!r} or {body!r}'
    )


class OdometryValues(NamedTuple):
    """The content of an Odometry without its covariances.

    Attributes:
        stamp_ns: When it was valid [ns].
        frame: The fixed frame.
        body: The child frame, that of the body.
        position: In the fixed frame [m].
        attitude: Rotation from the body to the fixed frame.
        linear: Velocity [m/s], forward, left and up.
        angular: Angular velocity [rad/s] about these.
    """

    stamp_ns: int
    frame: str
    body: str
    position: Vector
    attitude: Quaternion
    linear: Vector
    angular: Vector


def level_odometry(
    stamp_ns: int,
    body: str,
    position: Vector,
    yaw: float,
    velocity: Vector,
    yaw_rate: float,
    frame: str = MAP_FRAME,
) -> OdometryValues:
    """Return the odometry of a level body, the twist in the child frame (REP-105).

    Args:
        stamp_ns: Time of validity [ns].
        body: Child frame id.
        position: Position [m] in ``frame``.
        yaw: Heading [rad].
        velocity: Velocity [m/s] in ``frame``.
        yaw_rate: Yaw rate [rad/s].
        frame: Fixed frame id.
    """
    vx, vy = rotate_z(velocity[0], velocity[1], -yaw)
    return OdometryValues(
        stamp_ns, frame, body, position, quaternion_from_yaw(yaw), (vx, vy, velocity[2]),
        (0.0, 0.0, yaw_rate),
    )  # fmt: skip


def body_of(
    odometry: OdometryValues, transform: Transform | None = None, is_body_twist: bool = True
) -> tuple[Vector, Vector, float]:
    """Return position [m], velocity [m/s] in a fixed frame and yaw [rad] of an odometry.

    The twist is rotated by the full attitude; the vertical speed of a level body stays the same
    bit for bit.

    Args:
        odometry: Pose in ``frame``, twist in the body's frame.
        transform: Pose of ``frame`` in the fixed frame; None: it is the fixed frame.
        is_body_twist: False if the twist is in ``frame`` as well, against nav_msgs.

    Raises:
        MalformedMessageError: A number is not finite, or the attitude is not a rotation.
    """
    _, _, _, position, attitude, linear, angular = odometry
    if not all(map(is_plausible, position + linear + attitude)):
        raise MalformedMessageError(
            f'pose and twist {position + linear + attitude} must be finite and at most '
            f'{LARGEST_COORDINATE:g}'
        )
    if not 0.5 < math.sqrt(sum(part * part for part in attitude)) < 2.0:
        raise MalformedMessageError(f'orientation {attitude} must be a unit quaternion')
    yaw = 0.0 if attitude == EAST else yaw_from_quaternion(*attitude)
    velocity = velocity_of(Attitude(attitude, linear, angular)) if is_body_twist else linear
    if transform is None:
        return position, velocity, yaw
    place = transform.point(position)
    if not all(map(is_plausible, place)):
        raise MalformedMessageError(
            f'position {place} in the fixed frame must be at most {LARGEST_COORDINATE:g}'
        )
    rotation = transform.attitude(attitude)
    return place, transform.vector(velocity), yaw_from_quaternion(*rotation)


CLOCKS = 'are the clocks of all computers synchronised, and is use_sim_time the same everywhere?'

LATE = 'it came late (a busy machine or network), or the clocks of the computers differ'

LATE_BY_NS = 1_000_000_000
"""Age [ns] beyond the limit that a message may well have, which waited while a node started."""


class StampError(MalformedMessageError):
    """A stamp differs too much from the clock, or is out of order."""


def check_stamp(stamp_ns: int, now_ns: int, limit: float, name: str) -> None:
    """Refuse a stamp that differs too much from the clock.

    Args:
        stamp_ns: Stamp of the message [ns].
        now_ns: The node's time [ns].
        limit: Largest difference of the two [s].
        name: Parameter with the limit.

    Raises:
        StampError: The stamp is too old, too far in the future, or was never set.
    """
    age_ns = now_ns - stamp_ns
    if abs(age_ns) <= to_ns(limit):
        return
    if stamp_ns == 0:
        raise StampError(f'stamp is 0, so it was never set; limit {name} = {limit:g} s')
    when = f'{age_ns / 1e9:.3f} s old' if age_ns > 0 else f'{-age_ns / 1e9:.3f} s in the future'
    cause = LATE if 0 < age_ns <= to_ns(limit) + LATE_BY_NS else CLOCKS
    raise StampError(f'stamp is {when}, limit {name} = {limit:g} s; {cause}')


MAX_POSES = 10_000
"""Most poses of a path: with more of them a step takes longer than its period."""


def waypoints_of(message: Path, start_ns: int) -> list[Waypoint]:
    """Return the waypoints of a path; orientations are not used.

    Args:
        message: The path; a pose with stamp 0 has no time.
        start_ns: Time [ns] from which the times of the waypoints count.

    Raises:
        MalformedMessageError: A frame is not map, a position is not finite, or there are too many.
    """
    if not message.poses:
        return []
    if len(message.poses) > MAX_POSES:
        raise MalformedMessageError(f'{len(message.poses)} poses, must be at most {MAX_POSES}')
    _check_frame('header.frame_id', message.header.frame_id)
    return [_waypoint(i, pose, start_ns) for i, pose in enumerate(message.poses)]


def _waypoint(i: int, pose: PoseStamped, start_ns: int) -> Waypoint:
    if pose.header.frame_id:
        _check_frame(f'poses[{i}].header.frame_id', pose.header.frame_id)
    place, stamp_ns = pose.pose.position, time_to_ns(pose.header.stamp)
    position = place.x, place.y, place.z
    if not all(map(is_plausible, position)):
        raise MalformedMessageError(
            f'poses[{i}] at {position} must be finite and at most {LARGEST_COORDINATE:g}'
        )
    time = math.nan if stamp_ns == 0 else (stamp_ns - start_ns) / 1e9
    return Waypoint(position, time)


def _check_frame(name: str, frame: str) -> None:
    if frame != MAP_FRAME:
        raise MalformedMessageError(
            f'{name} = {shown(frame)} must be {MAP_FRAME!r}; transform the path before'
        )
