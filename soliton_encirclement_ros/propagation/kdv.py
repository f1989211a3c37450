"""KdV layer: a discrete Korteweg-de Vries field, with steepening and dispersion.

With lap(q) = q_succ - 2 q + q_pred and the curvatures Lq received from the neighbours:

    G  = (q_succ - q_pred) / 2,  B = (Lq_succ - Lq_pred) / 2
    q' = -alpha_nl q G - beta_disp B - gamma q + S tanh(e_tau),  |q| <= q_max

The neighbours' signal is the mean of their q. The shortest wave is not damped where q is large,
so a constant error moves the neighbours in the wrong direction, as in the original.
Source: the soliton encirclement experiment for GrADyS-SIM NG (third version).
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.laws.layer import Layer
from soliton_encirclement_ros.core.parameters.control_parameters import PropagationParameters
from velocity_mobility_ros.core.velocity_model import finite_or_zero, limit_abs


class KdvState(NamedTuple):
    """Displacement, and the curvature it had before the last step."""

    q: float
    lq: float


class KdvGains(NamedTuple):
    """Steepening, dispersion, decay and injection [1/s], and the bound of q."""

    alpha_nl: float
    beta_disp: float
    gamma: float
    s: float
    q_max: float


REST = KdvState(0.0, 0.0)


def gains_of(parameters: PropagationParameters) -> KdvGains:
    """Return this layer's gains."""
    return KdvGains(
        parameters.kdv_alpha_nl,
        parameters.kdv_beta_disp,
        parameters.kdv_gamma,
        parameters.kdv_s,
        parameters.kdv_q_max,
    )


def step(
    state: KdvState, e_tau: float, dt: float, pred: KdvState, succ: KdvState, gains: KdvGains
) -> tuple[KdvState, float]:
    """Advance the field by dt [s]; return it and the neighbours' signal."""
    q = state.q
    laplacian = (succ.q - 2.0 * q) + pred.q
    steepening = (-gains.alpha_nl * q) * ((succ.q - pred.q) / 2.0)
    dispersion = gains.beta_disp * ((succ.lq - pred.lq) / 2.0)
    rate = ((steepening - dispersion) - gains.gamma * q) + gains.s * math.tanh(e_tau)
    after = limit_abs(finite_or_zero(q + dt * rate), gains.q_max)
    return KdvState(after, finite_or_zero(laplacian)), (pred.q + succ.q) / 2.0


def message(state: KdvState) -> KdvState:
    """Return displacement and curvature."""
    return state


def signal(state: KdvState, gains: KdvGains) -> float:
    """Return the displacement."""
    return state.q


def on_neighbour_change(state: KdvState) -> KdvState:
    """Reset to rest."""
    return REST


KDV = Layer(REST, REST, gains_of, step, message, signal, on_neighbour_change)
