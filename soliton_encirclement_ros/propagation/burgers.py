"""Burgers layer: two viscous fields, one in each direction; larger values travel faster.

With inj = S tanh(kappa e_tau), lap(q) = q_succ - 2 q + q_pred, sat(q) = q_max tanh(q / q_max):

    q_fwd' = -gamma q_fwd - alpha_nl sat(q_fwd) (q_fwd - q_fwd_pred) + nu lap(q_fwd) + inj
    q_bwd' = -gamma q_bwd + alpha_nl sat(q_bwd) (q_bwd_succ - q_bwd) + nu lap(q_bwd) + inj

Both are clipped to +-q_clamp. The differences are upwind only for q > 0; for q < 0 the viscosity
nu has to stabilise the field. The neighbours' signal is the sum of q_fwd of the predecessor and
q_bwd of the successor.
Source: the soliton encirclement experiment for GrADyS-SIM NG (third version).
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.laws.layer import Layer
from soliton_encirclement_ros.core.parameters.control_parameters import PropagationParameters
from velocity_mobility_ros.core.velocity_model import finite_or_zero, limit_abs


class BurgersFields(NamedTuple):
    """The field that runs to the successor and the one that runs to the predecessor."""

    q_fwd: float
    q_bwd: float


class BurgersGains(NamedTuple):
    """Transport, viscosity and decay [1/s], saturation, bound, and injection [1/s]."""

    alpha_nl: float
    nu: float
    gamma: float
    q_max: float
    q_clamp: float
    s: float
    kappa: float


REST = BurgersFields(0.0, 0.0)


def gains_of(parameters: PropagationParameters) -> BurgersGains:
    """Return this layer's gains."""
    return BurgersGains(
        parameters.burgers_alpha_nl,
        parameters.burgers_nu,
        parameters.burgers_gamma,
        parameters.burgers_q_max,
        parameters.burgers_q_clamp,
        parameters.burgers_s,
        parameters.burgers_kappa,
    )


def step(
    state: BurgersFields,
    e_tau: float,
    dt: float,
    pred: BurgersFields,
    succ: BurgersFields,
    gains: BurgersGains,
) -> tuple[BurgersFields, float]:
    """Advance both fields by dt [s]; return them and the neighbours' signal."""
    injection = gains.s * math.tanh(gains.kappa * e_tau)
    fwd = -speed(state.q_fwd, gains) * (state.q_fwd - pred.q_fwd)
    bwd = speed(state.q_bwd, gains) * (succ.q_bwd - state.q_bwd)
    after = BurgersFields(
        moved(state.q_fwd, fwd, pred.q_fwd, succ.q_fwd, injection, dt, gains),
        moved(state.q_bwd, bwd, pred.q_bwd, succ.q_bwd, injection, dt, gains),
    )
    return after, pred.q_fwd + succ.q_bwd


def speed(q: float, gains: BurgersGains) -> float:
    """Return the transport speed [1/s] of a value, saturated for q_max above 0."""
    if gains.q_max <= 0.0:
        return gains.alpha_nl * q
    return gains.alpha_nl * (gains.q_max * math.tanh(q / gains.q_max))


def moved(
    q: float,
    transport: float,
    pred: float,
    succ: float,
    injection: float,
    dt: float,
    gains: BurgersGains,
) -> float:
    """Return one field after dt [s] of transport, decay, viscosity and injection."""
    laplacian = (succ - 2.0 * q) + pred
    rate = ((-gains.gamma * q + transport) + gains.nu * laplacian) + injection
    return limit_abs(finite_or_zero(q + dt * rate), gains.q_clamp)


def message(state: BurgersFields) -> BurgersFields:
    """Return both fields."""
    return state


def signal(state: BurgersFields, gains: BurgersGains) -> float:
    """Return the sum of both fields."""
    return state.q_fwd + state.q_bwd


def on_neighbour_change(state: BurgersFields) -> BurgersFields:
    """Reset to rest."""
    return REST


BURGERS = Layer(REST, REST, gains_of, step, message, signal, on_neighbour_change)
