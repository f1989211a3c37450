"""Weights of the arcs: one wide arc, held like a token; the rest of the ring is protected.

Agents cover ``protection_angle_deg``; one open arc of ``360 - protection_angle_deg`` is left. The
agent at its start holds the token and gets the edge weight; all other agents have weight 1.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY
from velocity_mobility_ros.core.coordinate_frames import wrap_2pi

SWITCH_COOLDOWN = 1.0
"""Time [s] for which the token stays where it is."""

SWITCH_HYSTERESIS = 0.05
"""Advantage [rad] that a gap needs over the holder's before the token moves."""

NO_ARC = 1e-6
"""An arc of at most this angle [deg] is not left open."""

LONG_AGO = -1e9


class Token(NamedTuple):
    """Holder of the token, since when [s], and the weight of its arc; the other arcs have 1."""

    holder: int
    switched: float
    weight: float


NO_TOKEN = Token(NOBODY, LONG_AGO, 1.0)


class Rivals(NamedTuple):
    """Start of the best arc, its width [rad], and the holder's width; -inf if it is gone."""

    best: int
    best_arc: float
    held_arc: float


def edge_weight(protection_angle_deg: float, count: int) -> float:
    """Return the weight that opens an arc of ``360 - protection`` degrees among ``count`` agents.

        lambda_edge = (360 - P) (M - 1) / P

    Args:
        protection_angle_deg: Angle P [deg] that the agents cover, 0 to 360.
        count: Number M of agents on the ring.
    """
    open_deg = 360.0 - protection_angle_deg
    if count < 2 or open_deg <= NO_ARC:
        return 1.0
    den = 360.0 - open_deg
    weight = (open_deg * (count - 1)) / den if den > 1e-9 else 1.0
    return weight if math.isfinite(weight) and weight > 0.0 else 1.0


def arc(thetas: Sequence[float], order: Sequence[int], k: int) -> float:
    """Return the arc [rad] from the k-th agent of a sorted ring to its successor."""
    after = order[k + 1] if k + 1 < len(order) else order[0]
    return wrap_2pi(thetas[after] - thetas[order[k]])


def rivals(
    holder: int, sign: float, ids: Sequence[int], thetas: Sequence[float], order: Sequence[int]
) -> Rivals:
    """Return the start of the best arc, the first one among equals, and the holder's width.

    Args:
        holder: Holder of the token.
        sign: 1 where the widest arc is the best, -1 where the narrowest is.
        ids: The agents.
        thetas: Their angles [rad], same order.
        order: Positions of the agents in the order of their angles.
    """
    best, best_arc, held_arc = NOBODY, -math.inf, -math.inf
    for k in range(len(order)):
        agent, counted = ids[order[k]], sign * arc(thetas, order, k)
        if k == 0 or counted > best_arc:
            best, best_arc = agent, counted
        if agent == holder:
            held_arc = counted
    return Rivals(best, best_arc, held_arc)


def passed_token(
    token: Token,
    now: float,
    protection_deg: float,
    always_fresh: bool,
    ids: Sequence[int],
    thetas: Sequence[float],
    order: Sequence[int],
) -> Token:
    """Return the next holder of the token and the weight of its arc.

    Args:
        token: The token as it is.
        now: Time [s].
        protection_deg: Angle [deg] of the circle to cover.
        always_fresh: Whether a holder who keeps the token gets the weight of the current number
            of agents at once. The original lets it wait while the token may not move.
        ids: Every agent received, in the order of first reception.
        thetas: Their angles [rad, 0 to 2 pi], same order.
        order: Positions of the agents in the order of their angles, those of equal angle as in
            ``ids``.
    """
    if len(ids) < 2 or 360.0 - protection_deg <= NO_ARC:
        return Token(NOBODY, token.switched, 1.0)
    weight = edge_weight(protection_deg, len(ids))
    sign = 1.0 if weight >= 1.0 + 1e-6 else -1.0
    best, best_arc, held_arc = rivals(token.holder, sign, ids, thetas, order)
    if best == token.holder:
        return Token(best, token.switched, weight)
    cooled = now - token.switched >= SWITCH_COOLDOWN
    if held_arc == -math.inf or (cooled and best_arc > held_arc + SWITCH_HYSTERESIS):
        return Token(best, now, weight)
    return Token(token.holder, token.switched, weight if always_fresh else token.weight)


def arc_weight(token: Token, agent: int) -> float:
    """Return the weight of the arc that begins at an agent."""
    return token.weight if agent == token.holder else 1.0
