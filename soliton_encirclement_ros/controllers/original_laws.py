"""Shared parts of both original laws: gains, ring position, terms of the command, and timeouts.

Angles are those of the last received states; an old neighbour stays while it is nearly as close as
the nearest one.

Offsets and velocities are horizontal and relative to the target; e is the unit vector outwards, t
is e turned counter-clockwise.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.controllers.tangential_channels import reported_curvature
from soliton_encirclement_ros.core.laws.law import (
    VX, VY, RingView, Setup, U, View, X, Y, bearing_of, find, message_value, offset, wrapped
)
from soliton_encirclement_ros.core.ring.ring_geometry import (
    ALONE, DIRECTION_FLOOR, NOBODY, Neighbours, angular_rate, between, command_rate, damped_error,
    direction, keep_old, spacing_error
)
from velocity_mobility_ros.core.velocity_model import Vector

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


class RingPosition(NamedTuple):
    """The neighbours, and the weights of the predecessor's and the own arc."""

    near: Neighbours
    lambda_pred: float
    lambda_self: float


class SpacingErrors(NamedTuple):
    """The computed spacing error, and after the damping of the angular rate."""

    e_tau: float
    e_tau_eff: float


NO_PLACE = RingPosition(ALONE, 1.0, 1.0)


class NeighbourChoice(NamedTuple):
    """The updated ring position, and the indices of the neighbours on the ring (-1: none)."""

    place: RingPosition
    pred: int
    succ: int


def update_place(place: RingPosition, view: View, hysteresis: float) -> NeighbourChoice:
    """Return the updated ring position; a weight that is not received stays.

    Without a fresh target there are no neighbours.

    Args:
        place: The place so far.
        view: Inputs of the agent.
        hysteresis: How much farther an old neighbour may be [rad].
    """
    ring, near, pred, succ = view.ring, ALONE, NOBODY, NOBODY
    if ring.count > 1 and view.target.fresh:
        theta = bearing_of(view)
        pred, succ = beside(ring, theta, view.agent_id)
        old_pred, old_succ = find(ring, place.near.pred), find(ring, place.near.succ)
        closest = between(
            theta, ring.ids[pred], ring.thetas[pred], ring.ids[succ], ring.thetas[succ]
        )
        near = keep_old(
            theta, closest, place.near, theta_at(ring, old_pred), theta_at(ring, old_succ),
            hysteresis,
        )  # fmt: skip
        pred = pred if near.pred == ring.ids[pred] else old_pred
        succ = succ if near.succ == ring.ids[succ] else old_succ
    weight_pred = received_weight(ring, pred, place.lambda_pred)
    weight_self = received_weight(ring, ring.place, place.lambda_self)
    return NeighbourChoice(RingPosition(near, weight_pred, weight_self), pred, succ)


def received_weight(ring: RingView, place: int, before: float) -> float:
    """Return the weight of the arc behind a place, or the previous one if it is not received."""
    if place == NOBODY or math.isnan(ring.weights[place]):
        return before
    return ring.weights[place]


def beside(ring: RingView, theta: float, agent_id: int) -> tuple[int, int]:
    """Return the places of those just before and behind an agent that is at an angle [rad]."""
    after = first_not_before(ring, theta, agent_id)
    return another(ring, after - 1, -1), another(ring, after, 1)


def first_not_before(ring: RingView, theta: float, agent_id: int) -> int:
    """Return the first place that does not come before an angle [rad] and a number."""
    low, high = 0, ring.count
    while low < high:
        middle = (low + high) // 2
        angle = ring.thetas[middle]
        if angle < theta or (angle == theta and ring.ids[middle] < agent_id):
            low = middle + 1
        else:
            high = middle
    return low


def another(ring: RingView, place: int, step: int) -> int:
    """Return a place, wrapped into the ring, or the next one if it is the own."""
    place = wrapped(place, ring.count)
    return wrapped(place + step, ring.count) if place == ring.place else place


def theta_at(ring: RingView, place: int) -> float:
    """Return the angle [rad] of a place on the ring, NaN for none."""
    return math.nan if place == NOBODY else ring.thetas[place]


def spacing_errors(
    place: RingPosition, view: View, pred: int, succ: int, k_omega_damp: float, r_min: float
) -> SpacingErrors:
    """Return the spacing errors at a place.

    Args:
        place: Neighbours and weights.
        view: Inputs of the agent.
        pred: Place of the predecessor on the ring, -1 for none.
        succ: Place of the successor.
        k_omega_damp: Gain of the damping [s/rad].
        r_min: Smallest radius in use [m].
    """
    near, e_tau = place.near, 0.0
    if near.pred != NOBODY and near.succ != NOBODY:
        e_tau = spacing_error(near.gap_pred, near.gap_succ, place.lambda_pred, place.lambda_self)
    damped = damped_error(
        e_tau, k_omega_damp, own_rate(view, r_min), rate_of(view, pred), rate_of(view, succ)
    )
    return SpacingErrors(e_tau, damped)


def own_rate(view: View, r_min: float) -> float:
    """Return the rate [rad/s] of the last command, in the world frame as in the original."""
    dx, dy = offset(view)
    ex, ey, r = direction(dx, dy)
    return command_rate(view.command[0], view.command[1], ex, ey, r, r_min)


def rate_of(view: View, place: int) -> float:
    """Return the angular rate [rad/s] of a neighbour, NaN for none."""
    if place == NOBODY:
        return math.nan
    ring, target = view.ring, view.target
    return angular_rate(
        message_value(ring, place, X) - target.position[0],
        message_value(ring, place, Y) - target.position[1],
        message_value(ring, place, VX) - target.velocity[0],
        message_value(ring, place, VY) - target.velocity[1],
    )


def neighbour_value(ring: RingView, place: int, column: int) -> float:
    """Return a value of a neighbour's message, 0 for none."""
    return 0.0 if place == NOBODY else message_value(ring, place, column)
