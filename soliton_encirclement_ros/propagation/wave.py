"""Wave layer: a chain of masses and springs; errors travel as damped waves.

With lap(q) = q_succ - 2 q + q_pred, semi-implicit in q:

    p' = c_sq lap(q) - gamma p - alpha_q q + S tanh(kappa e_tau)
    q' = p

The neighbours' signal is K_q times the mean of their q.
Source: the soliton encirclement experiment for GrADyS-SIM NG (third version).
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.laws.layer import Layer
from soliton_encirclement_ros.core.parameters.control_parameters import PropagationParameters
from velocity_mobility_ros.core.velocity_model import finite_or_zero


class WaveState(NamedTuple):
    """Displacement and its rate [1/s]."""

    q: float
    p: float


class WaveMessage(NamedTuple):
    """The displacement."""

    q: float


class WaveGains(NamedTuple):
    """Stiffnesses [1/s^2], damping [1/s], injection [1/s^2], and the weights of the signal."""

    c_sq: float
    gamma: float
    alpha_q: float
    s: float
    kappa: float
    k_q: float
    k_p: float


REST = WaveState(0.0, 0.0)
NO_MESSAGE = WaveMessage(0.0)


def gains_of(parameters: PropagationParameters) -> WaveGains:
    """Return this layer's gains."""
    return WaveGains(
        parameters.wave_c_sq,
        parameters.wave_gamma,
        parameters.wave_alpha_q,
        parameters.wave_s,
        parameters.wave_kappa,
        parameters.wave_k_q,
        parameters.wave_k_p,
    )


def step(
    state: WaveState,
    e_tau: float,
    dt: float,
    pred: WaveMessage,
    succ: WaveMessage,
    gains: WaveGains,
) -> tuple[WaveState, float]:
    """Advance rate and displacement by dt [s]; return them and the neighbours' signal."""
    laplacian = (succ.q - 2.0 * state.q) + pred.q
    damped = gains.c_sq * laplacian - gains.gamma * state.p
    injection = gains.s * math.tanh(gains.kappa * e_tau)
    p = finite_or_zero(state.p + dt * ((damped - gains.alpha_q * state.q) + injection))
    q = finite_or_zero(state.q + dt * p)
    return WaveState(q, p), (gains.k_q * (pred.q + succ.q)) / 2.0


def message(state: WaveState) -> WaveMessage:
    """Return the displacement."""
    return WaveMessage(state.q)


def signal(state: WaveState, gains: WaveGains) -> float:
    """Return the weighted sum of displacement and rate."""
    return gains.k_q * state.q + gains.k_p * state.p


def on_neighbour_change(state: WaveState) -> WaveState:
    """Reset to rest."""
    return REST


WAVE = Layer(REST, NO_MESSAGE, gains_of, step, message, signal, on_neighbour_change)
