"""Who is still there: patience with silence that grows with the loss of the radio.

A sender that is up speaks every period T. If a share p of all messages is lost, n silent periods
in a row happen by chance with probability ``p^n``. A neighbour counts as gone once its silence is
both longer than the timeout and less likely than ``CHANCE``; without loss that is the timeout
itself, so that a failure is noticed at once, and with loss the ring does not flap.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.liveness import AgentCache
from soliton_encirclement_ros.core.states import AgentState

CHANCE = 1e-6
"""Probability below which silence is no accident."""

MEMORY = 200.0
"""Messages over which the loss is averaged, all senders together."""


class Track(NamedTuple):
    """An agent's last words, and when they came [s]."""

    state: AgentState
    received: float


class NeighbourTracks:
    """The last words of every agent that counts as alive."""

    def __init__(self, period: float, timeout: float, longest: float) -> None:
        """Know nobody.

        Args:
            period: Time between two messages of a sender [s].
            timeout: Silence that is always forgiven [s].
            longest: Silence that is never forgiven [s].
        """
        self._period = period
        self._timeout = timeout
        self._longest = max(timeout, longest)
        self._tracks: dict[int, Track] = {}
        self._lost = 0.0
        self._got = 0.0

    @property
    def loss(self) -> float:
        """Share of messages that are lost, as far as the sequence numbers tell."""
        total = self._lost + self._got
        return self._lost / total if total > 0.0 else 0.0

    @property
    def patience(self) -> float:
        """Silence [s] after which a neighbour counts as gone."""
        loss = self.loss
        if loss <= 0.0:
            return self._timeout
        if loss >= 1.0:
            return self._longest
        periods = math.log(CHANCE) / math.log(loss)
        return min(self._longest, max(self._timeout, periods * self._period))

    def update(self, now: float, agents: AgentCache) -> list[Track]:
        """Take in what was heard until a time [s]; return the tracks of those who are there."""
        for state in agents.alive(now):
            known = self._tracks.get(state.agent_id)
            if known is None or known.state.seq != state.seq:
                self._count(known, state)
                self._tracks[state.agent_id] = Track(state, agents.received_at(state.agent_id))
        patience = self.patience
        self._tracks = {
            agent_id: track
            for agent_id, track in self._tracks.items()
            if now - track.received <= patience
        }
        return list(self._tracks.values())

    def _count(self, known: Track | None, state: AgentState) -> None:
        """Learn the loss from the numbers left out since the last message."""
        left_out = state.seq - known.state.seq - 1 if known is not None else 0
        keep = 1.0 - 1.0 / MEMORY
        self._got = self._got * keep + 1.0
        self._lost = self._lost * keep + max(0, left_out)
