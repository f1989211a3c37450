"""How much of its period a node reaches, and what it leaves out when it does not keep it."""

from velocity_mobility_ros.core.decaying_peak import DecayingPeak
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.period_watch import PeriodWatch, TimerTime

SHED_FROM, SHED_UNTIL = 0.1, 0.02
"""Shares of missed ticks at which optional output is left out, and published again."""


class LoadWatch(PeriodWatch):
    """A period watch of a node that has output which it can leave out.

    Attributes:
        is_shedding: Whether to leave out what is optional.
    """

    def __init__(self, what: str, wanted: float, time: TimerTime) -> None:
        """Start without a tick; the rest as for ``PeriodWatch``."""
        super().__init__(what, wanted, time)
        self._peak = DecayingPeak()
        self.is_shedding = False
        self._count = 0

    @property
    def longest(self) -> float:
        """The longest of the last periods [s]; it is forgotten within seconds."""
        return self._peak.value

    def tick(self) -> None:
        """Record a tick."""
        super().tick()
        period = self.last_period()
        self._peak.pass_time(period)
        self._peak.see(period)
        self._count += 1
        if self._count >= self.ticks_per_second:
            self._count = 0
            self._update()

    def conditions(self) -> list[Condition]:
        """Return the fault if the period is too long, and what is left out for it."""
        found = super().conditions()
        if self.is_shedding:
            reason = 'optional output is reduced, telemetry above all: the machine is too slow'
            found.append(Condition(Level.WARN, reason, 'optional output'))
        return found

    def _update(self) -> None:
        missed = self.missed()
        if missed >= SHED_FROM:
            self.is_shedding = True
        elif missed <= SHED_UNTIL:
            self.is_shedding = False
