"""Shared parts of both original laws: gains, the sum of the velocities, and the timeouts."""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.controllers.terms.soliton_channel import reported_curvature
from soliton_encirclement_ros.controllers.terms.velocity_terms import Plane, encircling_velocity
from soliton_encirclement_ros.core.laws.law import RingView, Setup, View
from soliton_encirclement_ros.core.laws.ring_messages import U, message_value, offset
from soliton_encirclement_ros.core.ring.ring_neighbours import NOBODY


class OriginalGains(NamedTuple):
    """Gains of the radial and the tangential velocity, of the place on the ring, and the period.

    ``radius`` and ``r_min`` are in m, ``period`` in s, ``hysteresis`` in rad.
    """

    radius: float
    period: float
    hysteresis: float
    r_min: float
    k_r: float
    k_dr: float
    k_tau: float
    k_omega_damp: float


def original_gains(setup: Setup) -> OriginalGains:
    """Return the gains that both laws share."""
    control, swarm = setup.control, setup.swarm
    return OriginalGains(
        swarm.encirclement_radius,
        swarm.control_period,
        control.hysteresis_rad,
        control.r_min,
        control.k_r,
        control.k_dr,
        control.k_tau,
        control.k_omega_damp,
    )


def wanted_velocity(view: View, radial: Plane, u: float, gains: OriginalGains) -> Vector:
    """Return the sum of all parts of the desired velocity [m/s, map]."""
    dx, dy = offset(view)
    target = view.target
    return encircling_velocity(
        dx, dy, radial, u, target.velocity, target.omega_ref, gains.k_tau, gains.r_min
    )


def curvature_sent(ring: RingView, pred: int, succ: int, u: float) -> float:
    """Return the curvature of u that an agent publishes, 0 without two neighbours."""
    if pred == NOBODY or succ == NOBODY:
        return 0.0
    return reported_curvature(u, message_value(ring, pred, U), message_value(ring, succ, U))


def never(setup: Setup) -> float:
    """Never treat the target as lost: its last state is used however old it is."""
    return math.inf


def no_hold(setup: Setup) -> float:
    """Tolerate no silence beyond the timeout."""
    return 0.0
