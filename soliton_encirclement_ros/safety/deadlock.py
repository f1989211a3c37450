"""Way out of a symmetric standstill: everybody turns to the right, the more the longer it lasts.

While a barrier acts, the wanted velocity is turned clockwise by ``turn``. It starts at ``bias``
and grows by ``rate`` as long as the command makes no progress along the wanted direction. At 90
degrees everybody moves along the edge of the crowd, counter-clockwise round its centre, until the
own goal is free. An agent that cannot move at all turns further, back if need be: what blocks it
there may be another one that does the same. The turned velocity passes the same barriers, so
safety does not depend on it.
"""

import math

from velocity_mobility_ros.core.limits import limit_xy

from soliton_encirclement_ros.safety.records import Detour

SLOW = 0.05
"""A wanted speed below this [m/s] is none."""

BLOCKED = 0.1
"""A command below this share of the wanted speed does not lead anywhere."""

FULL_TURN = 2.0 * math.pi


def turned_right(wx: float, wy: float, turn: float) -> tuple[float, float]:
    """Return a vector turned clockwise by an angle [rad]."""
    cosine, sine = math.cos(turn), math.sin(turn)
    return wx * cosine + wy * sine, wy * cosine - wx * sine


def next_turn(
    detour: Detour, turn: float, wx: float, wy: float, cx: float, cy: float, dt: float
) -> float:
    """Return the turn [rad] after a tick in which a barrier acted.

    Args:
        detour: How it grows.
        turn: The turn in this tick.
        wx: Wanted velocity east [m/s].
        wy: The same north.
        cx: Command east [m/s].
        cy: The same north.
        dt: Control period [s].
    """
    wanted = math.sqrt(wx * wx + wy * wy)
    if wanted < SLOW:
        return 0.0
    change = detour.rate * dt
    if (cx * wx + cy * wy) / wanted >= detour.progress * wanted:
        return max(detour.bias, turn - change)
    if math.sqrt(cx * cx + cy * cy) < BLOCKED * wanted:
        return turn + change if turn + change < FULL_TURN else detour.bias
    if turn > detour.most:
        return max(detour.most, turn - change)
    return min(detour.most, max(detour.bias, turn + change))


def faded(detour: Detour, turn: float, dt: float) -> float:
    """Return the turn [rad] after a tick [s] in which no barrier acted."""
    return max(0.0, turn - detour.rate * dt)


def detour_of(detour: Detour, turn: float, wx: float, wy: float) -> tuple[float, float]:
    """Return the wanted velocity [m/s] with its turn, not faster than before."""
    x, y = turned_right(wx, wy, turn)
    return limit_xy(x, y, math.sqrt(wx * wx + wy * wy))
