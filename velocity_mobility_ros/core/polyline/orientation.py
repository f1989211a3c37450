"""Attitudes along a polyline: forward along a segment, without roll."""

import math

from velocity_mobility_ros.core.frames import inverse, multiply, rotate
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.polyline.records import Attitude

FORWARD: Vector = (1.0, 0.0, 0.0)


def norm(vector: Vector) -> float:
    """Return the length of a vector, in its own unit."""
    x, y, z = vector
    return math.sqrt(x * x + y * y + z * z)


def difference(a: Vector, b: Vector) -> Vector:
    """Return ``a - b``."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scaled(vector: Vector, factor: float) -> Vector:
    """Return a vector times a factor."""
    return vector[0] * factor, vector[1] * factor, vector[2] * factor


def unit_vector(vector: Vector) -> Vector:
    """Return the direction of a vector that is not zero."""
    length = norm(vector)
    return vector[0] / length, vector[1] / length, vector[2] / length


def inner(a: Vector, b: Vector) -> float:
    """Return the scalar product of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def attitude_along(vector: Vector) -> Attitude:
    """Return the attitude of a body that looks along a vector: yaw, then pitch, no roll."""
    yaw = math.atan2(vector[1], vector[0])
    level = math.sqrt(vector[0] * vector[0] + vector[1] * vector[1])
    pitch = math.atan2(-vector[2], level)
    sy, cy = math.sin(yaw / 2.0), math.cos(yaw / 2.0)
    sp, cp = math.sin(pitch / 2.0), math.cos(pitch / 2.0)
    return -sy * sp, cy * sp, sy * cp, cy * cp


def heading(attitude: Attitude) -> Vector:
    """Return the direction in which a body looks, a unit vector."""
    return rotate(attitude, FORWARD)


def roll_pitch_yaw(attitude: Attitude) -> Vector:
    """Return the angles [rad] of a unit quaternion; yaw is applied first."""
    x, y, z, w = attitude
    roll = math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    pitch = math.asin(min(max(2.0 * (w * y - z * x), -1.0), 1.0))
    yaw = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    return roll, pitch, yaw


def turn_between(before: Attitude, after: Attitude) -> Vector:
    """Return roll, pitch and yaw [rad] of the turn from one attitude to the next."""
    return roll_pitch_yaw(multiply(inverse(before), after))
