"""The contract of a propagation layer: what an agent passes on along the ring.

A layer is plain functions over records of floats. Every agent holds a state; it sends its
neighbours a part of it, and reads theirs as they were one tick ago. All equations are written per
hop, not per metre. The functions treat a neighbour that is missing as one at rest
(``no_message``). They can be compiled as they stand: plain arithmetic, no exceptions, and no
``del`` of an argument that a layer has no use for.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from velocity_mobility_ros.core.parameters import Parameters

from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters

State = Any
"""A NamedTuple of floats, one kind per layer; so are ``LayerMessage`` and ``Gains``."""

LayerMessage = Any
Gains = Any


class Layer(NamedTuple):
    """One kind of layer.

    Attributes:
        rest: The state without any excitation, also the state after a reset.
        no_message: The message assumed of a missing neighbour; its fields name what is broadcast.
        gains: Picks the layer's gains from the parameters.
        step: ``(state, e_tau, dt [s], pred, succ, gains)`` to the next state and the neighbours'
            signal, which does not depend on the own state nor on ``e_tau``.
        message: The part of a state that is sent to the neighbours.
        signal: ``(state, gains)`` to the layer's whole local signal.
        on_neighbour_change: The state after another agent became a neighbour.
        parameters: The record of parameters of its own, None for a layer that comes along.
    """

    rest: State
    no_message: LayerMessage
    gains: Callable[[PropagationParameters], Gains]
    step: Callable[[State, float, float, LayerMessage, LayerMessage, Gains], tuple[State, float]]
    message: Callable[[State], LayerMessage]
    signal: Callable[[State, Gains], float]
    on_neighbour_change: Callable[[State], State]
    parameters: type[Parameters] | None = None
