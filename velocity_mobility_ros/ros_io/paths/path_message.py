"""``nav_msgs/Path`` from and to waypoints."""

import math
from collections.abc import Sequence

from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Path

from velocity_mobility_ros.core.frames import is_plausible
from velocity_mobility_ros.core.magnitudes import LARGEST_COORDINATE
from velocity_mobility_ros.core.shown import shown
from velocity_mobility_ros.core.trajectory.route import Waypoint
from velocity_mobility_ros.ros_io.messages import MalformedMessageError, ns_to_time, time_to_ns
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

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
