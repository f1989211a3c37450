"""The time between two updates of a limiter.

A limiter moves by ``rate dt``, so a wrong ``dt`` is a wrong limit:

    same time again         dt = 0, the output holds
    time goes back          dt = 0, the output holds, the clock follows and counts a setback
    longer than max_dt      dt = max_dt: a stalled node does not leap when it wakes up
"""

from typing import NamedTuple

from velocity_mobility_ros.core.time import to_seconds


class LimiterClock(NamedTuple):
    """Time of the last update [ns], and how often time went back."""

    time_ns: int
    setbacks: int


class Elapsed(NamedTuple):
    """The clock after an update, and the time since the last one [s]; 0: hold the output."""

    clock: LimiterClock
    dt: float


def elapsed(clock: LimiterClock, now_ns: int, max_dt: float) -> Elapsed:
    """Return the time that a limiter may use.

    Args:
        clock: State of the clock.
        now_ns: Time [ns].
        max_dt: Longest time that counts [s], > 0.
    """
    if now_ns < clock.time_ns:
        return Elapsed(LimiterClock(now_ns, clock.setbacks + 1), 0.0)
    dt = to_seconds(now_ns - clock.time_ns)
    return Elapsed(LimiterClock(now_ns, clock.setbacks), min(dt, max_dt))
