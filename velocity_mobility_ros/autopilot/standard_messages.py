"""Standard ROS messages in which several autopilots report: places, attitudes, batteries."""

import math
from typing import Any

from velocity_mobility_ros.autopilot.reports import Battery, Reference
from velocity_mobility_ros.core.frames import Quaternion, unit
from velocity_mobility_ros.core.model import Vector

NORM_ERROR = 0.05
"""Largest difference of an attitude's norm from 1."""


def reference(message: Any) -> Reference | None:
    """Return a GeoPointStamped as an origin; None if it is not set, which is 0, 0."""
    at = message.position
    if not all(map(math.isfinite, (at.latitude, at.longitude, at.altitude))):
        return None
    if (at.latitude, at.longitude) == (0.0, 0.0):
        return None
    return Reference(0, at.latitude, at.longitude, at.altitude)


def battery(message: Any, received: float) -> Battery:
    """Return a BatteryState as a report; a charge below 0 is not known.

    Args:
        message: The message.
        received: Monotonic time of its arrival [s].
    """
    share = message.percentage if message.percentage >= 0.0 else math.nan
    return Battery(received, bool(message.present), share)


def attitude(message: Any) -> Quaternion | None:
    """Return a Quaternion (x, y, z, w) with norm 1; None if it is no attitude."""
    found = message.x, message.y, message.z, message.w
    return unit(found) if abs(math.hypot(*found) - 1.0) <= NORM_ERROR else None


def vector(message: Any) -> Vector:
    """Return a Vector3 or a Point."""
    return message.x, message.y, message.z


def stamp_us(message: Any) -> int:
    """Return the stamp of a message with a header [us]."""
    stamp = message.header.stamp
    return int(stamp.sec) * 1_000_000 + stamp.nanosec // 1000
