"""One agent's ring position in the original laws: neighbours, weights, spacing error.

Angles are those of the last received states; an old neighbour stays while it is nearly as close as
the nearest one.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.laws.law import RingView, View
from soliton_encirclement_ros.core.laws.ring_messages import (
    VX,
    VY,
    X,
    Y,
    bearing_of,
    find,
    message_value,
    offset,
    wrapped,
)
from soliton_encirclement_ros.core.ring.plane import direction
from soliton_encirclement_ros.core.ring.ring_neighbours import (
    ALONE,
    NOBODY,
    Neighbours,
    between,
    keep_old,
)
from soliton_encirclement_ros.core.ring.spacing import (
    angular_rate,
    command_rate,
    damped_error,
    spacing_error,
)


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


def taken_place(place: RingPosition, view: View, hysteresis: float) -> NeighbourChoice:
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
    told_pred = told_weight(ring, pred, place.lambda_pred)
    told_self = told_weight(ring, ring.place, place.lambda_self)
    return NeighbourChoice(RingPosition(near, told_pred, told_self), pred, succ)


def told_weight(ring: RingView, place: int, before: float) -> float:
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
        there = ring.thetas[middle]
        if there < theta or (there == theta and ring.ids[middle] < agent_id):
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
