"""Access of a law to its ring: order of the agents, and their last messages."""

import math

from soliton_encirclement_ros.core.laws.law import RingView, View
from soliton_encirclement_ros.core.ring.ring_neighbours import ALONE, NOBODY, Neighbours
from soliton_encirclement_ros.core.ring.spacing import spacing_error
from soliton_encirclement_ros.core.ring.spacing_correction import arc_weight, gap_ahead, gap_behind

X, Y, Z, VX, VY, VZ = range(6)
"""Columns of ``RingView.states``: position [m] and velocity [m/s] in map."""

COMMON_FIELDS = ('u', 'u_ss')
"""Names of what every message begins with."""

U, U_SS, FIELDS = 9, 10, 11
"""The law's message: u, its curvature, and from ``FIELDS`` on all others."""


def message_value(ring: RingView, place: int, column: int) -> float:
    """Return a value of the last message of another agent.

    Args:
        ring: The ring.
        place: Its index on the ring.
        column: Column of its message.
    """
    return ring.states[ring.rows[place]][column]


def find(ring: RingView, agent_id: int) -> int:
    """Return the index of an agent on the ring, -1 if it is absent; near ones come first."""
    place, count = ring.place, ring.count
    if agent_id == NOBODY:
        return NOBODY
    for away in range(count // 2 + 1):
        ahead, behind = wrapped(place + away, count), wrapped(place - away, count)
        if ring.ids[ahead] == agent_id:
            return ahead
        if ring.ids[behind] == agent_id:
            return behind
    return NOBODY


def wrapped(place: int, count: int) -> int:
    """Return an index that is at most one turn outside of the ring as one inside."""
    if place >= count:
        return place - count
    return place + count if place < 0 else place


def nearest(ring: RingView) -> Neighbours:
    """Return the agents just before and behind, and the arcs to them, in the order of the ring."""
    count, place = ring.count, ring.place
    if count < 2:
        return ALONE
    thetas = ring.thetas[:count]
    return Neighbours(
        ring.ids[place - 1 if place > 0 else count - 1],
        ring.ids[(place + 1) % count],
        gap_behind(thetas, place, 1),
        gap_ahead(thetas, place, 1),
    )


def nearest_error(ring: RingView) -> float:
    """Return the agent's spacing error between the nearest two, 0 for an agent alone."""
    count, place = ring.count, ring.place
    if count < 2:
        return 0.0
    near = nearest(ring)
    before = ring.weights[place - 1 if place > 0 else count - 1]
    return spacing_error(
        near.gap_pred, near.gap_succ, arc_weight(before), arc_weight(ring.weights[place])
    )


def offset(view: View) -> tuple[float, float]:
    """Return the horizontal offset [m] from the target's last reported position."""
    there = view.target.position
    return view.position[0] - there[0], view.position[1] - there[1]


def bearing_of(view: View) -> float:
    """Return the agent's own angle [rad] around the target's last reported position."""
    dx, dy = offset(view)
    return math.atan2(dy, dx)
