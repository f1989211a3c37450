"""Compares the period that a timer really reaches with the one that is wanted."""

import itertools
import math
import statistics
import time
from collections import deque

from velocity_mobility_ros.ros_io.conditions import Condition, Level

FEWEST = 5
"""Periods in the comparison, of which slow timers have fewer a second."""

SLOW = 1.5
"""Ratio from which the median period is a warning: beyond the jitter of a busy machine."""

TOO_SLOW = 3.0
"""Ratio from which it is an error: with the default timeouts two lost messages in a row then make
an agent count as gone, and a vehicle stops between two commands from a ratio of 10 on."""


class PeriodWatch:
    """The periods of the last second, or the last five, by the clock on the wall."""

    def __init__(self, what: str, wanted: float) -> None:
        """Begin without a tick.

        Args:
            what: What has the period, in words.
            wanted: The period [s].
        """
        self._what = what
        self._wanted = wanted
        self._ticks: deque[float] = deque(maxlen=max(FEWEST, math.ceil(1.0 / wanted)) + 1)

    def tick(self) -> None:
        """Note a tick."""
        self._ticks.append(time.monotonic())

    def median(self) -> float:
        """Return the median period [s]; one that goes on for too long counts as well."""
        periods = [after - before for before, after in itertools.pairwise(self._ticks)]
        since = time.monotonic() - self._ticks[-1] if self._ticks else 0.0
        if since > self._wanted:
            periods.append(since)
        return statistics.median(periods) if periods else math.nan

    def conditions(self) -> list[Condition]:
        """Return what is wrong if the period is too long."""
        median = self.median()
        if math.isnan(median) or median < SLOW * self._wanted:
            return []
        level = Level.ERROR if median >= TOO_SLOW * self._wanted else Level.WARN
        reason = f'{self._what} {median:.2g} s, wanted {self._wanted:g} s: the machine is too slow'
        return [Condition(level, reason, self._what)]
