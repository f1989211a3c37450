"""A ring of agents that run one propagation layer, without bodies."""

from collections.abc import Callable, Collection, Sequence

from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.propagation import LAYERS, Prop, Relay

Spoil = Callable[[Prop], Prop | None]


class Ring:
    """Every agent hears what its two neighbours said one tick ago."""

    def __init__(self, method: str, count: int, dt: float, **parameters: float) -> None:
        """Start ``count`` agents at rest, with a tick of ``dt`` [s]."""
        chosen = PropagationParameters(propagation_method=method, **parameters)
        self.relays = [Relay(LAYERS[method], chosen) for _ in range(count)]
        self.dt = dt
        self.said = [relay.broadcast() for relay in self.relays]

    def tick(
        self,
        errors: Sequence[float],
        after: Callable[[], None] = lambda: None,
        deaf: Collection[int] = (),
        spoil: Spoil = lambda prop: prop,
    ) -> list[float]:
        """Let everybody step once; return the neighbours' signals.

        Args:
            errors: Spacing error of every agent.
            after: Called between the steps and the broadcasts.
            deaf: Who hears nobody.
            spoil: What the air does to a broadcast.
        """
        for i, relay in enumerate(self.relays):
            pred, succ = self.said[i - 1], self.said[(i + 1) % len(self.relays)]
            heard = (None, None) if i in deaf else (spoil(pred), spoil(succ))
            relay.step(errors[i], self.dt, *heard)
        after()
        self.said = [relay.broadcast() for relay in self.relays]
        return [relay.neighbour_signal for relay in self.relays]

    def values(self) -> list[dict[str, float]]:
        """Return what everybody said last, by field."""
        return [dict(prop) for prop in self.said]

    @property
    def size(self) -> float:
        """The largest number that anybody said."""
        return max((abs(value) for prop in self.said for _, value in prop), default=0.0)
