"""Which received states count: acceptance by sequence number, expiry."""

import math
from typing import NamedTuple

NOT_YET = -1
"""The sequence number before the first."""

NEVER = -math.inf
"""Time of reception [s] of a state that was never received."""


MOST_TOLD = 8
"""Most silent agents in a message."""

YOUNGER = 1e-6
"""Difference of ages [s] from which a state counts as younger; ages have rounding errors."""


def is_fresh(received: float, now: float, timeout: float) -> bool:
    """Return whether a state received at a time [s] is within a timeout [s] now [s]."""
    return now - received <= timeout


def is_unread(received: float, since: float, now: float, timeout: float) -> bool:
    """Return whether a message came after a time and has not expired; all times in s."""
    return received > since and is_fresh(received, now, timeout)


PERIODS, MOST = 3.0, 4.0
"""A timeout is at least so many reached periods, but at most so many times what was set."""


def stretched(timeout: float, longest_period: float) -> float:
    """Return a timeout that suits the periods which a swarm on a slow machine really reaches.

    Members that tick late send late; a timeout that lets only one of their messages be late would
    break the ring although nobody has failed.

    Args:
        timeout: The timeout as set [s].
        longest_period: The longest of the last control periods [s].
    """
    return max(timeout, min(PERIODS * longest_period, MOST * timeout))


def is_news(seq: float, known_seq: float, received: float, now: float, timeout: float) -> bool:
    """Return whether to accept a message: it is newer than the cached one, or that one expired.

    After its timeout a sender may start again from any number.

    Args:
        seq: Sequence number of the message.
        known_seq: Sequence number of the cached message.
        received: When the cached message was received [s], ``NEVER`` if there is none.
        now: Time [s].
        timeout: How long a message is valid [s].
    """
    return seq > known_seq or not is_fresh(received, now, timeout)


def age_at(now: float, received: float, age: float) -> float:
    """Return how old a message is at a time [s] that came at another [s] with an age [s]."""
    return now - received + age


class Sighting(NamedTuple):
    """Where a sender says that it is.

    Attributes:
        x: East [m]; what stands for nowhere is up to the receiver.
        y: North [m].
        seq: Number of the message.
        received: When they came [s], ``NEVER`` before the first.
    """

    x: float
    y: float
    seq: float
    received: float


def sighted(
    known: Sighting, x: float, y: float, seq: float, now: float, timeout: float
) -> Sighting:
    """Return what is known of a sender that has sent, whether its message counts or not.

    Args:
        known: What was known before.
        x: Where it says that it is, east [m].
        y: The same, north [m].
        seq: Number of the message.
        now: Time [s].
        timeout: How long a message counts [s].
    """
    if is_news(seq, known.seq, known.received, now, timeout):
        return Sighting(x, y, seq, now)
    return known
