"""Compares the actual period of a timer with the desired one."""

import itertools
import math
import statistics
import time
from collections import deque

from velocity_mobility_ros.ros_io.conditions import Condition, Level

FEWEST = 5
"""Smallest number of compared periods, for slow timers."""

SLOW = 1.5
"""Ratio of the median period from which a warning is given: above the jitter of a busy machine."""

TOO_SLOW = 3.0
"""Ratio from which it is an error: then, with the default timeouts, an agent counts as lost after
two lost messages in a row. From a ratio of 10 a vehicle stops between two commands."""


class PeriodWatch:
    """The periods of the last second, at least five, in wall time."""

    def __init__(self, what: str, wanted: float) -> None:
        """Start without a tick.

        Args:
            what: Name of the period.
            wanted: The desired period [s].
        """
        self._what = what
        self._wanted = wanted
        self._ticks: deque[float] = deque(maxlen=max(FEWEST, math.ceil(1.0 / wanted)) + 1)

    def tick(self) -> None:
        """Record a tick."""
        self._ticks.append(time.monotonic())

    def median(self) -> float:
        """Return the median period [s]; an unfinished one counts if it is too long."""
        periods = [after - before for before, after in itertools.pairwise(self._ticks)]
        since = time.monotonic() - self._ticks[-1] if self._ticks else 0.0
        if since > self._wanted:
            periods.append(since)
        return statistics.median(periods) if periods else math.nan

    def conditions(self) -> list[Condition]:
        """Return the fault if the period is too long."""
        median = self.median()
        if math.isnan(median) or median < SLOW * self._wanted:
            return []
        level = Level.ERROR if median >= TOO_SLOW * self._wanted else Level.WARN
        reason = (
            f'{self._what} {median:.2g} s instead of {self._wanted:g} s: the machine is too slow'
        )
        return [Condition(level, reason, self._what)]
