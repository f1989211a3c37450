"""Flies in real time: a tick at a time, when it is due."""

import time
from collections.abc import Callable

MOST_BEHIND = 0.5
"""Delay [s] that is made up for; if there is more, the flight takes longer instead."""


class RealTimePace:
    """Advances a flight by the clock.

    Attributes:
        delay: Time [s] that the flight has lost on a machine that is too slow.
    """

    def __init__(self, period: float, wait: Callable[[float], None] = time.sleep) -> None:
        """Begin with the first turn.

        Args:
            period: The control period [s].
            wait: Waits for a time [s], and does meanwhile what else is to be done.
        """
        self._period, self._wait = period, wait
        self._due: float | None = None
        self.delay = 0.0

    def turn(self, advance: Callable[[int], None]) -> None:
        """Advance the caller by a tick when it is due."""
        now = time.monotonic()
        if self._due is None:
            self._due = now
        self._wait(max(0.0, self._due - now))
        late = time.monotonic() - self._due
        if late > MOST_BEHIND:
            self.delay += late
            self._due += late
        advance(1)
        self._due += self._period
