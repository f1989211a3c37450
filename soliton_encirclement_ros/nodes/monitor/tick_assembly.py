"""Assembles the messages of a lockstep run by tick, and delivers ticks complete and in order."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.states.states import AgentState, Pose, State
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav

MAX_LOOK = 0.5
"""Time [s] between two checks beyond which the process must have been suspended."""


@dataclass
class TickMessages:
    """All messages with one stamp; ``answers`` names those received, such as ``uav_1 state``.

    ``truth`` is the true motion of the members, if it is published.
    """

    stamp_ns: int
    members: frozenset[str]
    rows: list[TelemetryRow] = field(default_factory=list)
    answers: set[str] = field(default_factory=set)
    truth: dict[str, Pose] = field(default_factory=dict)
    opened: float = 0.0
    _states: dict[str, State] = field(default_factory=dict)

    def add_row(self, row: TelemetryRow) -> bool:
        """Add an agent's telemetry; return whether it is the first."""
        answer = row_of(uav(row.agent_id))
        if answer in self.answers:
            return False
        self.answers.add(answer)
        self.rows.append(row)
        return True

    def add_state(self, name: str, state: State | None) -> bool:
        """Add a member's state, None for an empty answer; return whether it counts."""
        answer = state_of(name)
        if name not in self.members or answer in self.answers:
            return False
        self.answers.add(answer)
        if state is not None:
            self._states[name] = state
        return True

    def add_truth(self, name: str, pose: Pose) -> bool:
        """Add a member's true motion; return whether it is the first."""
        answer = truth_of(name)
        if answer in self.answers:
            return False
        self.answers.add(answer)
        self.truth[name] = pose
        return True

    def states(self) -> list[State]:
        """Return the states: agents by number, then the adversary, the target last."""
        agents = [state for state in self._states.values() if isinstance(state, AgentState)]
        others = [self._states[name] for name in (ADVERSARY, TARGET) if name in self._states]
        return [*sorted(agents), *others]


def row_of(name: str) -> str:
    """Return the name of a member's telemetry among the answers."""
    return f'{name} row'


def state_of(name: str) -> str:
    """Return the name of a member's state among the answers."""
    return f'{name} state'


def truth_of(name: str) -> str:
    """Return the name of a member's true motion among the answers."""
    return f'{name} truth'


class TickAssembly:
    """The ticks that are not yet complete."""

    def __init__(
        self, agents: Iterable[str], others: Iterable[str], timeout: float, truth: bool = False
    ) -> None:
        """Expect a state and telemetry from every agent, a state from all others.

        Args:
            agents: Names of the agents.
            others: Names of the target and, if there is one, the adversary.
            timeout: Time awake [s] after which an incomplete tick is delivered as it is. Members
                missing then have died (messages may be late in lockstep, but are never lost) and
                are not waited for again. Time without checks does not count: a process
                without CPU time must not treat the others as dead.
            truth: Whether to expect the true motion of all.
        """
        agents = list(agents)
        self._members = frozenset([*agents, *others])
        self._expected = {state_of(name) for name in self._members} | set(map(row_of, agents))
        self._expected |= set(map(truth_of, self._members if truth else ()))
        self._timeout = timeout
        self._open: dict[int, TickMessages] = {}
        self._looked = time.monotonic()
        self._awake = 0.0

    def __len__(self) -> int:
        """Count the ticks that are not yet complete."""
        return len(self._open)

    def of(self, stamp_ns: int) -> TickMessages:
        """Return the tick of a stamp [ns]."""
        if stamp_ns not in self._open:
            self._open[stamp_ns] = TickMessages(stamp_ns, self._members, opened=self._awake)
        return self._open[stamp_ns]

    def take_complete(self) -> Iterator[TickMessages]:
        """Deliver the oldest ticks as long as they are complete (or too old)."""
        self._look()
        while self._open:
            stamp_ns = min(self._open)
            bucket = self._open[stamp_ns]
            missing = self._expected - bucket.answers
            if missing and self._awake - bucket.opened < self._timeout:
                return
            self._expected -= missing
            yield self._open.pop(stamp_ns)

    def _look(self) -> None:
        now = time.monotonic()
        self._awake += min(now - self._looked, MAX_LOOK)
        self._looked = now

    def take_all(self) -> Iterator[TickMessages]:
        """Deliver all remaining ticks, in order."""
        for stamp_ns in sorted(self._open):
            yield self._open.pop(stamp_ns)
