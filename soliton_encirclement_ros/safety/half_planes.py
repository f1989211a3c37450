"""Conditions on the acceleration as half-planes of commands, in rows of the scratch array.

    m . (acc - acc_0) >= rate,  acc = (c - v) / tau,  acc_0: acceleration at command 0

A rate up to 0 is a distance that may shrink, which command 0 always keeps; a rate above 0 one
that has to grow.
"""

import math

from soliton_encirclement_ros.safety.braking import BrakingPath
from soliton_encirclement_ros.safety.codes import BASE, EXTRA, NX, NY, SOURCE, WHO
from soliton_encirclement_ros.safety.records import Scratch

NO_DISTANCE = 1e-9
"""Below this distance [m] two places have no direction from one to the other."""

LEAST_INFLUENCE = 1e-6
"""Below this [s] the acceleration does not matter for a distance."""


def add_half_plane(
    scratch: Scratch,
    count: int,
    path: BrakingPath,
    tau: float,
    mx: float,
    my: float,
    ax: float,
    ay: float,
    rate: float,
    source: int,
    who: float,
) -> int:
    """Add a condition to the rows.

    A condition that the acceleration hardly influences, or that is not finite, is left out.

    Args:
        scratch: The rows.
        count: How many there are.
        path: The own vehicle.
        tau: Its lag [s].
        mx: East part of m [s].
        my: North part of m [s].
        ax: East part of acc_0 [m/s^2].
        ay: North part of acc_0 [m/s^2].
        rate: Rate [m/s].
        source: Reason that it stands for.
        who: Id of the other body.

    Returns:
        How many rows there are then.
    """
    size = math.sqrt(mx * mx + my * my)
    if not (size >= LEAST_INFLUENCE and math.isfinite(rate)):
        return count
    nx, ny = mx / size, my / size
    row = scratch[count]
    row[NX], row[NY] = nx, ny
    row[BASE] = nx * (path.vx + tau * ax) + ny * (path.vy + tau * ay)
    row[EXTRA] = tau * rate / size
    row[SOURCE], row[WHO] = source, who
    return count + 1
