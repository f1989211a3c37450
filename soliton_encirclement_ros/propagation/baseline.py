"""No propagation at all: every agent minds its own two arcs."""

from typing import NamedTuple

from soliton_encirclement_ros.core.laws.layer import Layer
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters


class Nothing(NamedTuple):
    """State, broadcast and gains of a layer without any."""


NOTHING = Nothing()


def gains_of(parameters: PropagationParameters) -> Nothing:
    """Return nothing."""
    return NOTHING


def step(
    state: Nothing, e_tau: float, dt: float, pred: Nothing, succ: Nothing, gains: Nothing
) -> tuple[Nothing, float]:
    """Return the same state and no signal."""
    return state, 0.0


def said(state: Nothing) -> Nothing:
    """Return nothing to say."""
    return state


def signal(state: Nothing, gains: Nothing) -> float:
    """Return no signal."""
    return 0.0


def on_neighbour_change(state: Nothing) -> Nothing:
    """Return the same state."""
    return state


BASELINE = Layer(NOTHING, NOTHING, gains_of, step, said, signal, on_neighbour_change)
