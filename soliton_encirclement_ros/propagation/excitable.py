"""Excitable layer (FitzHugh-Nagumo): an error above a threshold starts a travelling pulse.

In absolute values V = v + V0, W = w + W0 around the resting point, four substeps per tick:

    V' = ((V - V^3 / 3) - W) / epsilon + D_v lap(v) + I,  lap(v) = v_succ - 2 v + v_pred
    W' = epsilon (V + a - b W)
    I  = S sign(e_tau) (|e_tau| - theta) above the threshold, else 0

Both are clipped to [-3, 3]. lap(v) is taken once per tick, as in the original, so the step is
stable only for about 4 D_v dt < 2. The neighbours' signal is tanh of kappa_out times their mean v.
Source: the soliton encirclement experiment for GrADyS-SIM NG (third version).
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.laws.layer import Layer
from soliton_encirclement_ros.core.parameters.control_parameters import PropagationParameters
from soliton_encirclement_ros.core.stability.propagation_stability import resting_point
from velocity_mobility_ros.core.velocity_model import finite_or_zero, limit_abs

SUBSTEPS = 4
LARGEST = 3.0
"""Bound of V and W."""


class ExcitableState(NamedTuple):
    """Potential and recovery, as deviations from the resting point."""

    v: float
    w: float


class ExcitableMessage(NamedTuple):
    """The potential."""

    v: float


class ExcitableGains(NamedTuple):
    """Cell constants, diffusion and injection [1/s], signal, and the resting point V0, W0."""

    epsilon: float
    a: float
    b: float
    dv: float
    theta: float
    s: float
    kappa_out: float
    v_rest: float
    w_rest: float


REST = ExcitableState(0.0, 0.0)
NO_MESSAGE = ExcitableMessage(0.0)


def gains_of(parameters: PropagationParameters) -> ExcitableGains:
    """Return this layer's gains and its resting point."""
    return ExcitableGains(
        parameters.excitable_epsilon,
        parameters.excitable_a,
        parameters.excitable_b,
        parameters.excitable_dv,
        parameters.excitable_theta,
        parameters.excitable_s,
        parameters.excitable_kappa_out,
        *resting_point(parameters.excitable_a, parameters.excitable_b),
    )


def step(
    state: ExcitableState,
    e_tau: float,
    dt: float,
    pred: ExcitableMessage,
    succ: ExcitableMessage,
    gains: ExcitableGains,
) -> tuple[ExcitableState, float]:
    """Advance the cell by dt [s]; return it and the neighbours' signal."""
    spread = gains.dv * ((succ.v - 2.0 * state.v) + pred.v)
    current = injection(e_tau, gains)
    h = dt / SUBSTEPS
    v = state.v + gains.v_rest
    w = state.w + gains.w_rest
    for _ in range(SUBSTEPS):
        fast = (1.0 / gains.epsilon) * ((v - math.pow(v, 3.0) / 3.0) - w)
        slow = gains.epsilon * ((v + gains.a) - gains.b * w)
        v = limit_abs(finite_or_zero(v + h * ((fast + spread) + current)), LARGEST)
        w = limit_abs(finite_or_zero(w + h * slow), LARGEST)
    received = math.tanh((gains.kappa_out * (pred.v + succ.v)) / 2.0)
    return ExcitableState(v - gains.v_rest, w - gains.w_rest), received


def injection(e_tau: float, gains: ExcitableGains) -> float:
    """Return the current caused by an error, 0 up to the threshold."""
    excess = abs(e_tau) - gains.theta
    if excess <= 0.0:
        return 0.0
    return (gains.s * math.copysign(1.0, e_tau)) * excess


def message(state: ExcitableState) -> ExcitableMessage:
    """Return the potential."""
    return ExcitableMessage(state.v)


def signal(state: ExcitableState, gains: ExcitableGains) -> float:
    """Return the agent's own potential, saturated."""
    return math.tanh(gains.kappa_out * state.v)


def on_neighbour_change(state: ExcitableState) -> ExcitableState:
    """Reset to rest."""
    return REST


EXCITABLE = Layer(REST, NO_MESSAGE, gains_of, step, message, signal, on_neighbour_change)
