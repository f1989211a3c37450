"""Cyclic pursuit: every agent turns towards the one ahead of it.

    theta_i' = k ((theta_{i+1} - theta_i) mod 2 pi)        r_i' = k_r (R - r_i)

Source: T.-H. Kim and T. Sugie, "Cooperative control for target-capturing task based on a cyclic
pursuit strategy", Automatica 43(8), 1426-1431, 2007, doi:10.1016/j.automatica.2007.01.018
(docs/references.md says what is confirmed).

The gaps obey g_i' = k (g_{i+1} - g_i): they become even, and the ring then never stands still but
turns at 2 pi k / N [rad/s]. The pursued agent is the next one of those present, whatever its
number; the paper's is fixed. The third equation of the paper, for the elevation angle, is the
altitude hold that all laws here share. Weights of arcs are not used. An agent alone pursues no
other agent and does not turn.
"""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameters import parameter

from soliton_encirclement_ros.controllers.peers.proportional import beside, proportional_law
from soliton_encirclement_ros.core.laws.law import RingView
from soliton_encirclement_ros.core.laws.law_making import LawParameters
from soliton_encirclement_ros.core.ring.spacing_correction import Shift, gap_ahead


@dataclass(frozen=True)
class Parameters(LawParameters):
    """The gains k and k_r of the paper."""

    k_turn: float = parameter(0.2, 'gain towards the agent ahead', unit='1/s', above=0.0)
    k_radius: float = parameter(1.0, 'gain towards the ring', unit='1/s', above=0.0)


def gap_to_next(ring: RingView, rate: float) -> Shift:
    """Return the gap [rad] to the agent ahead and its rate [rad/s]."""
    _, ahead = beside(ring)
    return Shift(gap_ahead(ring.thetas[: ring.count], ring.place, 1), ring.rates[ahead] - rate)


KIM_SUGIE = proportional_law(gap_to_next, Parameters)
