"""Things that happen every so often, by count and not by adding up periods."""

ROUNDING = 1e-9
"""Slack [s] that hides the rounding of times."""


def firings(now: float, start: float, period: float) -> int:
    """Return how many of the times ``start + n period``, n = 1, 2, ... have come.

    Args:
        now: Time [s]; before the start the count is negative.
        start: When the first period begins [s].
        period: Time between two firings [s].
    """
    return int((now - start + ROUNDING) // period)


class Periodic:
    """Fires at ``start + n period``, n = 1, 2, ...

    Times are small numbers of seconds (since the start of a run), not seconds since 1970, whose
    rounding exceeds the slack.
    """

    def __init__(self, period: float, start: float) -> None:
        """Fire first one period [s] after ``start`` [s]."""
        self._period = period
        self._start = start
        self._fired = 0

    def due(self, now: float) -> int:
        """Return how many firing times have come since the last call, at time ``now`` [s]."""
        fresh = max(0, firings(now, self._start, self._period) - self._fired)
        self._fired += fresh
        return fresh
