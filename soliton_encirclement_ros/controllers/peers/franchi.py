"""Encirclement of Franchi, Stegagno and Oriolo: to the middle between both neighbours.

    rho' = k_rho (R - rho)        phi' = omega + k_phi ((phi_+ + phi_-) / 2 - phi)

Source: A. Franchi, P. Stegagno and G. Oriolo, "Decentralized multi-robot encirclement of a 3D
target with guaranteed collision avoidance", Autonomous Robots 40(2), 245-265, 2016,
doi:10.1007/s10514-015-9450-3, arXiv:1307.7170
(docs/references.md says what is confirmed).

It is the first of the three versions of the paper: omega [rad/s] is the desired rotation of the
ring that the target publishes (``omega_ref``). The paper's third equation, for the height, is the
altitude hold that all laws here share, its distributed estimators are not needed because all
agents receive the target, its extension for a safe distance between robots is left out: no law
here avoids collisions. Weights of arcs are not used.
"""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameters import parameter

from soliton_encirclement_ros.controllers.peers.proportional import beside, proportional_law
from soliton_encirclement_ros.core.laws.law import RingView
from soliton_encirclement_ros.core.laws.law_making import LawParameters
from soliton_encirclement_ros.core.ring.spacing_correction import Shift, gap_ahead, gap_behind


@dataclass(frozen=True)
class Parameters(LawParameters):
    """The gains k_phi and k_rho of the paper."""

    k_turn: float = parameter(
        3.0, 'gain k_phi towards the middle between the neighbours', unit='1/s', above=0.0
    )
    k_radius: float = parameter(1.0, 'gain k_rho towards the ring', unit='1/s', above=0.0)


def to_the_middle(ring: RingView, rate: float) -> Shift:
    """Return the turn [rad] to the middle between the neighbours and its rate [rad/s]."""
    thetas = ring.thetas[: ring.count]
    behind, ahead = beside(ring)
    gap_p, gap_s = gap_behind(thetas, ring.place, 1), gap_ahead(thetas, ring.place, 1)
    middle_rate = 0.5 * (ring.rates[ahead] + ring.rates[behind])
    return Shift(0.5 * (gap_s - gap_p), middle_rate - rate)


FRANCHI = proportional_law(to_the_middle, Parameters)
