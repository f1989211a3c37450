"""Detects two agents with the same number: their sequence numbers alternate."""

import time
from collections import defaultdict, deque

from velocity_mobility_ros.ros_io.conditions import Condition, Level

from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.states.states import AgentState
from soliton_encirclement_ros.core.states.swarm_topics import uav

MAX_STEPS = 3
"""Steps back of the sequence number within a few seconds; a restart makes one."""

WITHIN = 5.0
"""Wall time [s] within which steps back count."""


class SequenceWatch:
    """Counts how often the sequence number of an agent does not grow."""

    def __init__(self) -> None:
        """Start without known agents."""
        self._last: dict[int, int] = {}
        self._steps: defaultdict[int, deque[float]] = defaultdict(lambda: deque(maxlen=MAX_STEPS))

    def see(self, state: AgentState) -> None:
        """Check a state in order of arrival."""
        if state.seq <= self._last.get(state.agent_id, state.seq - 1):
            self.step_back(state.agent_id)
        self._last[state.agent_id] = state.seq

    def step_back(self, agent_id: int) -> None:
        """Record that an agent's state does not follow its previous one."""
        self._steps[agent_id].append(time.monotonic())

    def doubled(self) -> list[int]:
        """Return the numbers that more than one agent seems to use at present."""
        since = time.monotonic() - WITHIN
        return sorted(
            k for k, at in self._steps.items() if len(at) == MAX_STEPS and at[0] >= since
        )

    def conditions(self) -> list[Condition]:
        """Return the faults."""
        doubled = self.doubled()
        if not doubled:
            return []
        names = named([uav(k) for k in doubled])
        reason = f'more than one agent publishes as {names}: give each its own agent_id'
        return [Condition(Level.ERROR, reason, 'agent numbers')]
