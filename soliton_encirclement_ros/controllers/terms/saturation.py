"""Saturation in priority order: the first part is served first, the others share the rest."""

import math


def saturation(bx: float, by: float, dx: float, dy: float, limit: float) -> float:
    """Return the largest share s in [0, 1] with ``|b + s d| <= limit``.

    A base that is already at or beyond the limit leaves room only for parts that lead back inside.

    Args:
        bx: East part of the base b, which is served first.
        by: North part of the base.
        dx: East part of the addition d, same unit.
        dy: North part of the addition.
        limit: Largest norm, same unit.
    """
    x, y = bx + dx, by + dy
    if x * x + y * y <= limit * limit:
        return 1.0
    dd = dx * dx + dy * dy
    bd = bx * dx + by * dy
    room = limit * limit - (bx * bx + by * by)
    inside = bd * bd + dd * room
    if not inside >= 0.0 or dd == 0.0:
        return 0.0
    share = (math.sqrt(inside) - bd) / dd
    return min(1.0, max(0.0, share))
