"""A propagation layer from what its author writes: a step, and as little else as possible."""

from collections.abc import Callable
from typing import Any, NamedTuple

from velocity_mobility_ros.core.parameters import Parameters, declarations

from soliton_encirclement_ros.core.laws.law_making import LawParameters, own_values
from soliton_encirclement_ros.core.laws.layer import Layer, LayerMessage, State


def make_layer(
    step: Callable[..., tuple[State, float]],
    rest: State,
    no_message: LayerMessage,
    message: Callable[[State], LayerMessage],
    parameters: type[Parameters] = LawParameters,
    signal: Callable[..., float] | None = None,
    on_neighbour_change: Callable[[State], State] | None = None,
) -> Layer:
    """Return a propagation layer.

    Args:
        step: As of ``Layer``; ``gains`` has every number of the parameters by its name.
        rest: The state without any excitation.
        no_message: The message assumed of a missing neighbour; its fields name what is broadcast.
        message: The part of a state that is sent to the neighbours.
        parameters: The record of the layer's own parameters.
        signal: As of ``Layer``; none: 0.
        on_neighbour_change: As of ``Layer``; none: back to rest.
    """
    kind = NamedTuple('LayerGains', [(name, float) for name in declarations(parameters)])

    def gains_of(propagation: Parameters) -> Any:
        return kind(*own_values(parameters, propagation).values())

    return Layer(
        rest, no_message, gains_of, step, message, signal or _no_signal,
        on_neighbour_change or (lambda state: rest), parameters,
    )  # fmt: skip


def _no_signal(state: State, gains: Any) -> float:
    return 0.0
