"""Data of vehicle messages, as rows of one form for all types, those of PX4 included.

PX4's frames (NED, FRD) are converted to those of ROS (ENU, FLU). Every PX4 vehicle has its own
origin; where it publishes that origin, the positions are shifted to the origin of the first
vehicle.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np
from velocity_mobility_ros.core.coordinate_frames import (
    bodies_to_world,
    frd_ned_to_flu_enu,
    frd_to_flu,
    ned_to_enu,
    ned_to_enu_yaw,
    yaws,
)

from soliton_encirclement_ros.analysis.bag.decoding.message_decoder import Group, Numbers
from soliton_encirclement_ros.analysis.bag.topic_names import FIXED

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


def placed(position: Numbers, attitude: Numbers) -> Numbers:
    """Return ``BODY`` of positions [m], (M, 3), and attitudes, (M, 4), without velocities."""
    velocity, yaw = np.full_like(position, np.nan), _headings(position, attitude)
    return np.column_stack([position, velocity, yaw])


def pose_in(position: str, attitude: str) -> Extractor:
    """Return what gives ``BODY`` of a message with a pose and no velocity, by its fields."""
    return lambda group: placed(_vector(group, position), _vector(group, attitude, QUATERNION))


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


EARTH_RADIUS = 6_371_000.0
"""Radius of the sphere of PX4's map projection [m]."""

NED = 1
BODY_FRD = 3
"""Values of ``pose_frame`` and ``velocity_frame``."""

ORIGIN = ('ref_lat', 'ref_lon', 'ref_alt')
"""Columns behind those of a body: origin [deg, deg, m], NaN where it is not known."""


def local_position(group: Group) -> Numbers:
    """Return a body and its origin from VehicleLocalPosition; NaN for values invalid in PX4."""
    position = _column(group, 'x', 'y', 'z')
    velocity = _column(group, 'vx', 'vy', 'vz')
    valid = {name: _column(group, f'{name}_valid')[:, 0] != 0.0 for name in VALIDITIES}
    position[~(valid['xy'] & valid['z'])] = np.nan
    velocity[~(valid['v_xy'] & valid['v_z'])] = np.nan
    yaw = ned_to_enu_yaw(_column(group, 'heading')[:, 0])
    return np.column_stack([ned_to_enu(position), ned_to_enu(velocity), yaw, _origin(group)])


def vehicle_odometry(group: Group) -> Numbers:
    """Return a body from VehicleOdometry, without an origin."""
    position, reported = ned_to_enu(_column(group, 'position')), _column(group, 'velocity')
    attitude = frd_ned_to_flu_enu(_column(group, 'q')[:, [1, 2, 3, 0]])
    pose_frame = _column(group, 'pose_frame')[:, 0]
    velocity_frame = _column(group, 'velocity_frame')[:, 0]
    velocity, in_body = ned_to_enu(reported), velocity_frame == BODY_FRD
    velocity[in_body] = bodies_to_world(attitude[in_body], frd_to_flu(reported[in_body]))
    position[pose_frame != NED] = np.nan
    velocity[~in_body & (velocity_frame != NED)] = np.nan
    unknown = np.full((len(position), len(ORIGIN)), np.nan)
    return np.column_stack([position, velocity, yaws(attitude), unknown])


def setpoint(group: Group) -> Numbers:
    """Return a command from TrajectorySetpoint; NaN for an open turn rate.

    With a position setpoint, the velocity is only a feed-forward, usually zero.
    """
    position, velocity = _column(group, 'position'), _column(group, 'velocity')
    is_other = np.isfinite(position).any(axis=1) | np.isnan(velocity).any(axis=1)
    frame = np.where(is_other, NO_VELOCITY, IN_MAP)
    return np.column_stack([ned_to_enu(velocity), -_column(group, 'yawspeed'), frame])


VALIDITIES = ('xy', 'z', 'v_xy', 'v_z')


def _origin(group: Group) -> Numbers:
    origin = _column(group, *ORIGIN)
    known = (_column(group, 'xy_global')[:, 0] != 0.0) & (_column(group, 'z_global')[:, 0] != 0.0)
    origin[~known] = np.nan
    return origin


def _column(group: Group, *names: str) -> Numbers:
    return np.column_stack([group.numbers(name).astype(float) for name in names])


def moved(bodies: Mapping[str, Numbers]) -> tuple[dict[str, Numbers], list[str], bool]:
    """Return bodies with positions from one origin, the problems, and whether it is known.

    Args:
        bodies: Columns of a body and its origin, by member.
    """
    origins = {name: _origins(values[:, -len(ORIGIN) :]) for name, values in bodies.items()}
    known = [found[0] for found in origins.values() if len(found)]
    problems = []
    is_common = len(bodies) < 2 or len(known) == len(bodies)
    if not is_common:
        lost = ', '.join(name for name, found in origins.items() if not len(found))
        problems.append(f'{lost}: PX4 does not say where the origin lies: no distances to others')
    result = {}
    for name, values in bodies.items():
        found = origins[name]
        if len(found) > 1:
            problems.append(f'{name}: PX4 moved its origin {len(found) - 1} times')
        body, reported = values[:, : -len(ORIGIN)].copy(), values[:, -len(ORIGIN) :]
        for i, origin in enumerate(found):
            rows = (reported == origin).all(axis=1)
            if i == 0:  # what was told before the origin was known counts from the same
                rows |= ~np.isfinite(reported).all(axis=1)
            body[rows, :3] += offset(known[0], origin)
        result[name] = body
    return result, problems, is_common


def _origins(reported: Numbers) -> Numbers:
    """Return the different origins in order of their first message, (N, 3)."""
    known = reported[np.isfinite(reported).all(axis=1)]
    distinct, first = np.unique(known, axis=0, return_index=True)
    return distinct[np.argsort(first)]


def offset(common: Numbers, other: Numbers) -> Numbers:
    """Return the position of an origin (east, north, up) [m] from another, on PX4's sphere.

    Args:
        common: Latitude and longitude [deg], altitude [m] of the one to count from.
        other: The same of the other.
    """
    lat0, lon0, lat, lon = np.radians([common[0], common[1], other[0], other[1]])
    d_lon = lon - lon0
    # The haversine of the angle between both: its arc cosine has no digits left for few metres.
    haversine = math.sin((lat - lat0) / 2.0) ** 2
    haversine += math.cos(lat0) * math.cos(lat) * math.sin(d_lon / 2.0) ** 2
    angle = 2.0 * math.asin(min(1.0, math.sqrt(haversine)))
    scale = 1.0 if angle < 1e-12 else angle / math.sin(angle)
    # cos(lat0) sin(lat) - sin(lat0) cos(lat) cos(d_lon), without the difference of near equals.
    north = math.sin(lat - lat0) + 2.0 * math.sin(lat0) * math.cos(lat) * math.sin(d_lon / 2) ** 2
    east = math.cos(lat) * math.sin(d_lon)
    return EARTH_RADIUS * scale * np.array([east, north, 0.0]) + [0.0, 0.0, other[2] - common[2]]
