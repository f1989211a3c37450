"""The clock of a simulated body: how many updates are due, and when a command is too old.

Time is a count of updates since a start, so that it does not drift. After a longer stall, or a
jump of the clock, the lost time is dropped instead of made up for.
"""

from typing import NamedTuple

from velocity_mobility_ros.core.time import to_ns

MAX_CATCH_UP = 1.0
"""Longest time [s] that is made up for; two updates are in any case."""


class UpdateClock(NamedTuple):
    """When the count of updates began [ns], and how many were made since."""

    start_ns: int
    updates: int


class Due(NamedTuple):
    """The clock after its updates are made, how many these are, and whether time was dropped."""

    clock: UpdateClock
    count: int
    dropped: bool


def due_updates(clock: UpdateClock, now_ns: int, period_ns: int) -> Due:
    """Return the updates that are due.

    Args:
        clock: What was made so far.
        now_ns: Time [ns].
        period_ns: Time between two updates [ns].
    """
    whole = (now_ns - clock.start_ns) // period_ns
    count = whole - clock.updates
    longest_ns = max(to_ns(MAX_CATCH_UP), 2 * period_ns)
    if 0 <= count * period_ns <= longest_ns:
        return Due(UpdateClock(clock.start_ns, whole), count, False)
    return Due(UpdateClock(now_ns - period_ns, 1), 1, True)


def is_overdue(command_ns: int, now_ns: int, timeout: float) -> bool:
    """Say whether a command is too old to be followed.

    Args:
        command_ns: When it came [ns].
        now_ns: Time [ns].
        timeout: How long it counts [s]; 0: for ever.
    """
    return timeout > 0.0 and now_ns - command_ns > to_ns(timeout)
