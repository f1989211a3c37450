"""Pairs that keep a vertical distance leave each other's horizontal half-planes.

A pair is a layer apart while its heights and its vertical stopping points differ by the layer
and the error of the state. If such a pair comes near horizontally, the vertical distance is kept
like any other distance, so that one of the two barriers always holds.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.safety.age_ball import uncertainty
from soliton_encirclement_ros.safety.braking import braking_distance, braking_slope
from soliton_encirclement_ros.safety.codes import AGE, GHOST, KIND, MUTUAL, STRANGER, VZ, Z
from soliton_encirclement_ros.safety.records import FilterSettings, Rows

NEVER = -1.0
"""Vertical room of a pair that is not a layer apart [m]."""


class VerticalPath(NamedTuple):
    """A vehicle vertically.

    Attributes:
        z: Height [m].
        vz: Velocity up [m/s].
        slope: Derivative of its braking distance by its speed [s].
        end: Height at which it stops [m].
        tau: Its lag [s].
    """

    z: float
    vz: float
    slope: float
    end: float
    tau: float


def vertical_path(z: float, vz: float, a: float, tau: float) -> VerticalPath:
    """Return the vertical braking path from a height [m] and a velocity [m/s]."""
    way = braking_distance(abs(vz), a, tau)
    return VerticalPath(
        z, vz, braking_slope(abs(vz), a, tau), z + (way if vz > 0.0 else -way), tau
    )


def is_layer_apart(settings: FilterSettings, own: VerticalPath, others: Rows, i: int) -> bool:
    """Return whether another body is a layer above or below, also after braking."""
    if is_level(settings, own, others, i):
        return False
    return vertical_room(settings, own, others, i) >= 0.0


def is_level(settings: FilterSettings, own: VerticalPath, others: Rows, i: int) -> bool:
    """Return whether another body is less than a layer above or below."""
    return abs(others[i][Z] - own.z) < settings.layer


def vertical_room(settings: FilterSettings, own: VerticalPath, others: Rows, i: int) -> float:
    """Return by how much [m] a pair is more than a layer apart; NEVER if its ways cross."""
    a, vz = settings.limits[3], others[i][VZ]
    is_ghost = others[i][KIND] == GHOST
    age = 0.5 * settings.run_on if is_ghost else others[i][AGE] + settings.delay
    other = vertical_path(others[i][Z] + age * vz, vz, a, own.tau)
    gap, end = own.z - other.z, own.end - other.end
    if gap * end <= 0.0:
        return NEVER
    error = uncertainty(settings, others, i, abs(vz), a, own.tau)
    return min(abs(gap), abs(end)) - settings.layer - error


def layer_bounds(
    settings: FilterSettings, own: VerticalPath, others: Rows, i: int
) -> tuple[float, float]:
    """Return lowest and highest velocity of the own stopping point [m/s] that keep the layer."""
    share = 0.5 if others[i][KIND] == MUTUAL else 1.0
    bound = share * settings.gamma * vertical_room(settings, own, others, i)
    return (-bound, math.inf) if own.z > others[i][Z] else (-math.inf, bound)


def is_vehicle(others: Rows, i: int) -> bool:
    """Return whether a row is a vehicle that the separation looks at."""
    kind = others[i][KIND]
    return kind in (MUTUAL, GHOST, STRANGER)
