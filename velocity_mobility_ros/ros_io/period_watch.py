"""Compares the actual period of a timer with the desired one."""

import itertools
import math
import statistics
from collections import deque
from typing import Protocol

from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.node_time import LEAST_PAUSE_NS

FEWEST = 5
"""Smallest number of compared periods, for slow timers."""

SLOW = 1.5
"""Ratio of the actual to the desired period from which a warning is given: above the jitter of a
busy machine. A mean period that is so long misses a third of the ticks."""

TOO_SLOW = 3.0
"""Ratio from which it is an error: then, with the default timeouts, an agent counts as lost after
two lost messages in a row. From a ratio of 10 a vehicle stops between two commands."""

MEMORY = 3.0
"""Time [s] over which missed ticks are counted; a pause of a second is tolerated."""


class TimerTime(Protocol):
    """The time by which a timer ticks, such as ``NodeTime``."""

    @property
    def why_late(self) -> str:
        """Why ticks come late, in words."""

    def steady(self) -> float:
        """Return a time that nobody sets [s]."""


class PeriodWatch:
    """The ticks of the last seconds: the length of their periods, and missed ones.

    The median period shows a machine on which every tick takes too long. On one that has to share
    its time, most periods are right and others very long; that shows in the missed ticks. A clock
    that stands makes no period longer, and a node that stood still, suspended, has missed nothing.
    """

    def __init__(self, what: str, wanted: float, time: TimerTime) -> None:
        """Start without a tick.

        Args:
            what: Name of the period.
            wanted: The desired period [s].
            time: The time of the timer.
        """
        self._what = what
        self._wanted = wanted
        self._time = time
        self._pause = max(1e-9 * LEAST_PAUSE_NS, TOO_SLOW * wanted)
        self.ticks_per_second = max(FEWEST, math.ceil(1.0 / wanted))
        kept = max(FEWEST, math.ceil(MEMORY / wanted))
        self._ticks: deque[float] = deque(maxlen=kept + 1)

    def tick(self) -> None:
        """Record a tick; those before a time in which the node stood still count no more."""
        now = self._time.steady()
        if self._ticks and now - self._ticks[-1] >= self._pause:
            self._ticks.clear()
        self._ticks.append(now)

    def last_period(self) -> float:
        """Return the time [s] between the last two ticks, 0 before the second."""
        return self._ticks[-1] - self._ticks[-2] if len(self._ticks) > 1 else 0.0

    def median(self) -> float:
        """Return the median period [s] of the last second, or of the last five periods.

        An unfinished one counts if it is too long.
        """
        ticks = [*self._ticks][-self.ticks_per_second - 1 :]
        periods = [after - before for before, after in itertools.pairwise(ticks)]
        since = self._time.steady() - ticks[-1] if ticks else 0.0
        if since > self._wanted:
            periods.append(since)
        return statistics.median(periods) if periods else math.nan

    def missed(self) -> float:
        """Return the share of ticks missed in the last three seconds or more, 0 before that."""
        if len(self._ticks) <= FEWEST:
            return 0.0
        span = self._ticks[-1] - self._ticks[0]
        if span < MEMORY:
            return 0.0
        return max(0.0, 1.0 - (len(self._ticks) - 1) * self._wanted / span)

    def conditions(self) -> list[Condition]:
        """Return the fault if the period is too long, or too many ticks are missed."""
        median = self.median()
        ratio = 1.0 if math.isnan(median) else median / self._wanted
        reason = f'{self._what} {median:.2g} s instead of {self._wanted:g} s'
        if ratio < SLOW:
            missed = self.missed()
            ratio = 1.0 / (1.0 - missed)
            reason = f'{self._what} {self._wanted:g} s: {100.0 * missed:.0f} % of the ticks missed'
        if ratio < SLOW:
            return []
        level = Level.ERROR if ratio >= TOO_SLOW else Level.WARN
        return [Condition(level, f'{reason}: {self._time.why_late}', self._what)]
