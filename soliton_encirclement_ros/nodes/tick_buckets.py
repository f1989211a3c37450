"""Messages of a lockstep run gathered by tick, handed out whole and in order."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from soliton_encirclement_ros.core.states import AdversaryState, AgentState, State, TargetState
from soliton_encirclement_ros.core.telemetry import TelemetryRow
from soliton_encirclement_ros.core.topics import ADVERSARY, TARGET, uav


@dataclass
class Bucket:
    """Everything that carried one stamp; ``answers`` names what has come, ``uav_1 state`` say."""

    stamp_ns: int
    rows: list[TelemetryRow] = field(default_factory=list)
    agents: list[AgentState] = field(default_factory=list)
    target: TargetState | None = None
    adversary: AdversaryState | None = None
    answers: set[str] = field(default_factory=set)
    opened: float = field(default_factory=time.monotonic)

    def add_row(self, row: TelemetryRow) -> None:
        """Take an agent's telemetry in."""
        self.rows.append(row)
        self.answers.add(row_of(uav(row.agent_id)))

    def add_states(self, states: Iterable[State]) -> None:
        """Sort the states of one message in."""
        for state in states:
            if isinstance(state, AgentState):
                self.agents.append(state)
                self.answers.add(state_of(uav(state.agent_id)))
            elif isinstance(state, TargetState):
                self.target = state
                self.answers.add(state_of(TARGET))
            else:
                self.adversary = state
                self.answers.add(state_of(ADVERSARY))

    def add_silence(self, name: str) -> None:
        """Note that a member has nothing to say."""
        self.answers.add(state_of(name))


def row_of(name: str) -> str:
    """Return how a member's telemetry is called among the answers."""
    return f'{name} row'


def state_of(name: str) -> str:
    """Return how a member's state is called among the answers."""
    return f'{name} state'


class TickBuckets:
    """The ticks that are not yet complete."""

    def __init__(self, agents: Iterable[str], others: Iterable[str], patience: float) -> None:
        """Expect a state and telemetry from every agent, a state from all others.

        Args:
            agents: Names of the agents.
            others: Names of the target and, if there is one, the adversary.
            patience: Wall time [s] after which an incomplete tick is handed out as it is. Whoever
                is missing then has died (messages may be late in lockstep, but are never lost) and
                is not waited for again.
        """
        self._expected = {answer for name in agents for answer in (row_of(name), state_of(name))}
        self._expected |= {state_of(name) for name in others}
        self._patience = patience
        self._open: dict[int, Bucket] = {}

    def __len__(self) -> int:
        """Count the ticks that are not yet complete."""
        return len(self._open)

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
            missing = self._expected - bucket.answers
            if missing and time.monotonic() - bucket.opened < self._patience:
                return
            self._expected -= missing
            yield self._open.pop(stamp_ns)

    def take_all(self) -> Iterator[Bucket]:
        """Hand out everything that is left, in order."""
        for stamp_ns in sorted(self._open):
            yield self._open.pop(stamp_ns)
