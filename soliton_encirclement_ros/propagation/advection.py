"""Advection layer: two decaying fields are transported along the ring, one in each direction.

With inj = S tanh(kappa e_tau) and lap(q) = q_succ - 2 q + q_pred:

    q_fwd' = -alpha q_fwd + c (q_fwd_pred - q_fwd) + D lap(q_fwd) + inj
    q_bwd' = -alpha q_bwd + c (q_bwd_succ - q_bwd) + D lap(q_bwd) + inj

The neighbours' signal is the sum of q_fwd of the predecessor and q_bwd of the successor.
Source: the soliton encirclement experiment for GrADyS-SIM NG (third version).
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.laws.layer import Layer
from soliton_encirclement_ros.core.parameters.control_parameters import PropagationParameters
from velocity_mobility_ros.core.velocity_model import finite_or_zero


class AdvectionFields(NamedTuple):
    """The field that runs to the successor and the one that runs to the predecessor."""

    q_fwd: float
    q_bwd: float


class AdvectionGains(NamedTuple):
    """Decay, speed and diffusion [1/s], amplitude [1/s] and steepness of the injection."""

    alpha: float
    c: float
    d: float
    s: float
    kappa: float


REST = AdvectionFields(0.0, 0.0)


def gains_of(parameters: PropagationParameters) -> AdvectionGains:
    """Return this layer's gains."""
    return AdvectionGains(
        parameters.advection_alpha,
        parameters.advection_c,
        parameters.advection_d,
        parameters.advection_s,
        parameters.advection_kappa,
    )


def step(
    state: AdvectionFields,
    e_tau: float,
    dt: float,
    pred: AdvectionFields,
    succ: AdvectionFields,
    gains: AdvectionGains,
) -> tuple[AdvectionFields, float]:
    """Advance both fields by dt [s]; return them and the neighbours' signal."""
    injection = gains.s * math.tanh(gains.kappa * e_tau)
    fwd = carried(state.q_fwd, pred.q_fwd, pred.q_fwd, succ.q_fwd, injection, dt, gains)
    bwd = carried(state.q_bwd, succ.q_bwd, pred.q_bwd, succ.q_bwd, injection, dt, gains)
    return AdvectionFields(fwd, bwd), pred.q_fwd + succ.q_bwd


def carried(
    q: float,
    upstream: float,
    pred: float,
    succ: float,
    injection: float,
    dt: float,
    gains: AdvectionGains,
) -> float:
    """Return one field after dt [s]; ``upstream`` is the value of the upstream neighbour."""
    laplacian = (succ - 2.0 * q) + pred
    transport = -gains.alpha * q + gains.c * (upstream - q)
    return finite_or_zero(q + dt * ((transport + gains.d * laplacian) + injection))


def message(state: AdvectionFields) -> AdvectionFields:
    """Return both fields."""
    return state


def signal(state: AdvectionFields, gains: AdvectionGains) -> float:
    """Return the sum of both fields."""
    return state.q_fwd + state.q_bwd


def on_neighbour_change(state: AdvectionFields) -> AdvectionFields:
    """Reset to rest."""
    return REST


ADVECTION = Layer(REST, REST, gains_of, step, message, signal, on_neighbour_change)
