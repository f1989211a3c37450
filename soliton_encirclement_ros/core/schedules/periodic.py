"""Periodic events, computed by counting and not by summing up periods."""

from typing import NamedTuple

ROUNDING = 1e-9
"""Tolerance [s] for the rounding of times."""


def firings(now: float, start: float, period: float) -> int:
    """Return how many of the times ``start + n period``, n = 1, 2, ... have passed.

    Args:
        now: Time [s]; before the start the count is negative.
        start: When the first period begins [s].
        period: Time between two firings [s].
    """
    return int((now - start + ROUNDING) // period)


class Periodic(NamedTuple):
    """An event at ``start + n period``, n = 1, 2, ..., and how often it has fired.

    Times are small numbers of seconds (since the start of a run), not seconds since 1970, whose
    rounding exceeds the slack.
    """

    start: float
    fired: int


def due(periodic: Periodic, now: float, period: float) -> int:
    """Return how many firing times have passed that were not counted yet.

    Args:
        periodic: Start, and number of firings counted.
        now: Time [s].
        period: Time between two firings [s].
    """
    return max(0, firings(now, periodic.start, period) - periodic.fired)


def counted(periodic: Periodic, fired: int) -> Periodic:
    """Return the state after some more firing times were counted."""
    return Periodic(periodic.start, periodic.fired + fired)
