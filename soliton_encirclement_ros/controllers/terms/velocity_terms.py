"""The parts of a velocity command: radial, tangential, spin, and their sum.

Offsets and velocities are horizontal and relative to the target; e is the unit vector outwards, t
is e turned counter-clockwise.
"""

import math

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.ring.plane import DIRECTION_FLOOR, direction

Plane = tuple[float, float]

NOTHING: Plane = (0.0, 0.0)


def radial_pd(
    dx: float, dy: float, dvx: float, dvy: float, radius: float, k_r: float, k_dr: float
) -> Plane:
    """Return the velocity [m/s] that pulls a body onto the ring: ``(-K_R (r - R) - K_DR v_r) e``.

    Args:
        dx: East offset [m].
        dy: North offset [m].
        dvx: East relative velocity [m/s].
        dvy: North relative velocity [m/s].
        radius: Desired radius R [m].
        k_r: Gain K_R [1/s].
        k_dr: Damping K_DR of the radial speed.
    """
    ex, ey, r = direction(dx, dy)
    speed = (-k_r) * (r - radius) - k_dr * (dvx * ex + dvy * ey)
    vx, vy = speed * ex, speed * ey
    return (vx, vy) if math.isfinite(vx) and math.isfinite(vy) else NOTHING


def tangential_velocity(dx: float, dy: float, u: float, k_tau: float, r_min: float) -> Plane:
    """Return the velocity [m/s] along the ring, ``K_TAU u max(r, r_min) t``.

    Args:
        dx: East offset [m].
        dy: North offset [m].
        u: Tangential state.
        k_tau: Turn rate per unit of u [rad/s].
        r_min: Smallest radius in use [m].
    """
    ex, ey, r = direction(dx, dy)
    q = (k_tau * u) * max(r, r_min)
    return q * -ey, q * ex


def spin_velocity(dx: float, dy: float, omega_ref: float) -> Plane:
    """Return the velocity [m/s] that turns with the whole ring at ``omega_ref`` [rad/s]."""
    ex, ey, r = direction(dx, dy)
    if not math.isfinite(omega_ref) or omega_ref == 0.0 or r <= DIRECTION_FLOOR:
        return NOTHING
    q = omega_ref * r
    return q * -ey, q * ex


def compose(radial: Plane, tangential: Plane, target: Vector, spin: Plane) -> Vector:
    """Return the sum of all parts on top of the target's velocity [m/s].

    A sum that is not finite is replaced by the target's velocity alone.
    """
    vx = ((radial[0] + tangential[0]) + target[0]) + spin[0]
    vy = ((radial[1] + tangential[1]) + target[1]) + spin[1]
    if math.isfinite(vx) and math.isfinite(vy) and math.isfinite(target[2]):
        return vx, vy, target[2]
    return target


def encircling_velocity(
    dx: float,
    dy: float,
    radial: Plane,
    u: float,
    target: Vector,
    omega_ref: float,
    k_tau: float,
    r_min: float,
) -> Vector:
    """Return the desired velocity [m/s]: radial and tangential part, feed-forward, spin.

    Args:
        dx: East offset [m].
        dy: North offset [m].
        radial: Radial part [m/s].
        u: Tangential state.
        target: The target's velocity [m/s].
        omega_ref: Desired rotation of the whole ring [rad/s].
        k_tau: Turn rate per unit of u [rad/s].
        r_min: Smallest radius in use [m].
    """
    tangential = tangential_velocity(dx, dy, u, k_tau, r_min)
    return compose(radial, tangential, target, spin_velocity(dx, dy, omega_ref))
