"""Circle formation of Wang, Xie and Cao: gaps in a requested proportion.

    theta_i' = k (d_{i-1} g_s - d_i g_p) / (d_i + d_{i-1})

Source: C. Wang, G. Xie and M. Cao, "Forming circle formations of anonymous mobile agents with
order preservation", IEEE Transactions on Automatic Control 58(12), 3248-3254, 2013
(docs/references.md says what is confirmed).

g_s and g_p [rad] are the gaps to the agents ahead and behind, d_i and d_{i-1} the desired ones, of
which only the proportion counts: the weights of the arcs that the target sends. It is the turn of
``soliton`` with one neighbour on either side. The agents of the paper live on the circle; the way
onto it is not the paper's but r' = k_radius (R - r), as of the other peers.
"""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameters import parameter

from soliton_encirclement_ros.controllers.peers.proportional import proportional_law
from soliton_encirclement_ros.core.laws.law import RingView
from soliton_encirclement_ros.core.laws.law_making import LawParameters
from soliton_encirclement_ros.core.ring.spacing_correction import Shift, spacing_correction


@dataclass(frozen=True)
class Parameters(LawParameters):
    """The gain k of the paper, and that of the way onto the circle."""

    k_turn: float = parameter(
        3.0, 'gain towards the position on the circle', unit='1/s', above=0.0
    )
    k_radius: float = parameter(1.0, 'gain towards the circle', unit='1/s', above=0.0)


def to_the_share(ring: RingView, rate: float) -> Shift:
    """Return the turn [rad] after which both gaps have their shares, and its rate [rad/s]."""
    count = ring.count
    return spacing_correction(
        ring.thetas[:count], ring.rates[:count], ring.weights[:count], ring.place, rate, 1
    )


WANG_XIE_CAO = proportional_law(to_the_share, Parameters)
