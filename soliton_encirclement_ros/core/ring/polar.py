"""Polar coordinates of a body relative to the target, in the horizontal plane."""

from typing import NamedTuple

from soliton_encirclement_ros.core.ring.plane import direction


class Polar(NamedTuple):
    """Radius [m], outward unit vector, radial and tangential speed [m/s], angular rate [rad/s]."""

    r: float
    ex: float
    ey: float
    vr: float
    vt: float
    rate: float


def polar(dx: float, dy: float, dvx: float, dvy: float, r_min: float) -> Polar:
    """Return offset [m] and velocity [m/s] relative to the target in polar coordinates.

    The angular rate is computed with at least ``r_min`` [m]: close to the target angles are noisy.
    """
    ex, ey, r = direction(dx, dy)
    vt = dvy * ex - dvx * ey
    return Polar(r, ex, ey, dvx * ex + dvy * ey, vt, vt / max(r, r_min))
