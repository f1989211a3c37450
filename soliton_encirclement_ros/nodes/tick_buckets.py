"""Messages of a lockstep run gathered by tick, handed out whole and in order."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from soliton_encirclement_ros.core.states import AdversaryState, AgentState, State, TargetState
from soliton_encirclement_ros.core.telemetry import TelemetryRow


@dataclass
class Bucket:
    """Everything that carried one stamp."""

    stamp_ns: int
    rows: list[TelemetryRow] = field(default_factory=list)
    agents: list[AgentState] = field(default_factory=list)
    target: TargetState | None = None
    adversary: AdversaryState | None = None
    answers: int = 0
    opened: float = field(default_factory=time.monotonic)

    def add_states(self, states: Iterable[State]) -> None:
        """Sort the states of one message in; a message without states is an answer, too."""
        self.answers += 1
        for state in states:
            if isinstance(state, AgentState):
                self.agents.append(state)
            elif isinstance(state, TargetState):
                self.target = state
            else:
                self.adversary = state


class TickBuckets:
    """The ticks that are not yet complete."""

    def __init__(self, agents: int, adversary: bool, patience: float) -> None:
        """Expect an answer and a row from every agent, an answer from target and adversary.

        Args:
            agents: Number of agents.
            adversary: Whether an adversary takes part.
            patience: Wall time [s] after which an incomplete tick is handed out as it is; whoever
                is missing then has died, for messages are late but never lost in lockstep.
        """
        self._patience = patience
        self._rows = agents
        self._answers = agents + 1 + adversary
        self._open: dict[int, Bucket] = {}

    def of(self, stamp_ns: int) -> Bucket:
        """Return the bucket of a stamp [ns]."""
        if stamp_ns not in self._open:
            self._open[stamp_ns] = Bucket(stamp_ns)
        return self._open[stamp_ns]

    def take_complete(self) -> Iterator[Bucket]:
        """Hand out the oldest ticks as long as they are complete (or too old)."""
        while self._open:
            stamp_ns = min(self._open)
            bucket = self._open[stamp_ns]
            complete = bucket.answers >= self._answers and len(bucket.rows) >= self._rows
            if not complete and time.monotonic() - bucket.opened < self._patience:
                return
            yield self._open.pop(stamp_ns)

    def __len__(self) -> int:
        """Count the ticks that are not yet complete."""
        return len(self._open)

    def take_all(self) -> Iterator[Bucket]:
        """Hand out everything that is left, in order."""
        for stamp_ns in sorted(self._open):
            yield self._open.pop(stamp_ns)
