"""How late the others send: the longest time between two messages that follow each other."""

from collections.abc import Iterable

from soliton_encirclement_ros.core.states.states import AgentState, State

DECAY = 3.0
"""Time [s] in which a long gap is forgotten."""

LONGEST = 2.0
"""A silence that is longer [s] is a failure, no late message."""


class LateSenders:
    """The gaps between the messages of agents; a gap in which a message was lost does not count.

    Attributes:
        longest_gap: The longest of the last gaps [s]; it decays, by a third per second.
    """

    def __init__(self) -> None:
        """Begin without a sender."""
        self.longest_gap = 0.0
        self._last: dict[int, tuple[int, float]] = {}
        self._now = 0.0

    def receive(self, now: float, states: Iterable[State]) -> None:
        """Take the states that have arrived until now [s]."""
        self.longest_gap *= max(0.0, 1.0 - (now - self._now) / DECAY)
        self._now = now
        for state in states:
            if isinstance(state, AgentState):
                self._take(now, state.agent_id, state.seq)

    def _take(self, now: float, sender: int, seq: int) -> None:
        known, at = self._last.get(sender, (seq, now))
        if seq == known + 1 and now - at <= LONGEST:
            self.longest_gap = max(self.longest_gap, now - at)
        if seq != known or sender not in self._last:
            self._last[sender] = seq, now
