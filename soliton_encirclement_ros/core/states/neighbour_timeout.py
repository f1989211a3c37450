"""Neighbours that are present, with a timeout that grows with the measured packet loss.

A sender that is up publishes every period T. If a share p of messages is lost, n silent periods
in a row happen by chance with probability ``p^n``. A neighbour counts as gone once its silence is
both longer than the timeout and less likely than ``CHANCE``. Without loss that is the timeout
itself, so a failure is detected at once; with loss the set of neighbours stays stable.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.states.message_acceptance import AgentCache, is_fresh
from soliton_encirclement_ros.core.states.states import AgentState

CHANCE = 1e-6
"""Probability below which silence is not attributed to packet loss."""

MEMORY = 200.0
"""Messages over which the loss is averaged, all senders together."""


def update_loss(lost: float, got: float, messages: int, left_out: int) -> tuple[float, float]:
    """Return the decaying counts of lost and received messages after some more.

    Args:
        lost: Lost messages so far.
        got: Received messages so far.
        messages: How many were received; their order does not matter.
        left_out: How many are missing between them and those before.
    """
    keep = 1.0 - 1.0 / MEMORY
    for _ in range(messages):
        before = got
        got = got * keep + 1.0
        lost = lost * keep
        if got == before and lost == 0.0:
            break
    return lost + left_out, got


def share_lost(lost: float, got: float) -> float:
    """Return the share of messages that are lost."""
    total = lost + got
    return lost / total if total > 0.0 else 0.0


def silence_timeout(loss: float, period: float, timeout: float, longest: float) -> float:
    """Return the silence [s] after which a neighbour counts as gone.

    Args:
        loss: Share of messages that are lost.
        period: Time between two messages of a sender [s].
        timeout: Silence that is always tolerated [s].
        longest: Longest silence that is ever tolerated [s].
    """
    if loss <= 0.0:
        return timeout
    if loss >= 1.0:
        return longest
    periods = math.log(CHANCE) / math.log(loss)
    return min(longest, max(timeout, periods * period))


class NeighbourTrack(NamedTuple):
    """An agent's last received state, and when it was received [s]."""

    state: AgentState
    received: float


class NeighbourTracks:
    """The last received state of every agent that counts as alive."""

    def __init__(self, period: float, timeout: float, longest: float) -> None:
        """Start without neighbours.

        Args:
            period: Time between two messages of a sender [s].
            timeout: Silence that is always tolerated [s].
            longest: Longest silence that is ever tolerated [s].
        """
        self._period = period
        self._timeout = timeout
        self.retune(longest)
        self._tracks: dict[int, NeighbourTrack] = {}
        self._lost = 0.0
        self._got = 0.0

    def retune(self, longest: float) -> None:
        """Limit the tolerated silence to this time [s], or to the timeout, from now on."""
        self._longest = max(self._timeout, longest)

    @property
    def loss(self) -> float:
        """Share of messages that are lost, computed from the sequence numbers."""
        return share_lost(self._lost, self._got)

    @property
    def silence_timeout(self) -> float:
        """Silence [s] after which a neighbour counts as gone."""
        return silence_timeout(self.loss, self._period, self._timeout, self._longest)

    def update(self, now: float, agents: AgentCache) -> list[NeighbourTrack]:
        """Update with states received up to a time [s]; return the tracks of present agents."""
        messages = left_out = 0
        for state in agents.alive(now):
            known = self._tracks.get(state.agent_id)
            if known is None or known.state.seq != state.seq:
                messages += 1
                left_out += max(0, state.seq - known.state.seq - 1) if known is not None else 0
                self._tracks[state.agent_id] = NeighbourTrack(
                    state, agents.received_at(state.agent_id)
                )
        self._lost, self._got = update_loss(self._lost, self._got, messages, left_out)
        silence = self.silence_timeout
        self._tracks = {
            agent_id: track
            for agent_id, track in self._tracks.items()
            if is_fresh(track.received, now, silence)
        }
        return list(self._tracks.values())
