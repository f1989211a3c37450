"""Published laws that give a turn rate along the ring and a speed towards it, for comparison.

    r' = k_radius (R - r)            theta' = k_turn turn(ring)

Each law is its ``turn`` alone. The rest is that of ``soliton`` (``ring_flight``), so that all have
the same feed-forward, lag inversion and limits; large errors are closed in proportion as well, as
published, not by the square root that assumes braking. docs/research/peers.md compares them.

Encirclement of Franchi, Stegagno and Oriolo: to the middle between both neighbours.

    rho' = k_rho (R - rho)        phi' = omega + k_phi ((phi_+ + phi_-) / 2 - phi)

Source: A. Franchi, P. Stegagno and G. Oriolo, "Decentralized multi-robot encirclement of a 3D
target with guaranteed collision avoidance", Autonomous Robots 40(2), 245-265, 2016,
doi:10.1007/s10514-015-9450-3, arXiv:1307.7170
(docs/research/references.md says what is confirmed).

It is the first of the three versions of the paper: omega [rad/s] is the desired rotation of the
ring that the target publishes (``omega_ref``). The paper's third equation, for the height, is the
altitude hold that all laws here share, its distributed estimators are not needed because all
agents receive the target, its extension for a safe distance between robots is left out: no law
here avoids collisions. Weights of arcs are not used.

Cyclic pursuit: every agent turns towards the one ahead of it.

    theta_i' = k ((theta_{i+1} - theta_i) mod 2 pi)        r_i' = k_r (R - r_i)

Source: T.-H. Kim and T. Sugie, "Cooperative control for target-capturing task based on a cyclic
pursuit strategy", Automatica 43(8), 1426-1431, 2007, doi:10.1016/j.automatica.2007.01.018
(docs/research/references.md says what is confirmed).

The gaps obey g_i' = k (g_{i+1} - g_i): they become even, and the ring then never stands still but
turns at 2 pi k / N [rad/s]. The pursued agent is the next one of those present, whatever its
number; the paper's is fixed. The third equation of the paper, for the elevation angle, is the
altitude hold that all laws here share. Weights of arcs are not used. An agent alone pursues no
other agent and does not turn.

Circle formation of Wang, Xie and Cao: gaps in a requested proportion.

    theta_i' = k (d_{i-1} g_s - d_i g_p) / (d_i + d_{i-1})

Source: C. Wang, G. Xie and M. Cao, "Forming circle formations of anonymous mobile agents with
order preservation", IEEE Transactions on Automatic Control 58(12), 3248-3254, 2013
(docs/research/references.md says what is confirmed).

g_s and g_p [rad] are the gaps to the agents ahead and behind, d_i and d_{i-1} the desired ones, of
which only the proportion counts: the weights of the arcs that the target sends. It is the turn of
``soliton`` with one neighbour on either side. The agents of the paper live on the circle; the way
onto it is not the paper's but r' = k_radius (R - r), as of the other peers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from soliton_encirclement_ros.controllers.encirclement import proportional_speeds
from soliton_encirclement_ros.controllers.ring_flight import (
    REST, TELEMETRY, RingFlightMemory, Tracking, decision, estimate_state, message_of, next_memory,
    pursuit_gains, reset, shift_from_pose, tracking_of, values
)
from soliton_encirclement_ros.controllers.velocity_tracking import TrackingGains, flown
from soliton_encirclement_ros.core.laws.law import Decision, Law, RingView, Setup, View
from soliton_encirclement_ros.core.laws.law_making import (
    NO_MESSAGE, LawParameters, SpacingMessage, neighbour_hold, own_values, target_hold
)
from soliton_encirclement_ros.core.ring.ring_geometry import (
    IN_PLACE, Shift, gap_ahead, gap_behind, spacing_correction
)
from velocity_mobility_ros.core.parameter_declaration import parameter


class PeerGains(NamedTuple):
    """Gains of the command, and how the target is followed."""

    pursuit: TrackingGains
    tracking: Tracking


def proportional_law(
    turn: Callable[[RingView, float], Shift], parameters: type[LawParameters]
) -> Law:
    """Return the law of a turn along the ring.

    Args:
        turn: ``(ring, rate)`` to the turn [rad] that ``k_turn`` multiplies, counter-clockwise
            positive, as measured from the agent's own last message, and its rate [rad/s]. ``rate``
            [rad/s] is the agent's own angular rate. There are at least two agents on the ring.
        parameters: The law's own parameters; among them ``k_turn`` and ``k_radius`` [1/s].
    """

    def step(
        gains: PeerGains, memory: RingFlightMemory, view: View
    ) -> tuple[RingFlightMemory, SpacingMessage, Decision]:
        """Advance by one control period."""
        pursuit = gains.pursuit
        state = estimate_state(memory, view, pursuit, gains.tracking)
        at, motion = state.at, state.motion
        shift = IN_PLACE
        if view.ring.count > 1:
            shift = shift_from_pose(turn(view.ring, at.rate), view.ring, at)
        base = (motion.velocity[0], motion.velocity[1])
        wanted = proportional_speeds(
            at, shift, state.omega, base, pursuit.radius, pursuit.encirclement
        )
        done = flown(
            view.agent_id, state.position, state.velocity, motion, at, shift, state.omega,
            wanted, memory.acceleration, pursuit,
        )  # fmt: skip
        return next_memory(view, state, shift, done), message_of(done), decision(view, done)

    def gains_of(setup: Setup) -> PeerGains:
        """Return the gains: those of ``soliton`` with the law's own for ring and turn."""
        own, pursuit = own_values(parameters, setup.control), pursuit_gains(setup)
        law = pursuit.encirclement._replace(k_r=own['k_radius'], k_s=own['k_turn'])
        return PeerGains(pursuit._replace(encirclement=law), tracking_of(setup))

    return Law(
        REST, NO_MESSAGE, gains_of, step, reset, values, TELEMETRY,
        dead_reckoning=True, target_hold=target_hold, neighbour_hold=neighbour_hold,
        parameters=parameters,
    )  # fmt: skip


def beside(ring: RingView) -> tuple[int, int]:
    """Return the places of the agents clockwise and counter-clockwise of the agent itself."""
    return (ring.place - 1) % ring.count, (ring.place + 1) % ring.count


@dataclass(frozen=True)
class FranchiParameters(LawParameters):
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


FRANCHI = proportional_law(to_the_middle, FranchiParameters)


@dataclass(frozen=True)
class KimSugieParameters(LawParameters):
    """The gains k and k_r of the paper."""

    k_turn: float = parameter(0.2, 'gain towards the agent ahead', unit='1/s', above=0.0)
    k_radius: float = parameter(1.0, 'gain towards the ring', unit='1/s', above=0.0)


def gap_to_next(ring: RingView, rate: float) -> Shift:
    """Return the gap [rad] to the agent ahead and its rate [rad/s]."""
    _, ahead = beside(ring)
    return Shift(gap_ahead(ring.thetas[: ring.count], ring.place, 1), ring.rates[ahead] - rate)


KIM_SUGIE = proportional_law(gap_to_next, KimSugieParameters)


@dataclass(frozen=True)
class WangXieCaoParameters(LawParameters):
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


WANG_XIE_CAO = proportional_law(to_the_share, WangXieCaoParameters)
