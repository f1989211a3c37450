"""Bounds of commands and positions, checked by what was sent and measured.

They are those of the vehicles and of the fence, without any margin: the separation filter does
not take part, so that its faults are seen.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.fences.fence_text import fence_rings
from soliton_encirclement_ros.core.fences.polygon import Edges, is_inside, ring_edges
from soliton_encirclement_ros.core.parameters.safety_parameters import SafetyParameters

EXCESS = 1e-9
"""Relative excess of a bound that is rounding."""

BEYOND, NOT_FINITE, OUTSIDE = (
    'commands_beyond_limits',
    'commands_not_finite',
    'positions_outside',
)
"""Keys of a summary."""


class SpaceBounds(NamedTuple):
    """Where agents may be: edges of the fence, none without one; heights [m]."""

    edges: Edges
    lowest: float
    highest: float


EVERYWHERE = SpaceBounds((), -math.inf, math.inf)


def space_bounds(safety: SafetyParameters, is_filtered: bool) -> SpaceBounds:
    """Return where agents may be; everywhere if commands are not filtered."""
    if not is_filtered:
        return EVERYWHERE
    low, high = safety.lowest_height, safety.highest_height
    return SpaceBounds(
        ring_edges(*fence_rings(safety.fence)),
        -math.inf if low is None else low,
        math.inf if high is None else high,
    )


def is_outside(x: float, y: float, z: float, edges: Edges, lowest: float, highest: float) -> bool:
    """Return whether a position [m] is outside the fence or the band of heights."""
    if z < lowest - EXCESS * abs(lowest) or z > highest + EXCESS * abs(highest):
        return True
    return len(edges) > 0 and not is_inside(edges, x, y)


def is_unlimited(velocity: Sequence[Any], max_xy: float, max_z: float) -> Any:
    """Return whether a command exceeds its limits [m/s]; of numbers or of arrays."""
    x, y, z = velocity[0], velocity[1], velocity[2]
    most_xy, most_z = (1.0 + EXCESS) * max_xy, (1.0 + EXCESS) * max_z
    return (x * x + y * y > most_xy * most_xy) | (z > most_z) | (z < -most_z)


def is_broken(velocity: Sequence[Any]) -> Any:
    """Return whether a command holds a number that is not finite; of numbers or of arrays."""
    x, y, z = velocity[0], velocity[1], velocity[2]
    return (x - x != 0.0) | (y - y != 0.0) | (z - z != 0.0)
