"""Attitudes as unit quaternions (x, y, z, w), body to map.

Heading, roll and pitch are the Z-Y-X angles (REP-103). See Diebel, Representing Attitude (2006).
"""

import math

from velocity_mobility_ros.core.frames import Quaternion, multiply, unit
from velocity_mobility_ros.core.limits import clip
from velocity_mobility_ros.core.model import Vector

SERIES_ANGLE_2 = 0.01
"""Square of the half angle [rad^2] below which the series is exact to rounding."""


def heading(attitude: Quaternion) -> float:
    """Return the heading [rad] of an attitude."""
    x, y, z, w = attitude
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def roll_pitch(attitude: Quaternion) -> tuple[float, float]:
    """Return roll and pitch [rad] of an attitude."""
    x, y, z, w = attitude
    roll = math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    return roll, math.asin(clip(2.0 * (w * y - z * x), -1.0, 1.0))


def heading_rate(attitude: Quaternion, rates: Vector) -> float:
    """Return the rate of change of the heading [rad/s]; nose up or down the body's yaw rate.

    ``(wy sin(roll) + wz cos(roll)) / cos(pitch)``, without the angles.
    """
    x, y, z, w = attitude
    across = 2.0 * (w * x + y * z)
    along = 1.0 - 2.0 * (x * x + y * y)
    sine = 2.0 * (w * y - z * x)
    square = 1.0 - sine * sine
    if square <= 0.0:
        return rates[2]
    return (across * rates[1] + along * rates[2]) / square


def level(yaw: float) -> Quaternion:
    """Return the attitude of a level body with a heading [rad]."""
    return 0.0, 0.0, math.sin(yaw / 2.0), math.cos(yaw / 2.0)


def turned(attitude: Quaternion, rates: Vector, dt: float) -> Quaternion:
    """Return the attitude after turning at constant body rates [rad/s] for ``dt`` [s].

    The quaternion exponential ``q exp(w dt / 2)``. At the small angles of one step the series of
    sine and cosine is as exact as the functions and needs neither them nor a root.
    """
    half = 0.5 * dt
    hx, hy, hz = rates[0] * half, rates[1] * half, rates[2] * half
    square = hx * hx + hy * hy + hz * hz
    if square < SERIES_ANGLE_2:
        sinc = 1.0 - square / 6.0 * (
            1.0 - square / 20.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0))
        )
        cosine = 1.0 - square / 2.0 * (
            1.0 - square / 12.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0))
        )
    else:
        angle = math.sqrt(square)
        sinc = math.sin(angle) / angle
        cosine = math.cos(angle)
    return unit(multiply(attitude, (hx * sinc, hy * sinc, hz * sinc, cosine)))


def tilted(zx: float, zy: float, zz: float, yaw: float) -> Quaternion:
    """Return the attitude with an up axis and with a left axis across a heading.

    Args:
        zx: Unit vector of the up axis in map; ``zz`` > 0.
        zy: Its second component.
        zz: Its third component.
        yaw: Heading [rad] to which the left axis is perpendicular: ``Rz(yaw) Rx Ry``, as in
            Mellinger and Kumar, Minimum snap trajectory generation (ICRA 2011).
    """
    c, s = math.cos(yaw), math.sin(yaw)
    ahead, left = c * zx + s * zy, c * zy - s * zx
    upright = math.sqrt(left * left + zz * zz)
    sx, cx = half_angle(-left / upright, zz / upright)
    sy, cy = half_angle(ahead, upright)
    return multiply(level(yaw), (sx * cy, cx * sy, sx * sy, cx * cy))


def half_angle(sine: float, cosine: float) -> tuple[float, float]:
    """Return sine and cosine of half an angle, which is between -pi and pi."""
    half = math.sqrt(0.5 * (1.0 + cosine))
    return 0.5 * sine / half, half
