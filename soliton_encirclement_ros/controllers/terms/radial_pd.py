"""Radial PD of ``two_channel``: it differentiates the measured radius itself."""

import math
from typing import NamedTuple

from soliton_encirclement_ros.controllers.terms.velocity_terms import NOTHING, Plane
from soliton_encirclement_ros.core.ring.plane import direction

UNKNOWN = math.nan
"""The radius before the first one was measured."""


class RadialOutcome(NamedTuple):
    """The velocity [m/s] towards the ring, and the radius [m] that it was computed from."""

    velocity: Plane
    r: float


def radial_speed(
    r: float, r_last: float, radius: float, k_r: float, k_dr: float, dt: float
) -> float:
    """Return the outward speed [m/s], ``K_R (R - r) - K_DR (r - r_last) / dt``.

    Args:
        r: Radius [m].
        r_last: Radius [m] one period ago, NaN if there was none.
        radius: Desired radius R [m].
        k_r: Gain K_R [1/s].
        k_dr: Damping K_DR of the radial speed.
        dt: Control period [s].
    """
    change = 0.0 if math.isnan(r_last) else r - r_last
    speed = k_r * (radius - r) + (-k_dr * change) / dt
    return speed if math.isfinite(speed) else 0.0


def radial_pd_difference(
    dx: float, dy: float, r_last: float, radius: float, k_r: float, k_dr: float, dt: float
) -> RadialOutcome:
    """Return the velocity that pulls a body onto the ring.

    Args:
        dx: East offset from the target [m].
        dy: North offset from the target [m].
        r_last: Radius [m] one period ago, NaN if there was none.
        radius: Desired radius [m].
        k_r: Gain [1/s].
        k_dr: Damping of the radial speed.
        dt: Control period [s].
    """
    ex, ey, r = direction(dx, dy)
    speed = radial_speed(r, r_last, radius, k_r, k_dr, dt)
    vx, vy = speed * ex, speed * ey
    finite = math.isfinite(vx) and math.isfinite(vy)
    return RadialOutcome((vx, vy) if finite else NOTHING, r)
