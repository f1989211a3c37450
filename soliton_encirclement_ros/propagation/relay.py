"""One agent's part in a propagation layer: its state, and the wire form of its message."""

from soliton_encirclement_ros.core.laws.finite import finite_or_zero
from soliton_encirclement_ros.core.laws.layer import Layer, Said
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters

Prop = tuple[tuple[str, float], ...]
"""The fields of a layer by name, as ``AgentState.prop`` carries them."""


class Relay:
    """The state of one agent's layer."""

    def __init__(self, layer: Layer, parameters: PropagationParameters) -> None:
        """Start at rest, with the layer's own part of the parameters."""
        self._layer = layer
        self.retune(parameters)
        self._state = layer.rest
        self._fields = layer.silence._fields
        self.neighbour_signal = 0.0

    def retune(self, parameters: PropagationParameters) -> None:
        """Go on with other gains of the same layer; its state stays."""
        self._gains = self._layer.gains(parameters)

    @property
    def signal(self) -> float:
        """The whole local signal."""
        return self._layer.signal(self._state, self._gains)

    def step(self, e_tau: float, dt: float, pred: Prop | None, succ: Prop | None) -> float:
        """Advance by one tick; return the signal that the neighbours give.

        Args:
            e_tau: Spacing error in use.
            dt: Control period [s].
            pred: What the predecessor broadcast, None if there is none.
            succ: What the successor broadcast, None if there is none.
        """
        self._state, signal = self._layer.step(
            self._state,
            finite_or_zero(e_tau),
            dt,
            self._heard(pred),
            self._heard(succ),
            self._gains,
        )
        self.neighbour_signal = finite_or_zero(signal)
        return self.neighbour_signal

    def broadcast(self) -> Prop:
        """Return the message to the neighbours."""
        said = self._layer.said(self._state)
        return tuple(zip(self._fields, said, strict=True))

    def on_neighbour_change(self) -> None:
        """Forget what belonged to another neighbour."""
        self._state = self._layer.on_neighbour_change(self._state)
        self.neighbour_signal = 0.0

    def reset(self) -> None:
        """Go back to rest."""
        self._state = self._layer.rest
        self.neighbour_signal = 0.0

    def _heard(self, prop: Prop | None) -> Said:
        """Read a broadcast; fields that are missing or no numbers count as 0."""
        if not prop:
            return self._layer.silence
        values = dict(prop)
        return self._layer.silence._make(
            finite_or_zero(values.get(name, 0.0)) for name in self._fields
        )
