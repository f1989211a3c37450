"""Limits of one body: the horizontal vector by its norm, the vertical part by its size.

Norms are ``sqrt(x*x + y*y)`` rather than ``hypot``: every IEEE machine rounds them alike, so a
compiled engine and an interpreted node agree to the last bit.
"""

import math


def limit_xy(x: float, y: float, limit: float) -> tuple[float, float]:
    """Shorten a horizontal vector to a norm, keeping its direction.

    A vector with an infinite or undefined norm has only signs left to go by; it becomes the
    vector of its signs at the limit (zero when there is no sign).

    Args:
        x: First component, any unit.
        y: Second component, same unit.
        limit: Largest allowed norm, same unit, >= 0.
    """
    norm = math.sqrt(x * x + y * y)
    if not math.isfinite(norm):
        return _limit_signs(x, y, limit)
    if norm > limit:
        scale = limit / norm
        return x * scale, y * scale
    return x, y


def _limit_signs(x: float, y: float, limit: float) -> tuple[float, float]:
    sx = 0.0 if math.isnan(x) or x == 0.0 else math.copysign(1.0, x)
    sy = 0.0 if math.isnan(y) or y == 0.0 else math.copysign(1.0, y)
    norm = math.sqrt(sx * sx + sy * sy)
    if norm == 0.0:
        return 0.0, 0.0
    return limit * sx / norm, limit * sy / norm


def limit_abs(z: float, limit: float) -> float:
    """Clip a number to ``[-limit, limit]``, keeping its sign; an undefined one becomes 0."""
    if math.isnan(z):
        return 0.0
    if abs(z) > limit:
        return math.copysign(limit, z)
    return z


def limit_velocity(
    vx: float, vy: float, vz: float, max_speed_xy: float, max_speed_z: float
) -> tuple[float, float, float]:
    """Saturate a velocity [m/s]: ``|v_xy| <= max_speed_xy`` and ``|v_z| <= max_speed_z``."""
    vx, vy = limit_xy(vx, vy, max_speed_xy)
    return vx, vy, limit_abs(vz, max_speed_z)


def command_velocity(
    vx: float, vy: float, vz: float, max_speed_xy: float, max_speed_z: float
) -> tuple[float, float, float]:
    """Return what may be sent to a vehicle [m/s]: zero for a non-finite wish, else the limits."""
    if not (math.isfinite(vx) and math.isfinite(vy) and math.isfinite(vz)):
        return 0.0, 0.0, 0.0
    return limit_velocity(vx, vy, vz, max_speed_xy, max_speed_z)
