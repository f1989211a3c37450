"""Diffusion: every agent tells its neighbours a smoothed spacing error."""

from dataclasses import dataclass
from typing import NamedTuple

from soliton_encirclement_ros.core.laws import LawParameters, make_layer, parameter


@dataclass(frozen=True)
class Parameters(LawParameters):
    k_diffusion: float = parameter(2.0, 'exchange with the neighbours', unit='1/s', minimum=0.0)
    k_decay: float = parameter(1.0, 'decay', unit='1/s', above=0.0)


class State(NamedTuple):
    q: float


def step(state, e_tau, dt, pred, succ, gains):
    exchange = gains.k_diffusion * (pred.q + succ.q - 2.0 * state.q)
    q = state.q + dt * (exchange - gains.k_decay * state.q + e_tau)
    return State(q), (pred.q + succ.q) / 2.0


def message(state):
    return state


LAYER = make_layer(step, State(0.0), State(0.0), message, Parameters)
