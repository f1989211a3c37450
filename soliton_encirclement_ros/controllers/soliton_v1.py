"""Law ``soliton_v1``: radial PD, soliton state along the ring, feed-forward and swarm spin.

Source: the soliton encirclement experiment for GrADyS-SIM NG, first version, behaviour unchanged:
the angular rate damping compares the agent's own command in the world frame with its neighbours'
rates relative to the target, and nothing is reset after a failure.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.controllers.original_laws import (
    NO_PLACE, OriginalGains, RingPosition, curvature_sent, neighbour_value, never, no_hold,
    original_gains, radial_pd, spacing_errors, update_place, wanted_velocity
)
from soliton_encirclement_ros.controllers.tangential_channels import (
    AT_REST, ChannelGains, SolitonState, soliton_step
)
from soliton_encirclement_ros.core.laws.law import U_SS, Decision, Law, Setup, U, View, offset
from soliton_encirclement_ros.core.laws.telemetry import Quantity
from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters

TELEMETRY = {
    'u': Quantity('', 'tangential state'),
    'u_kdv': Quantity('', 'its part from the neighbours: transport, diffusion, dispersion'),
    'u_nom': Quantity('', 'its part from decay'),
    'u_err': Quantity('', 'its part from the spacing error'),
    'delta_u': Quantity('', 'change of u in the last tick'),
    'delta_u_kdv': Quantity('', 'change of u_kdv in the last tick'),
    'delta_u_nom': Quantity('', 'change of u_nom in the last tick'),
    'delta_u_err': Quantity('', 'change of u_err in the last tick'),
}


class SolitonV1Gains(NamedTuple):
    """The gains of the tangential state, and those that both original laws share."""

    state: ChannelGains
    ring: OriginalGains


class SolitonV1Memory(NamedTuple):
    """The place on the ring and the tangential state."""

    place: RingPosition
    state: SolitonState


class Message(NamedTuple):
    """The tangential state u and its curvature."""

    u: float
    u_ss: float


def step(gains: SolitonV1Gains, memory: SolitonV1Memory, view: View) -> tuple[SolitonV1Memory, Message, Decision]:
    """Advance by one control period."""
    common, ring = gains.ring, view.ring
    place, pred, succ = update_place(memory.place, view, common.hysteresis)
    errors = spacing_errors(place, view, pred, succ, common.k_omega_damp, common.r_min)
    state = soliton_step(
        memory.state,
        neighbour_value(ring, pred, U),
        neighbour_value(ring, succ, U),
        neighbour_value(ring, pred, U_SS),
        neighbour_value(ring, succ, U_SS),
        errors.e_tau_eff,
        common.period,
        gains.state,
    )
    dx, dy = offset(view)
    dvx = view.velocity[0] - view.target.velocity[0]
    dvy = view.velocity[1] - view.target.velocity[1]
    radial = radial_pd(dx, dy, dvx, dvy, common.radius, common.k_r, common.k_dr)
    wanted = wanted_velocity(view, radial, state.u, common)
    return (
        SolitonV1Memory(place, state),
        Message(state.u, curvature_sent(ring, pred, succ, state.u)),
        Decision(wanted, place.near.pred, place.near.succ, errors.e_tau),
    )


def reset(memory: SolitonV1Memory) -> SolitonV1Memory:
    """Keep everything after a failure, as the original does."""
    return memory


def values(memory: SolitonV1Memory) -> tuple[float, ...]:
    """Return u, its components and their last increments."""
    return memory.state


def gains_of(setup: Setup) -> SolitonV1Gains:
    """Return the gains of the law."""
    return SolitonV1Gains(seed_gains(setup.control), original_gains(setup))


def seed_gains(control: ControlParameters) -> ChannelGains:
    """Return the gains of the tangential state."""
    return ChannelGains(
        control.c_coupling,
        control.kappa_u_diff,
        control.k_u_steepen,
        control.kappa_u_disp,
        control.beta_u,
        control.alpha_u,
        control.k_e_tau,
        control.u_lim if control.use_soft_limiter_u else math.nan,
    )


SOLITON_V1 = Law(
    SolitonV1Memory(NO_PLACE, AT_REST), Message(0.0, 0.0), gains_of, step, reset, values, TELEMETRY,
    dead_reckoning=False, target_hold=never, neighbour_hold=no_hold,
)  # fmt: skip
