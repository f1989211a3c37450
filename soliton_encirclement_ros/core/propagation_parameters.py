"""How information travels along the ring."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameters import Parameters, parameter


@dataclass(frozen=True)
class PropagationParameters(Parameters):
    """The propagation layer and its parameters."""

    propagation_method: str = parameter('baseline', 'the layer', choices=('baseline',))
