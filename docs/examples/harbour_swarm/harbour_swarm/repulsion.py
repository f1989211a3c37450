"""Neighbours on the ring repel each other, the more the nearer they are.

    turn = g^2 (1 / g_p - 1 / g_s) / 2        g = (g_p + g_s) / 2

g_p and g_s [rad] are the gaps behind and ahead. Near even gaps this is the way to the middle
between both neighbours; a neighbour that is very near is left faster.
"""

from dataclasses import dataclass

from soliton_encirclement_ros.controllers.turn_rate_laws import beside, proportional_law
from soliton_encirclement_ros.core.laws import LawParameters, nearest, parameter
from soliton_encirclement_ros.core.ring.ring_geometry import Shift

SMALLEST_GAP = 1e-3
"""Gap [rad] below which neighbours repel each other no more strongly."""


@dataclass(frozen=True)
class RepulsionParameters(LawParameters):
    """Gains."""

    k_turn: float = parameter(0.5, 'repulsion along the ring', unit='1/s', above=0.0)
    k_radius: float = parameter(1.0, 'gain towards the ring', unit='1/s', above=0.0)


def turn(ring, rate):
    """Return the angle to turn by [rad] and the rate of that place [rad/s].

    Args:
        ring: The agents present, sorted by angle.
        rate: The agent's own rate along the ring [rad/s].
    """
    near = nearest(ring)
    behind, ahead = beside(ring)
    pred, succ = max(near.gap_pred, SMALLEST_GAP), max(near.gap_succ, SMALLEST_GAP)
    mean = (pred + succ) / 2.0
    angle = mean * mean * (1.0 / pred - 1.0 / succ) / 2.0
    return Shift(angle, (ring.rates[behind] + ring.rates[ahead]) / 2.0 - rate)


LAW = proportional_law(turn, RepulsionParameters)
