"""Time as a step count, ``t_k = t_0 + k dt``, never a running sum; clocks that follow from it.

A timeout is over, or not, by whole nanoseconds. A limiter moves by ``rate dt``, so a wrong ``dt``
is a wrong limit:

    same time again         dt = 0, the output holds
    time goes back          dt = 0, the output holds, the clock follows and counts a setback
    longer than max_dt      dt = max_dt: a stalled node does not leap when it wakes up

A peak that decays is the largest of the last values, forgotten with time.
"""

import math
from typing import NamedTuple

LARGEST_RATIO = 1e9


def step_ns(step: int, period: float, start_ns: int = 0) -> int:
    """Return the time of a step [ns], rounded to a whole nanosecond.

    Args:
        step: Step count.
        period: Step length [s].
        start_ns: Time of step 0 [ns].
    """
    return start_ns + round(step * period * 1e9)


def to_seconds(time_ns: int) -> float:
    """Return a time or a duration in seconds."""
    return time_ns / 1e9


def to_ns(seconds: float) -> int:
    """Return a duration in whole nanoseconds."""
    return round(seconds * 1e9)


def whole_ratio(period: float, part: float) -> int | None:
    """Return ``period / part`` if it is an integer, else None."""
    exact = period / part
    ratio = round(exact) if exact < LARGEST_RATIO else 0
    if ratio >= 1 and abs(ratio * part - period) <= 1e-9 * period:
        return ratio
    return None


def short_timeout(name: str, timeout: float, period_name: str, period: float, effect: str) -> str:
    """Return a warning for a timeout shorter than the period of its messages, else empty.

    Args:
        name: Name of the timeout.
        timeout: The timeout [s]; 0: none.
        period_name: Name of the period.
        period: Time between two messages [s].
        effect: The consequence.
    """
    if timeout == 0.0 or timeout >= period:
        return ''
    return (
        f'{name} = {timeout:g} s is below {period_name} = {period:g} s: {effect}; '
        f'set it to {period:g} or more'
    )


def lasting(age: float) -> str:
    """Return for how long something has lasted [s], as text.

    It is rounded up, so that what is longer than a limit is not said to be shorter.
    """
    return f'{math.ceil(round(10.0 * age, 6)) / 10.0:.1f} s'


def is_overdue(command_ns: int, now_ns: int, timeout: float) -> bool:
    """Return whether a command has timed out.

    Args:
        command_ns: Time of its arrival [ns].
        now_ns: Time [ns].
        timeout: Its timeout [s]; 0: none.
    """
    return timeout > 0.0 and now_ns - command_ns > to_ns(timeout)


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


DECAY = 3.0
"""Time [s] in which a peak is forgotten: a third of it per second, less and less."""


class DecayingPeak:
    """A peak that decays.

    Attributes:
        value: The peak now.
    """

    def __init__(self) -> None:
        """Begin at 0."""
        self.value = 0.0

    def pass_time(self, elapsed: float) -> None:
        """Decay for a time [s]."""
        self.value *= max(0.0, 1.0 - elapsed / DECAY)

    def see(self, value: float) -> None:
        """Take a value."""
        self.value = max(self.value, value)
