"""Baseline layer: no propagation; every agent uses only its own two gaps."""

from typing import NamedTuple

from soliton_encirclement_ros.core.laws.layer import Layer
from soliton_encirclement_ros.core.parameters.control_parameters import PropagationParameters


class Nothing(NamedTuple):
    """Empty record: state, message and gains of this layer."""


NOTHING = Nothing()


def gains_of(parameters: PropagationParameters) -> Nothing:
    """Return no gains."""
    return NOTHING


def step(
    state: Nothing, e_tau: float, dt: float, pred: Nothing, succ: Nothing, gains: Nothing
) -> tuple[Nothing, float]:
    """Return the same state and no signal."""
    return state, 0.0


def message(state: Nothing) -> Nothing:
    """Return an empty message."""
    return state


def signal(state: Nothing, gains: Nothing) -> float:
    """Return no signal."""
    return 0.0


def on_neighbour_change(state: Nothing) -> Nothing:
    """Return the same state."""
    return state


BASELINE = Layer(NOTHING, NOTHING, gains_of, step, message, signal, on_neighbour_change)
