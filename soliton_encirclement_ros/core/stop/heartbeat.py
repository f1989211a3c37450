"""The heartbeat of an operator: while it is heard, the operator's process lives."""

import math
from typing import NamedTuple

LONGEST_TIMEOUT = 60.0
"""Longest time [s] without a heartbeat that may be asked for."""

MAX_OPERATORS = 16
"""Operators whose heartbeats are watched, at most."""


class Heartbeat(NamedTuple):
    """The last heartbeat of an operator.

    Attributes:
        source: The operator.
        timeout: Time [s] without a heartbeat after which members stop.
        heard_at: When it was heard [s, steady clock of the listener].
    """

    source: str
    timeout: float
    heard_at: float


Heartbeats = tuple[Heartbeat, ...]


def is_timeout(value: float) -> bool:
    """Return whether a number is a timeout of a heartbeat [s]."""
    return math.isfinite(value) and 0.0 < value <= LONGEST_TIMEOUT


def without(beats: Heartbeats, source: str) -> Heartbeats:
    """Return the heartbeats of all other operators."""
    return tuple(beat for beat in beats if beat.source != source)


def with_beat(beats: Heartbeats, beat: Heartbeat) -> Heartbeats:
    """Return the heartbeats with a new one; beyond ``MAX_OPERATORS`` nobody new is watched."""
    others = without(beats, beat.source)
    return (*others, beat) if len(others) < MAX_OPERATORS else beats


def missing(beats: Heartbeats, now: float) -> Heartbeats:
    """Return the operators that have been silent for longer than their timeout at a time [s]."""
    return tuple(beat for beat in beats if now - beat.heard_at > beat.timeout)
