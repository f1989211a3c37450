"""Data of vehicle messages, as rows of one form for all types."""

from collections.abc import Callable

import numpy as np
from velocity_mobility_ros.core.frames import bodies_to_world, yaws

from soliton_encirclement_ros.analysis.bag.decoding.decoder import Group
from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Numbers

BODY = ('x', 'y', 'z', 'vx', 'vy', 'vz', 'yaw')
"""Columns of a body: position [m] and velocity [m/s] in map, heading [rad]; NaN if missing."""

COMMAND = ('vx', 'vy', 'vz', 'yaw_rate')
"""Columns of a command: velocity [m/s], yaw rate [rad/s]; its frame follows them."""

UNTOLD, IN_MAP, IN_BODY, NO_VELOCITY = -1.0, 0.0, 1.0, 2.0
"""Frames of a command: unknown, that of the map, the levelled body's; or another kind."""

BASE_FRAME = 'base_link'
VECTOR, QUATERNION = ('x', 'y', 'z'), ('x', 'y', 'z', 'w')
POSE, TWIST = 'pose.pose', 'twist.twist'

NO_UNIT = 0.01
"""Maximum deviation of a quaternion's length from 1."""

Extractor = Callable[[Group], Numbers]


def odometry(group: Group) -> Numbers:
    """Return ``BODY`` of nav_msgs/Odometry, whose velocity is in the child's frame."""
    position = _vector(group, f'{POSE}.position')
    attitude = _vector(group, f'{POSE}.orientation', QUATERNION)
    velocity = _vector(group, f'{TWIST}.linear')
    texts = group.layout.texts
    if texts['child_frame_id'] not in (('',), texts['header.frame_id']):
        velocity = bodies_to_world(attitude, velocity)
    return np.column_stack([position, velocity, _yaws(attitude)])


def pose(group: Group) -> Numbers:
    """Return ``BODY`` of geometry_msgs/PoseStamped, which has no velocity."""
    return _pose(group, 'pose')


def pose_with_covariance(group: Group) -> Numbers:
    """Return ``BODY`` of geometry_msgs/PoseWithCovarianceStamped, without the covariance."""
    return _pose(group, POSE)


def _pose(group: Group, path: str) -> Numbers:
    position = _vector(group, f'{path}.position')
    yaw = _yaws(_vector(group, f'{path}.orientation', QUATERNION))
    return np.column_stack([position, np.full_like(position, np.nan), yaw])


def twist(group: Group) -> Numbers:
    """Return ``COMMAND`` and frame of geometry_msgs/Twist, which does not contain it."""
    return _command(group, '', UNTOLD)


def twist_stamped(group: Group) -> Numbers:
    """Return ``COMMAND`` and frame of geometry_msgs/TwistStamped."""
    (frame,) = group.layout.texts['header.frame_id']
    is_body = frame.rpartition('/')[2] in (BASE_FRAME, 'base_footprint')
    return _command(group, 'twist.', IN_BODY if is_body else IN_MAP if frame else UNTOLD)


def _command(group: Group, path: str, frame: float) -> Numbers:
    turn = group.numbers(f'{path}angular.z')
    return np.column_stack([_vector(group, f'{path}linear'), turn, np.full(len(turn), frame)])


def _yaws(attitude: Numbers) -> Numbers:
    """Return headings; NaN where the attitude is not a rotation, 0 where it is missing."""
    norm = np.sqrt((attitude * attitude).sum(axis=1))
    known = norm > 0.0
    return np.where(known & ~(np.abs(norm - 1.0) <= NO_UNIT), np.nan, yaws(attitude))


def _vector(group: Group, path: str, axes: tuple[str, ...] = VECTOR) -> Numbers:
    return group.numbers(*(f'{path}.{axis}' for axis in axes)).astype(float)
