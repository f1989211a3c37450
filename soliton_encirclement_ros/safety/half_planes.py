"""Conditions on the acceleration as half-planes of commands, in rows of the scratch array."""

import math

from soliton_encirclement_ros.safety.braking import BrakingPath
from soliton_encirclement_ros.safety.codes import BOUND, NX, NY, SOURCE, WHO
from soliton_encirclement_ros.safety.records import Scratch

LEAST_INFLUENCE = 1e-6
"""Below this [s] the acceleration does not matter for a distance."""


def add_half_plane(
    scratch: Scratch,
    count: int,
    path: BrakingPath,
    tau: float,
    mx: float,
    my: float,
    bound: float,
    source: int,
    who: float,
) -> int:
    """Add the condition ``m . acc >= bound``, with ``acc = (c - v) / tau``, to the rows.

    A condition that the acceleration hardly influences is left out.

    Args:
        scratch: The rows.
        count: How many there are.
        path: The own vehicle.
        tau: Its lag [s].
        mx: East part of m [s].
        my: North part of m [s].
        bound: Bound [m/s].
        source: Reason that it stands for.
        who: Id of the other body.

    Returns:
        How many rows there are then.
    """
    size = math.sqrt(mx * mx + my * my)
    if size < LEAST_INFLUENCE:
        return count
    nx, ny = mx / size, my / size
    row = scratch[count]
    row[NX], row[NY] = nx, ny
    row[BOUND] = nx * path.vx + ny * path.vy + tau * bound / size
    row[SOURCE], row[WHO] = source, who
    return count + 1
