"""Frames and headings (REP-103): ``map`` is ENU, ``base_link`` is FLU, angles are radians."""

import math

from transforms3d.euler import euler2quat, quat2euler

LARGEST_COORDINATE = 1e9
"""No true position [m] or velocity [m/s] is larger; whatever claims to be is refused."""


def is_plausible(value: float) -> bool:
    """Say whether a number can be a coordinate: finite, and no farther than the moon."""
    return abs(value) <= LARGEST_COORDINATE


def wrap_pi(angle: float) -> float:
    """Return the same direction in ``[-pi, pi)`` [rad]; note that +pi maps to -pi."""
    return ((angle + math.pi) % (2.0 * math.pi)) - math.pi


def wrap_2pi(angle: float) -> float:
    """Return the same direction in ``[0, 2 pi]`` [rad].

    The upper end appears only by rounding: a tiny negative angle has no closer neighbour.
    """
    return angle % (2.0 * math.pi)


def rotate_z(x: float, y: float, yaw: float) -> tuple[float, float]:
    """Turn a horizontal vector by ``yaw`` [rad]: body to map; with ``-yaw`` map to body."""
    c = math.cos(yaw)
    s = math.sin(yaw)
    return c * x - s * y, s * x + c * y


def next_yaw(yaw: float, yaw_rate: float, dt: float) -> float:
    """Return the heading [rad, in [-pi, pi)] after ``dt`` [s] at ``yaw_rate`` [rad/s]."""
    return wrap_pi(yaw + yaw_rate * dt)


def quaternion_from_yaw(yaw: float) -> tuple[float, float, float, float]:
    """Return the quaternion (x, y, z, w) of a level body with heading ``yaw`` [rad]."""
    w, x, y, z = euler2quat(0.0, 0.0, yaw)
    return float(x), float(y), float(z), float(w)


def yaw_from_quaternion(x: float, y: float, z: float, w: float) -> float:
    """Return the heading [rad] of a body with attitude (x, y, z, w)."""
    return float(quat2euler((w, x, y, z))[2])
