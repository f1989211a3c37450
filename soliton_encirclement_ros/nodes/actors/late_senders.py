"""How late the others send: the longest time between two messages that follow each other."""

from collections.abc import Iterable

from velocity_mobility_ros.core.decaying_peak import DecayingPeak

from soliton_encirclement_ros.core.states.states import AgentState, State

LONGEST = 2.0
"""A silence that is longer [s] is a failure, no late message."""


class LateSenders:
    """The gaps between the messages of agents, without gaps in which a message was lost."""

    def __init__(self) -> None:
        """Begin without a sender."""
        self._peak = DecayingPeak()
        self._last: dict[int, tuple[int, float]] = {}
        self._now = 0.0

    @property
    def longest_gap(self) -> float:
        """The longest of the last gaps [s]; it is forgotten within seconds."""
        return self._peak.value

    def receive(self, now: float, states: Iterable[State]) -> None:
        """Take the states that have arrived until now [s]."""
        self._peak.pass_time(now - self._now)
        self._now = now
        for state in states:
            if isinstance(state, AgentState):
                self._take(now, state.agent_id, state.seq)

    def move(self, step: float) -> None:
        """Keep all gaps after a step of the clock [s]."""
        self._now += step
        self._last = {sender: (seq, at + step) for sender, (seq, at) in self._last.items()}

    def _take(self, now: float, sender: int, seq: int) -> None:
        known, at = self._last.get(sender, (seq, now))
        if seq == known + 1 and now - at <= LONGEST:
            self._peak.see(now - at)
        if seq != known or sender not in self._last:
            self._last[sender] = seq, now
