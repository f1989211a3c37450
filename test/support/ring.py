"""A ring of agents that run one propagation layer, without bodies."""

from collections.abc import Callable, Collection, Sequence

from soliton_encirclement_ros.core.laws.layer import LayerMessage
from soliton_encirclement_ros.core.parameters.control_parameters import PropagationParameters
from soliton_encirclement_ros.propagation import LAYERS

Spoil = Callable[[LayerMessage], LayerMessage]


class Ring:
    """Every agent receives what its two neighbours sent one tick ago."""

    def __init__(self, method: str, count: int, dt: float, **parameters: float) -> None:
        """Start ``count`` agents at rest, with a tick of ``dt`` [s]."""
        self.layer = LAYERS[method]
        chosen = PropagationParameters(propagation_method=method, **parameters)
        self.gains = self.layer.gains(chosen)
        self.dt = dt
        self.states = [self.layer.rest] * count
        self.neighbour_signals = [0.0] * count
        self.broadcast()

    def tick(
        self,
        errors: Sequence[float],
        after: Callable[[], None] = lambda: None,
        deaf: Collection[int] = (),
        spoil: Spoil = lambda message: message,
    ) -> list[float]:
        """Let everybody step once; return the neighbours' signals.

        Args:
            errors: Spacing error of every agent.
            after: Called between the steps and the broadcasts.
            deaf: Who hears nobody.
            spoil: What the air does to a broadcast.
        """
        no_message = self.layer.no_message
        for i, error in enumerate(errors):
            pred, succ = self.sent[i - 1], self.sent[(i + 1) % len(self.sent)]
            heard = (no_message, no_message) if i in deaf else (spoil(pred), spoil(succ))
            self.step(i, error, *heard)
        after()
        self.broadcast()
        return list(self.neighbour_signals)

    def step(self, i: int, error: float, pred: LayerMessage, succ: LayerMessage) -> None:
        """Let one agent step, with what it hears from either side."""
        self.states[i], self.neighbour_signals[i] = self.layer.step(
            self.states[i], error, self.dt, pred, succ, self.gains
        )

    def broadcast(self) -> None:
        """Let everybody speak."""
        self.sent = [self.layer.message(state) for state in self.states]

    def change_neighbour(self, i: int) -> None:
        """Give an agent another neighbour."""
        self.states[i] = self.layer.on_neighbour_change(self.states[i])
        self.neighbour_signals[i] = 0.0

    def reset(self, i: int) -> None:
        """Put an agent back to rest."""
        self.states[i], self.neighbour_signals[i] = self.layer.rest, 0.0

    @property
    def signals(self) -> list[float]:
        """The whole local signal of everybody."""
        return [self.layer.signal(state, self.gains) for state in self.states]

    def values(self) -> list[dict[str, float]]:
        """Return what everybody sent last, by field."""
        return [message._asdict() for message in self.sent]

    @property
    def size(self) -> float:
        """The largest number that anybody sent."""
        return max((abs(value) for message in self.sent for value in message), default=0.0)
