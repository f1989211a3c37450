"""Clock of a simulated body: number of due updates.

Time is a count of updates since a start, so that it does not drift. After a long stall or a
clock jump the missed updates are skipped.
"""

from typing import NamedTuple

from velocity_mobility_ros.core.time import to_ns

MAX_CATCH_UP = 1.0
"""Longest stall [s] after which missed updates are made; two updates always are."""


class UpdateClock(NamedTuple):
    """Start of the count [ns], and the number of updates made since."""

    start_ns: int
    updates: int


class Due(NamedTuple):
    """The clock after the due updates, their number, and whether updates were skipped."""

    clock: UpdateClock
    count: int
    dropped: bool


def due_updates(clock: UpdateClock, now_ns: int, period_ns: int) -> Due:
    """Return the updates that are due.

    Args:
        clock: State of the clock.
        now_ns: Time [ns].
        period_ns: Time between two updates [ns].
    """
    whole = (now_ns - clock.start_ns) // period_ns
    count = whole - clock.updates
    longest_ns = max(to_ns(MAX_CATCH_UP), 2 * period_ns)
    if 0 <= count * period_ns <= longest_ns:
        return Due(UpdateClock(clock.start_ns, whole), count, False)
    return Due(UpdateClock(now_ns - period_ns, 1), 1, True)
