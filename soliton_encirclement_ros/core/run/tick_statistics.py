"""Regularity of a node's ticks: a histogram of the time between ticks."""

BIN = 1e-3
"""Resolution [s]."""

BINS = 1000


class TickStatistics:
    """Counts the periods between ticks in bins of one millisecond, up to one second."""

    def __init__(self) -> None:
        """Start without ticks."""
        self._last: float | None = None
        self._bins = [0] * (BINS + 1)
        self.ticks = 0
        self.periods = 0
        self.longest = 0.0

    def tick(self, now: float) -> None:
        """Record a tick at a time [s]."""
        self.ticks += 1
        if self._last is not None:
            period = max(0.0, now - self._last)
            self._bins[min(BINS, int(period / BIN))] += 1
            self.periods += 1
            self.longest = max(self.longest, period)
        self._last = now

    def percentile(self, share: float) -> float:
        """Return the period [s] that a share of all periods is below, rounded up to milliseconds.

        Args:
            share: Between 0 and 1, for example 0.99.
        """
        below = 0
        for i, count in enumerate(self._bins[:BINS]):
            below += count
            if self.periods and below >= share * self.periods:
                return (i + 1) * BIN
        return self.longest
