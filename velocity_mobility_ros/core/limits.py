"""Limits of one body: norm of the horizontal vector, absolute value of the vertical part.

Norms are ``sqrt(x*x + y*y)`` rather than ``hypot``: IEEE machines round them equally, so the
compiled engine and the nodes agree bit for bit.
"""

import math

SURELY = 1.0 - 1e-9
"""Share of a squared limit below which a norm is within the limit, whatever is rounded."""


OF_ZERO = {
    'max_speed_xy': 'nothing moves horizontally',
    'max_acc_xy': 'no horizontal velocity changes',
    'max_acc': 'no velocity changes',
}
"""What a limit of 0 means; vehicles on the ground have a vertical one."""


def zero_limits(limits: object, prefix: str = '') -> list[str]:
    """Return a warning for each limit that lets nothing through.

    Args:
        limits: Has limits as attributes; those that it lacks are left out.
        prefix: Prefix of their names, such as ``mobility.``.
    """
    return [
        f'{prefix}{name} = 0: {effect}; for no limit give a large number'
        for name, effect in OF_ZERO.items()
        if getattr(limits, name, None) == 0.0
    ]


def limit_xy(x: float, y: float, limit: float) -> tuple[float, float]:
    """Limit the norm of a horizontal vector and keep its direction.

    A vector with an infinite or undefined norm is replaced by the vector of its signs, scaled to
    the limit (zero if no component has a sign).

    Args:
        x: First component, any unit.
        y: Second component, same unit.
        limit: Largest allowed norm, same unit, >= 0.
    """
    square = x * x + y * y
    if square < SURELY * (limit * limit):  # most vectors: the root is slow
        return x, y
    norm = math.sqrt(square)
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
    """Clip a number to ``[-limit, limit]``, keeping its sign; NaN becomes 0."""
    if math.isnan(z):
        return 0.0
    if abs(z) > limit:
        return math.copysign(limit, z)
    return z


def clip(value: float, lowest: float, highest: float) -> float:
    """Clip a number to an interval; NaN stays NaN."""
    if value < lowest:
        return lowest
    if value > highest:
        return highest
    return value


def limit_velocity(
    vx: float, vy: float, vz: float, max_speed_xy: float, max_speed_z: float
) -> tuple[float, float, float]:
    """Saturate a velocity [m/s]: ``|v_xy| <= max_speed_xy`` and ``|v_z| <= max_speed_z``."""
    vx, vy = limit_xy(vx, vy, max_speed_xy)
    return vx, vy, limit_abs(vz, max_speed_z)


def command_velocity(
    vx: float, vy: float, vz: float, max_speed_xy: float, max_speed_z: float
) -> tuple[float, float, float]:
    """Return a saturated command [m/s]; zero for a non-finite one."""
    if not (math.isfinite(vx) and math.isfinite(vy) and math.isfinite(vz)):
        return 0.0, 0.0, 0.0
    return limit_velocity(vx, vy, vz, max_speed_xy, max_speed_z)
