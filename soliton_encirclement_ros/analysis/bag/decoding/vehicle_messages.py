"""Data of vehicle messages, as rows of one form for all types."""

from collections.abc import Callable

import numpy as np
from velocity_mobility_ros.core.frames import bodies_to_world, yaws

from soliton_encirclement_ros.analysis.bag.decoding.decoder import Group
from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Numbers
from soliton_encirclement_ros.analysis.bag.topics.conventions import FIXED

BODY = ('x', 'y', 'z', 'vx', 'vy', 'vz', 'yaw')
"""Columns of a body: position [m] and velocity [m/s] in map, heading [rad]; NaN if missing."""

OTHER = ('vx_other', 'vy_other', 'vz_other')
"""Columns behind those of a body by an Odometry: its velocity [m/s] in map if the twist is not in
the frame that it names, but in the other of the two."""

COMMAND = ('vx', 'vy', 'vz', 'yaw_rate')
"""Columns of a command: velocity [m/s], yaw rate [rad/s]; its frame follows them."""

UNTOLD, IN_MAP, IN_BODY, NO_VELOCITY, NAMED = -1.0, 0.0, 1.0, 2.0, 3.0
"""Frames of a command: not told, that of the map, the levelled body's; another kind; or one whose
name says nothing by itself."""

BODY_FRAMES = ('base_link', 'base_footprint')
"""Last parts of names that are those of a body (REP-105)."""

VECTOR, QUATERNION = ('x', 'y', 'z'), ('x', 'y', 'z', 'w')
POSE, TWIST = 'pose.pose', 'twist.twist'

UNTRACKED = np.inf
"""Stands for the heading where position and quaternion are all 0: motion capture tells so of a
body that it does not see."""

NO_UNIT = 0.01
"""Maximum deviation of a quaternion's length from 1."""

Extractor = Callable[[Group], Numbers]


def odometry(group: Group) -> Numbers:
    """Return ``BODY`` and ``OTHER`` of nav_msgs/Odometry, whose velocity is in the child's frame.

    What would have to be turned by an attitude that is no rotation is NaN; one of zeros, as of a
    message that nobody filled, turns nothing.
    """
    position = _vector(group, f'{POSE}.position')
    attitude = _vector(group, f'{POSE}.orientation', QUATERNION)
    told = _vector(group, f'{TWIST}.linear')
    yaw = _headings(position, attitude)
    turned = bodies_to_world(attitude, told)
    turned[np.isnan(yaw) & attitude.any(axis=1)] = np.nan
    texts = group.layout.texts
    of_body = texts['child_frame_id'] not in (('',), texts['header.frame_id'])
    velocity, other = (turned, told) if of_body else (told, turned)
    return np.column_stack([position, velocity, yaw, other])


def pose(group: Group) -> Numbers:
    """Return ``BODY`` of geometry_msgs/PoseStamped, which has no velocity."""
    return _pose(group, 'pose')


def transform(group: Group) -> Numbers:
    """Return ``BODY`` of geometry_msgs/TransformStamped, a pose by other names."""
    return _placed(group, 'transform.translation', 'transform.rotation')


def pose_with_covariance(group: Group) -> Numbers:
    """Return ``BODY`` of geometry_msgs/PoseWithCovarianceStamped, without the covariance."""
    return _pose(group, POSE)


def placed(position: Numbers, attitude: Numbers) -> Numbers:
    """Return ``BODY`` of positions [m], (M, 3), and attitudes, (M, 4), without velocities."""
    velocity, yaw = np.full_like(position, np.nan), _headings(position, attitude)
    return np.column_stack([position, velocity, yaw])


def _pose(group: Group, path: str) -> Numbers:
    return _placed(group, f'{path}.position', f'{path}.orientation')


def _placed(group: Group, position: str, attitude: str) -> Numbers:
    return placed(_vector(group, position), _vector(group, attitude, QUATERNION))


def twist(group: Group) -> Numbers:
    """Return ``COMMAND`` and frame of geometry_msgs/Twist, which does not contain it."""
    return _command(group, '', UNTOLD)


def twist_stamped(group: Group) -> Numbers:
    """Return ``COMMAND`` and frame of geometry_msgs/TwistStamped."""
    (frame,) = group.layout.texts['header.frame_id']
    return _command(group, 'twist.', frame_kind(frame))


def frame_kind(frame: str) -> float:
    """Return what the name of a command's frame says by itself."""
    name = last_part(frame)
    if name in BODY_FRAMES:
        return IN_BODY
    return IN_MAP if name in FIXED else NAMED if frame else UNTOLD


def last_part(frame: str) -> str:
    """Return the name of a frame without that of its vehicle."""
    return frame.rpartition('/')[2]


def _command(group: Group, path: str, frame: float) -> Numbers:
    turn = group.numbers(f'{path}angular.z')
    return np.column_stack([_vector(group, f'{path}linear'), turn, np.full(len(turn), frame)])


def _headings(position: Numbers, attitude: Numbers) -> Numbers:
    """Return headings; NaN where the attitude is not a rotation, or ``UNTRACKED``."""
    norm = np.sqrt((attitude * attitude).sum(axis=1))
    found = np.where(np.abs(norm - 1.0) <= NO_UNIT, yaws(attitude), np.nan)
    return np.where(position.any(axis=1) | attitude.any(axis=1), found, UNTRACKED)


def _vector(group: Group, path: str, axes: tuple[str, ...] = VECTOR) -> Numbers:
    return group.numbers(*(f'{path}.{axis}' for axis in axes)).astype(float)
