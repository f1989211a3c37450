"""Coordinate frames (REP-103): ``map`` is ENU, ``base_link`` is FLU; those of PX4 are NED and FRD.

Angles are radians, quaternions (x, y, z, w) as in geometry_msgs. ``rotate`` and ``multiply``
accept single numbers, for nodes, or columns of many samples, for bags. The motion of a body is
given as its odometry reports it. Last come checks of the names of the frames of a vehicle.
"""

import itertools
import math
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from transforms3d.euler import quat2euler

from velocity_mobility_ros.core.parameter_declaration import LARGEST_COORDINATE
from velocity_mobility_ros.core.user_errors import ParameterError, shown
from velocity_mobility_ros.core.velocity_model import Vector

Quaternion = tuple[float, float, float, float]
Numbers = NDArray[np.float64]
TURN = 2.0 * math.pi
"""A full turn [rad]."""

Part = TypeVar('Part', float, Numbers)
"""One component of one sample, or of many."""


def is_plausible(value: float) -> bool:
    """Return whether a number can be a coordinate: finite and not absurdly large."""
    return abs(value) <= LARGEST_COORDINATE


def is_plausible_vector(vector: Vector) -> bool:
    """Return whether all three numbers of a vector can be coordinates."""
    x, y, z = vector
    return is_plausible(x) and is_plausible(y) and is_plausible(z)


def wrap_pi(angle: float) -> float:
    """Return the same direction in ``[-pi, pi)`` [rad]; note that +pi maps to -pi.

    Example:
        >>> wrap_pi(math.pi)
        -3.141592653589793
    """
    return wrap_2pi(angle + math.pi) - math.pi


def wrap_2pi(angle: float) -> float:
    """Return the same direction in ``[0, 2 pi]`` [rad], bit for bit ``angle % TURN``.

    The upper end results only from rounding a tiny negative angle. Within one turn of the
    interval the slow division is avoided.
    """
    if 0.0 < angle < TURN:
        return angle
    if -TURN < angle < 0.0:
        return angle + TURN
    if TURN <= angle < 2.0 * TURN:
        return angle - TURN
    return angle % TURN


def rotate_z(x: float, y: float, yaw: float) -> tuple[float, float]:
    """Turn a horizontal vector by ``yaw`` [rad]: body to map; with ``-yaw`` map to body."""
    c = math.cos(yaw)
    s = math.sin(yaw)
    return c * x - s * y, s * x + c * y


def next_yaw(yaw: float, yaw_rate: float, dt: float) -> float:
    """Return the heading [rad, in [-pi, pi)] after ``dt`` [s] at ``yaw_rate`` [rad/s]."""
    return wrap_pi(yaw + yaw_rate * dt)


def quaternion_from_yaw(yaw: float) -> tuple[float, float, float, float]:
    """Return the quaternion (x, y, z, w) of a level body with heading ``yaw`` [rad].

    Example:
        >>> quaternion_from_yaw(0.0)
        (0.0, 0.0, 0.0, 1.0)
    """
    return 0.0, 0.0, math.sin(0.5 * yaw), math.cos(0.5 * yaw)


def yaw_from_quaternion(x: float, y: float, z: float, w: float) -> float:
    """Return the heading [rad] of a body with attitude (x, y, z, w).

    Example:
        >>> round(yaw_from_quaternion(*quaternion_from_yaw(0.5)), 6)
        0.5
    """
    return float(quat2euler((w, x, y, z))[2])


def unit(attitude: Quaternion) -> Quaternion:
    """Return the unit quaternion of the same rotation."""
    x, y, z, w = attitude
    length = math.sqrt(x * x + y * y + z * z + w * w)
    return x / length, y / length, z / length, w / length


def rotate(
    attitude: tuple[Part, Part, Part, Part], vector: tuple[Part, Part, Part]
) -> tuple[Part, Part, Part]:
    """Turn a vector by a unit quaternion: ``v + 2 w (q x v) + 2 q x (q x v)``."""
    x, y, z, w = attitude
    vx, vy, vz = vector
    tx, ty, tz = 2.0 * (y * vz - z * vy), 2.0 * (z * vx - x * vz), 2.0 * (x * vy - y * vx)
    return (
        vx + w * tx + y * tz - z * ty,
        vy + w * ty + z * tx - x * tz,
        vz + w * tz + x * ty - y * tx,
    )


def multiply(
    first: tuple[Part, Part, Part, Part], second: tuple[Part, Part, Part, Part]
) -> tuple[Part, Part, Part, Part]:
    """Return the quaternion that turns by ``second``, then by ``first``."""
    ax, ay, az, aw = first
    bx, by, bz, bw = second
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def inverse(attitude: Quaternion) -> Quaternion:
    """Return the inverse rotation of a unit quaternion."""
    x, y, z, w = attitude
    return -x, -y, -z, w


class Transform(NamedTuple):
    """Pose of a child frame in its parent frame.

    Attributes:
        translation: Origin of the child [m].
        rotation: Attitude of the child, a unit quaternion.

    Example:
        >>> Transform((1.0, 2.0, 0.0), quaternion_from_yaw(0.0)).point((3.0, 0.0, 0.0))
        (4.0, 2.0, 0.0)
    """

    translation: Vector
    rotation: Quaternion

    def point(self, position: Vector) -> Vector:
        """Return a position [m] of the child frame in the parent frame."""
        x, y, z = rotate(self.rotation, position)
        return self.translation[0] + x, self.translation[1] + y, self.translation[2] + z

    def vector(self, velocity: Vector) -> Vector:
        """Return a velocity [m/s] of the child frame in the parent frame."""
        return rotate(self.rotation, velocity)

    def attitude(self, attitude: Quaternion) -> Quaternion:
        """Return an attitude of the child frame in the parent frame."""
        return multiply(self.rotation, attitude)


def yaws(attitudes: Numbers) -> Numbers:
    """Return headings [rad], (M,), of attitudes, (M, 4); a quaternion of zeros gives 0."""
    x, y, z, w = attitudes.T
    return np.arctan2(2.0 * (w * z + x * y), w * w + x * x - y * y - z * z)


def bodies_to_world(attitudes: Numbers, vectors: Numbers) -> Numbers:
    """Return vectors of bodies, (M, 3), turned by their attitudes, (M, 4), as by ``rotate``.

    Quaternions are normalised first. One of length zero rotates nothing.
    """
    length = np.sqrt((attitudes * attitudes).sum(axis=1, keepdims=True))
    units = attitudes / np.where(length > 0.0, length, 1.0)
    return np.stack(rotate(tuple(units.T), tuple(vectors.T)), axis=1)


def levelled_to_world(headings: Numbers, vectors: Numbers) -> Numbers:
    """Return vectors of levelled bodies, (M, 3), turned by headings [rad], (M,)."""
    attitude: Any = (0.0, 0.0, np.sin(headings / 2.0), np.cos(headings / 2.0))
    return np.stack(rotate(attitude, tuple(vectors.T)), axis=1)


def swapped_world(vector: tuple[Part, Part, Part]) -> tuple[Part, Part, Part]:
    """Return a vector of north, east, down as east, north, up, or vice versa."""
    return vector[1], vector[0], -vector[2]


def swapped_body(vector: tuple[Part, Part, Part]) -> tuple[Part, Part, Part]:
    """Return a vector of forward, right, down as forward, left, up, or vice versa."""
    return vector[0], -vector[1], -vector[2]


def swapped_attitude(
    attitude: tuple[Part, Part, Part, Part],
) -> tuple[Part, Part, Part, Part]:
    """Return the attitude of an FLU body in ENU, given that of an FRD body in NED, or back."""
    half = math.sqrt(0.5)
    first: Any = (half, half, 0.0, 0.0)
    last: Any = (1.0, 0.0, 0.0, 0.0)
    return multiply(multiply(first, attitude), last)


def swapped_yaw(heading: float) -> float:
    """Return a heading [rad] from east, counter-clockwise, given one from north, or back."""
    return wrap_pi(0.5 * math.pi - heading)


def ned_to_enu(vectors: Numbers) -> Numbers:
    """Return vectors, (M, 3), of north, east, down as east, north, up, or vice versa.

    Example:
        >>> ned_to_enu(np.array([[1.0, 2.0, 3.0]])).tolist()
        [[2.0, 1.0, -3.0]]
    """
    return np.stack(swapped_world(tuple(vectors.T)), axis=1)


def ned_to_enu_yaw(headings: Numbers) -> Numbers:
    """Return headings [rad, in [-pi, pi)] from east, counter-clockwise, of NED headings.

    Example:
        >>> ned_to_enu_yaw(np.array([0.0])).tolist()
        [1.5707963267948966]
    """
    return (math.pi / 2.0 - headings + math.pi) % TURN - math.pi


def frd_to_flu(vectors: Numbers) -> Numbers:
    """Return vectors, (M, 3), of forward, right, down as forward, left, up, or vice versa.

    Example:
        >>> frd_to_flu(np.array([[1.0, 2.0, 3.0]])).tolist()
        [[1.0, -2.0, -3.0]]
    """
    return np.stack(swapped_body(tuple(vectors.T)), axis=1)


def frd_ned_to_flu_enu(attitudes: Numbers) -> Numbers:
    """Return attitudes, (M, 4), of FLU bodies in ENU, given those of FRD bodies in NED.

    Example:
        >>> frd_ned_to_flu_enu(np.array([[0.0, 0.0, 0.0, 1.0]])).round(3).tolist()
        [[0.0, 0.0, -0.707, -0.707]]
    """
    return np.stack(swapped_attitude(tuple(attitudes.T)), axis=1)


class VehicleMotion(NamedTuple):
    """Motion of a body, as its odometry reports it.

    Attributes:
        position: Position [m, map].
        yaw: Heading [rad], counter-clockwise from east.
        velocity: Velocity [m/s, map]. That of a body that tilts is the one which a reader of its
            odometry gets: ``velocity_of(attitude)``.
        yaw_rate: Yaw rate [rad/s], counter-clockwise.
    """

    position: Vector
    yaw: float
    velocity: Vector
    yaw_rate: float


class Attitude(NamedTuple):
    """Attitude and twist of a body that rolls and pitches, as its odometry reports them.

    Attributes:
        rotation: Unit quaternion (x, y, z, w) from the body to map.
        linear: Velocity [m/s], forward, left and up (FLU).
        angular: Angular velocity [rad/s] about these.
    """

    rotation: Quaternion
    linear: Vector
    angular: Vector


def velocity_of(attitude: Attitude) -> Vector:
    """Return the velocity [m/s, map] that a reader of the odometry gets.

    It differs from the true one in the last bits. Simulations without ROS use it as well, so that
    they agree with the nodes bit for bit, signs of zeros included.
    """
    (x, y, z, w), (forward, left, up) = attitude.rotation, attitude.linear
    if x == 0.0 and y == 0.0 and z == 0.0 and w == 1.0:
        east, north = rotate_z(forward, left, 0.0)
        return east, north, up
    return rotate(unit(attitude.rotation), attitude.linear)


MAP_FRAME = 'map'
"""The fixed frame of REP-105."""


def check_frame_name(parameter: str, frame: str) -> None:
    """Refuse a name with blanks or control characters, which tf2 would accept.

    Args:
        parameter: Name of the parameter, for the error.
        frame: The frame name; an empty one is not checked.

    Raises:
        ParameterError: The name is invalid.
    """
    if any(sign.isspace() or not sign.isprintable() for sign in frame):
        raise ParameterError(
            f'{parameter} = {shown(frame)} must not contain blanks or control characters; '
            'use a name such as uav_1/odom'
        )
    if _is_null(frame):
        raise ParameterError(f"{parameter} = {frame} must be a frame name; write '' for none")


def check_distinct(frames: Mapping[str, str]) -> None:
    """Refuse two frames of the same name, between which there can be no transform.

    Args:
        frames: Full frame names of one vehicle by parameter; empty: none.

    Raises:
        ParameterError: Two names are equal.
    """
    for (first, frame), (second, other_frame) in itertools.combinations(frames.items(), 2):
        if frame and frame == other_frame:
            raise ParameterError(
                f'{first} and {second} both name the frame {shown(frame)}; use two different names'
            )


def _is_null(text: str) -> bool:
    """Return whether a text is a YAML null, which ROS passes on as text."""
    return text in ('null', '~')


def check_odom_frame(frame: str, fixed: str) -> None:
    """Refuse an odometry frame that cannot have a transform to the fixed frame.

    Args:
        frame: The name as given, without the namespace of the body. Empty: none.
        fixed: Name of the fixed frame.

    Raises:
        ParameterError: It is the fixed frame, or begins with a slash, which tf2 does not accept.
    """
    if frame and frame in (MAP_FRAME, fixed):
        raise ParameterError(
            f'odom_frame = {shown(frame)} must be empty for odometry in the fixed frame'
        )
    if frame.startswith('/'):
        raise ParameterError(f'odom_frame = {shown(frame)} must not begin with a slash')
