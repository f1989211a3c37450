"""Angular correction of an agent towards its place between several neighbours per side.

The ring is every live agent in the order of (angle, id), so agents at one angle have an order and
true gaps, too: 0 on one side, the rest of the circle on the other. With the h-th predecessor and
successor at the gaps g_p, g_s, and the sums L_p, L_s of the weights of the arcs between,

    shift_h = (L_p g_s - L_s g_p) / (L_p + L_s)

is the rotation after which both gaps are proportional to their weights. The shift is the mean over
h = 1 .. H: all of them vanish at once in an even (or evenly weighted) ring, and the more hops
are used, the faster its slowest wave decays. The choice is mutual.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from velocity_mobility_ros.core.frames import TURN


class Shift(NamedTuple):
    """Rotation [rad] to the agent's place, counter-clockwise positive, and its rate [rad/s]."""

    angle: float
    rate: float


IN_PLACE = Shift(0.0, 0.0)


def gap_ahead(thetas: Sequence[float], i: int, hop: int) -> float:
    """Return the arc [rad] from entry i of a sorted ring to the entry ``hop`` places on."""
    j = i + hop
    if j >= len(thetas):
        return thetas[j - len(thetas)] + TURN - thetas[i]
    return thetas[j] - thetas[i]


def gap_behind(thetas: Sequence[float], i: int, hop: int) -> float:
    """Return the arc [rad] to entry i of a sorted ring from the entry ``hop`` places before."""
    j = i - hop
    if j < 0:
        return thetas[i] - (thetas[j + len(thetas)] - TURN)
    return thetas[i] - thetas[j]


def arc_weight(weight: float) -> float:
    """Return the weight of an arc, 1 if the target sent none."""
    return 1.0 if math.isnan(weight) else weight


def spacing_correction(
    thetas: Sequence[float],
    rates: Sequence[float],
    weights: Sequence[float],
    i: int,
    rate: float,
    hops: int,
) -> Shift:
    """Return the shift of entry i of a ring.

    Args:
        thetas: Angles of the whole ring in ascending order [rad].
        rates: Angular rates in the same order [rad/s]; that of the entry itself is not read.
        weights: Weight of the arc from each entry to the next; NaN (none) counts as 1.
        i: The entry.
        rate: Its angular rate [rad/s].
        hops: Maximum number of neighbours per side; beyond half a circle or half the ring
            only the nearest two are used.
    """
    count = len(thetas)
    if count < 2:
        return IN_PLACE
    angle = turning = behind = ahead = 0.0
    used = 0
    for hop in range(1, max(1, min(hops, (count - 1) // 2)) + 1):
        p, s = (i - hop) % count, (i + hop) % count
        ahead += arc_weight(weights[(i + hop - 1) % count])
        behind += arc_weight(weights[p])
        gap_p, gap_s = gap_behind(thetas, i, hop), gap_ahead(thetas, i, hop)
        if hop > 1 and (gap_p > math.pi or gap_s > math.pi):
            break
        both = behind + ahead
        if not both > 0.0:
            continue
        angle += (behind * gap_s - ahead * gap_p) / both
        turning += (behind * (rates[s] - rate) + ahead * (rates[p] - rate)) / both
        used += 1
    return Shift(angle / used, turning / used) if used else IN_PLACE
