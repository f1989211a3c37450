"""Neighbours that are present, with a timeout that grows with the measured packet loss.

A sender that is up publishes every period T. If a share p of messages is lost, n silent periods
in a row happen by chance with probability ``p^n``. A neighbour counts as gone once its silence is
both longer than the timeout of the law and less likely than ``CHANCE``. Without loss that is the
timeout itself, so a failure is detected at once; with loss the set of neighbours stays stable.
"""

import math
from functools import lru_cache
from typing import NamedTuple

from soliton_encirclement_ros.core.states.agent_cache import (
    NOTHING,
    AgentCache,
    Reception,
    Receptions,
    fresh_ones,
)
from soliton_encirclement_ros.core.states.shared_steps import shared_step, unified

CHANCE = 1e-6
"""Probability below which silence is not attributed to packet loss."""

FEWEST_PERIODS = 2.5
"""Periods of silence that are always tolerated: in real time a message may come just after the
tick that would have used it."""

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


def timeout_without_loss(wanted: float, period: float, most: float) -> float:
    """Return a law's timeout: the wanted one, but some periods at least, and a time at most [s].

    Args:
        wanted: The wanted timeout [s].
        period: Time between two messages of a sender [s].
        most: The longest timeout [s]: that after which states are not used any more.
    """
    return min(most, max(wanted, FEWEST_PERIODS * period))


class News(NamedTuple):
    """Present agents after some messages, and how many of these came or are missing."""

    tracks: Receptions
    messages: int
    left_out: int


def _counted(known: Reception | None, heard: Reception | None) -> tuple[int, int]:
    """Return how many messages of an agent have come, and how many are missing between them."""
    if heard is None or (known is not None and known.state.seq == heard.state.seq):
        return 0, 0
    came = heard.messages
    return came, 0 if known is None else max(0, heard.state.seq - known.state.seq - came)


@shared_step
def _heard(alive: Receptions, fresh: Receptions, tracks: Receptions) -> Receptions:
    """Return the fresh ones of those alive, and those present: an old state brings nobody back."""
    if fresh is alive:
        return alive
    return {k: one for k, one in alive.items() if k in fresh or k in tracks}


@shared_step
def _after(tracks: Receptions, heard: Receptions) -> News:
    """Return the tracks with what was heard since."""
    found, messages, left_out = dict(tracks), 0, 0
    for agent_id, reception in heard.items():
        came, missing = _counted(tracks.get(agent_id), reception)
        if came:
            messages, left_out = messages + came, left_out + missing
            found[agent_id] = reception
    return News(found if messages else tracks, messages, left_out)


_shared_loss = lru_cache(64)(update_loss)


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
        self._hold = longest
        self._tracks = NOTHING
        self._lost = 0.0
        self._got = 0.0

    def tolerate(self, timeout: float, longest: float) -> None:
        """Tolerate other silences from now on: always, and at the longest, as at first [s]."""
        self._timeout, self._hold = timeout, longest

    @property
    def loss(self) -> float:
        """Share of messages that are lost, computed from the sequence numbers."""
        return share_lost(self._lost, self._got)

    @property
    def silence_timeout(self) -> float:
        """Silence [s] after which a neighbour counts as gone."""
        longest = max(self._timeout, self._hold)
        return silence_timeout(self.loss, self._period, self._timeout, longest)

    def update(self, now: float, agents: AgentCache, own_id: int | None = None) -> Receptions:
        """Update with states received up to a time [s]; return the tracks of present agents.

        Args:
            now: Time [s].
            agents: The last state of each agent.
            own_id: Number of the receiver, whose own messages do not count for the loss, if any.
        """
        heard = agents.alive(now)
        heard = _heard(heard, fresh_ones(heard, now, self._timeout), self._tracks)
        news = _after(self._tracks, heard)
        own, own_left_out = _counted(self._tracks.get(own_id), heard.get(own_id))
        self._lost, self._got = _shared_loss(
            self._lost, self._got, news.messages - own, news.left_out - own_left_out
        )
        self._tracks = unified(fresh_ones(news.tracks, now, self.silence_timeout), heard)
        return self._tracks
