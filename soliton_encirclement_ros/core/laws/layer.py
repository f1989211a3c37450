"""The contract of a propagation layer: what an agent passes on along the ring.

A layer is plain functions over records of floats. Every agent holds a state; it sends its
neighbours a part of it, and reads theirs as they were one tick ago. All equations are written per
hop, not per metre. The functions treat a neighbour that is missing as one at rest
(``no_message``). They can be compiled as they stand: plain arithmetic, no exceptions, and no
``del`` of an argument that a layer has no use for.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.laws.law_making import LawParameters, gains_kind, own_values
from soliton_encirclement_ros.core.parameters.control_parameters import PropagationParameters
from velocity_mobility_ros.core.parameter_declaration import Parameters

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


def make_layer(
    step: Callable[..., tuple[State, float]],
    rest: State,
    no_message: LayerMessage,
    message: Callable[[State], LayerMessage],
    parameters: type[Parameters] = LawParameters,
    signal: Callable[..., float] | None = None,
    on_neighbour_change: Callable[[State], State] | None = None,
) -> Layer:
    """Return a propagation layer of what its author writes.

    Args:
        step: As of ``Layer``; ``gains`` has every number of the parameters by its name.
        rest: The state without any excitation.
        no_message: The message assumed of a missing neighbour; its fields name what is broadcast.
        message: The part of a state that is sent to the neighbours.
        parameters: The record of the layer's own parameters.
        signal: As of ``Layer``; none: 0.
        on_neighbour_change: As of ``Layer``; none: back to rest.
    """
    kind = gains_kind(parameters, name='LayerGains')

    def gains_of(propagation: Parameters) -> Any:
        return kind(*own_values(parameters, propagation).values())

    return Layer(
        rest, no_message, gains_of, step, message, signal or (lambda state, gains: 0.0),
        on_neighbour_change or (lambda state: rest), parameters,
    )  # fmt: skip
