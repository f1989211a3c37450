"""What messages of vehicles say, as rows of one form whatever their type."""

from collections.abc import Callable

import numpy as np

from soliton_encirclement_ros.analysis.bag.attitude import turned, yaws
from soliton_encirclement_ros.analysis.bag.decoding import Group
from soliton_encirclement_ros.analysis.bag.rows import Numbers

BODY = ('x', 'y', 'z', 'vx', 'vy', 'vz', 'yaw')
"""Columns of a body: position [m] and velocity [m/s] in map, heading [rad]; NaN if not told."""

COMMAND = ('vx', 'vy', 'vz', 'yaw_rate')
"""Columns of a command: velocity [m/s] in the frame that is meant, yaw rate [rad/s]."""

VECTOR, QUATERNION = ('x', 'y', 'z'), ('x', 'y', 'z', 'w')
POSE, TWIST = 'pose.pose', 'twist.twist'

Extractor = Callable[[Group], Numbers]


def odometry(group: Group) -> Numbers:
    """Return ``BODY`` of nav_msgs/Odometry, whose velocity is in the child's frame."""
    position = _vector(group, f'{POSE}.position')
    attitude = _vector(group, f'{POSE}.orientation', QUATERNION)
    velocity = _vector(group, f'{TWIST}.linear')
    texts = group.layout.texts
    if texts['child_frame_id'] not in (('',), texts['header.frame_id']):
        velocity = turned(attitude, velocity)
    return np.column_stack([position, velocity, yaws(attitude)])


def pose(group: Group) -> Numbers:
    """Return ``BODY`` of geometry_msgs/PoseStamped, which tells no velocity."""
    position = _vector(group, 'pose.position')
    yaw = yaws(_vector(group, 'pose.orientation', QUATERNION))
    return np.column_stack([position, np.full_like(position, np.nan), yaw])


def twist(group: Group, path: str = '') -> Numbers:
    """Return ``COMMAND`` of geometry_msgs/Twist."""
    turn = group.numbers(f'{path}angular.z')
    return np.column_stack([_vector(group, f'{path}linear'), turn])


def twist_stamped(group: Group) -> Numbers:
    """Return ``COMMAND`` of geometry_msgs/TwistStamped."""
    return twist(group, 'twist.')


def _vector(group: Group, path: str, axes: tuple[str, ...] = VECTOR) -> Numbers:
    return group.numbers(*(f'{path}.{axis}' for axis in axes)).astype(float)
