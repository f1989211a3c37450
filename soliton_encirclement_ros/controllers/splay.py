"""Splay state of Sepulchre, Paley and Leonard: particles that only steer, spread by heading.

A particle k at speed s with the heading psi_k (theta_k in the paper) is steered by

    psi_k' = omega_0 (1 + kappa <r_k, r_k'>) + sum over m of K_m / (m N) sum_j sin m(psi_k - psi_j)

Source: R. Sepulchre, D. A. Paley and N. E. Leonard, "Stabilization of planar collective motion:
all-to-all communication", IEEE Transactions on Automatic Control 52(5), 811-824, 2007,
doi:10.1109/TAC.2007.898077 (docs/research/references.md says what is
confirmed). The first term leads every particle onto a circle round a fixed point,
the second drives the headings apart until all modes m vanish, which is the splay state: even gaps
on a circle that turns at omega_0.

What was adapted to vehicles that take velocities and to a target that moves:

- The particle flies in the frame of the target, and turns with the ring (``omega_ref``).
- Its speed is s = omega_0 R instead of 1, so that the circle has the desired radius, and kappa is
  divided by R and taken with the unit vector of the heading, so that it has no unit.
- All K_m are ``k_splay``, for m = 1 to the smaller of ``modes`` and N / 2. The numbers
  e^{i psi_k} are the roots of a polynomial whose coefficients mirror each other, so where these
  modes vanish all others up to N - 1 do, too.
- The heading is a state of the agent that it publishes; the vehicle flies s along it with the
  shared lag inversion. The published heading is that of the next tick, when it is received.
- An agent that is switched on, or comes back, begins along the circle.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from soliton_encirclement_ros.controllers import ring_flight
from soliton_encirclement_ros.controllers.encirclement import (
    DesiredSpeeds, wanted_acceleration, within_limit
)
from soliton_encirclement_ros.controllers.ring_flight import (
    REST, TELEMETRY, StateEstimate, Tracking, decision, estimate_state, next_memory, pursuit_gains,
    tracking_of
)
from soliton_encirclement_ros.controllers.velocity_tracking import (
    TrackingGains, TrackingOutcome, command_for
)
from soliton_encirclement_ros.core.laws.law import (
    FIELDS, Decision, Law, RingView, Setup, View, message_value
)
from soliton_encirclement_ros.core.laws.law_making import (
    LawParameters, neighbour_hold, own_values, target_hold
)
from soliton_encirclement_ros.core.laws.telemetry import Quantity
from soliton_encirclement_ros.core.ring.ring_geometry import IN_PLACE, Polar, Shift
from velocity_mobility_ros.core.coordinate_frames import wrap_pi
from velocity_mobility_ros.core.parameter_declaration import parameter

SPLAY_TELEMETRY = {
    **TELEMETRY,
    'u': Quantity('rad/s', 'turn rate of the heading, without that of the ring'),
    'shift': Quantity('rad', 'turn of the heading in the last tick'),
    'w_spacing': Quantity('m/s', 'wanted speed along the ring'),
    'heading': Quantity('rad', 'wanted direction of flight relative to the target, map'),
}


@dataclass(frozen=True)
class SplayParameters(LawParameters):
    """The turn rate omega_0, and the gains kappa and K of the paper."""

    omega_0: float = parameter(
        0.3, 'angular rate of the ring, counter-clockwise', unit='rad/s', above=0.0
    )
    kappa: float = parameter(0.5, 'gain towards the circle', above=0.0)
    k_splay: float = parameter(0.2, 'gain of the heading spread', unit='rad/s', above=0.0)
    modes: int = parameter(
        20, 'largest number of heading modes driven to zero', minimum=1, maximum=1000
    )


class SplayGains(NamedTuple):
    """Gains of the command, tracking, period [s], and the parameters of the law."""

    pursuit: TrackingGains
    tracking: Tracking
    period: float
    omega_0: float
    kappa: float
    k_splay: float
    modes: int


class SplayMemory(NamedTuple):
    """The memory of ``soliton``, and the heading [rad, map], undefined at first."""

    flight: ring_flight.RingFlightMemory
    heading: float
    has_begun: bool


class SplayMessage(NamedTuple):
    """The turn rate of the heading [rad/s], and the heading at the next tick [rad, map]."""

    u: float
    u_ss: float
    heading: float


AT_REST = SplayMemory(REST, 0.0, False)


def step(
    gains: SplayGains, memory: SplayMemory, view: View
) -> tuple[SplayMemory, SplayMessage, Decision]:
    """Advance by one control period."""
    state = estimate_state(memory.flight, view, gains.pursuit, gains.tracking)
    at, omega = state.at, state.omega
    heading = memory.heading if memory.has_begun else along_the_circle(at)
    turn = steering(gains, at, heading) + spreading(gains, view.ring, heading)
    wanted = particle_speeds(gains, state, heading)
    ahead = particle_acceleration(gains, at, wanted, turn + omega)
    command, acceleration = command_for(
        view.agent_id, state.position, state.velocity, state.motion, ahead,
        memory.flight.acceleration, gains.pursuit,
    )  # fmt: skip
    done = TrackingOutcome(command, wanted, omega * wanted.spin_share, turn, acceleration)
    flight = next_memory(view, state, Shift(turn * gains.period, 0.0), done)
    after = wrap_pi(heading + (turn + omega) * gains.period)
    return SplayMemory(flight, after, True), SplayMessage(turn, 0.0, after), decision(view, done)


def along_the_circle(at: Polar) -> float:
    """Return the heading [rad] of an agent that flies along its circle, counter-clockwise."""
    return math.atan2(at.ex, -at.ey)


def steering(gains: SplayGains, at: Polar, heading: float) -> float:
    """Return the turn rate [rad/s] that leads a particle onto its circle.

    omega_0 (1 + kappa <r, (cos psi, sin psi)> / R)
    """
    outwards = at.r * (at.ex * math.cos(heading) + at.ey * math.sin(heading))
    return gains.omega_0 * (1.0 + gains.kappa * outwards / gains.pursuit.radius)


def spreading(gains: SplayGains, ring: RingView, heading: float) -> float:
    """Return the turn rate [rad/s] that drives the headings of all agents apart.

        K / N sum_j sum over m of sin(m d_j) / m,        d_j = psi - psi_j

    with sin((m + 1) d) = 2 cos(d) sin(m d) - sin((m - 1) d).
    """
    total, modes = 0.0, min(gains.modes, ring.count // 2)
    for place in range(ring.count):
        if place == ring.place:
            continue
        apart = heading - message_value(ring, place, FIELDS)
        twice, before, sine = 2.0 * math.cos(apart), 0.0, math.sin(apart)
        for mode in range(1, modes + 1):
            total += sine / mode
            before, sine = sine, twice * sine - before
    return gains.k_splay * total / max(1, ring.count)


def particle_speeds(gains: SplayGains, state: StateEstimate, heading: float) -> DesiredSpeeds:
    """Return the desired speeds of a particle, omega_0 R along its heading, within the limit."""
    at, velocity, pursuit = state.at, state.motion.velocity, gains.pursuit
    cosine, sine = math.cos(heading), math.sin(heading)
    speed = gains.omega_0 * pursuit.radius
    outwards = speed * (cosine * at.ex + sine * at.ey)
    around = speed * (sine * at.ex - cosine * at.ey)
    base = (velocity[0], velocity[1])
    return within_limit(
        at, (outwards, 0.0), (around, 0.0), state.omega, base, pursuit.encirclement
    )


def particle_acceleration(
    gains: SplayGains, at: Polar, wanted: DesiredSpeeds, turn: float
) -> tuple[float, float]:
    """Return the acceleration relative to the target [m/s^2, map] that flies the desired speeds.

    To that of all laws here comes what the speeds change as the heading turns at ``turn`` [rad/s]
    and the agent goes around the target: at the difference of the two rates they turn into one
    another.
    """
    ax, ay = wanted_acceleration(
        at, wanted, IN_PLACE, gains.pursuit.radius, gains.pursuit.encirclement
    )
    swing = turn - at.rate
    outwards, around = -wanted.spacing * swing, wanted.radial * swing
    return ax + outwards * at.ex - around * at.ey, ay + outwards * at.ey + around * at.ex


def reset(memory: SplayMemory) -> SplayMemory:
    """Reset the memory after a failure."""
    return AT_REST


def values(memory: SplayMemory) -> tuple[float, ...]:
    """Return the values that ``soliton`` records, and the heading."""
    flight = memory.flight
    w = flight.wanted
    return (
        flight.rate, flight.shift, w.radial, w.spacing, w.spin,
        w.radial_share, w.spacing_share, w.spin_share, flight.target_age, flight.loss,
        memory.heading,
    )  # fmt: skip


def gains_of(setup: Setup) -> SplayGains:
    """Return the gains of the law."""
    own = own_values(SplayParameters, setup.control)
    return SplayGains(
        pursuit_gains(setup),
        tracking_of(setup),
        setup.swarm.control_period,
        own['omega_0'],
        own['kappa'],
        own['k_splay'],
        own['modes'],
    )


SPLAY = Law(
    AT_REST, SplayMessage(0.0, 0.0, 0.0), gains_of, step, reset, values, SPLAY_TELEMETRY,
    dead_reckoning=True, target_hold=target_hold, neighbour_hold=neighbour_hold,
    parameters=SplayParameters,
)  # fmt: skip
