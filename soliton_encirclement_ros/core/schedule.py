"""Things that happen every so often, by count and not by adding up periods."""

ROUNDING = 1e-9
"""Slack [s] that hides the rounding of times."""


class Periodic:
    """Fires at ``start + n period``, n = 1, 2, ...; late calls fire once and catch up."""

    def __init__(self, period: float, start: float) -> None:
        """Fire first one period [s] after ``start`` [s]."""
        self._period = period
        self._start = start
        self._fired = 0

    def due(self, now: float) -> bool:
        """Say whether a firing time has come since the last call, at time ``now`` [s]."""
        count = int((now - self._start + ROUNDING) // self._period)
        if count <= self._fired:
            return False
        self._fired = count
        return True
