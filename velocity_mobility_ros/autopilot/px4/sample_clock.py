"""Which stamp the odometry of a PX4 gets: its own, or that of its arrival.

The client shifts stamps to the clock of the agent's computer. Until it knows the offset, and once
whenever it finds a jump of the clocks, a message carries the time since the boot of PX4.
"""

from typing import NamedTuple

MAX_OFFSET_NS = 500_000_000
"""Largest difference between a stamp and the time of arrival [ns]."""

GOOD_AFTER, BAD_AFTER = 20, 20
"""So many good stamps in a row are believed, so many bad ones are not any more."""

GOOD_AGAIN = 500
"""So many good ones in a row are believed after bad ones: 5 s at 100 Hz."""


class SampleClock(NamedTuple):
    """Memory of the stamps.

    Attributes:
        is_synchronised: Whether stamps are used.
        streak: Number of stamps in a row that contradict that.
        has_failed: Whether stamps were used and then not any more.
        last_ns: The last stamp that was returned [ns].
    """

    is_synchronised: bool = False
    streak: int = 0
    has_failed: bool = False
    last_ns: int = 0


def stamped(
    clock: SampleClock, sampled_us: int, received_ns: int
) -> tuple[SampleClock, int | None]:
    """Return the memory and the stamp of a message [ns]; None: drop it.

    Stamps do not go back, but for when the clock of this computer has been set back.

    Args:
        clock: The memory.
        sampled_us: Stamp of the message [us].
        received_ns: Time of its arrival by the clock of this computer [ns].
    """
    clock, stamp_ns = _chosen(clock, 1000 * sampled_us, received_ns)
    if stamp_ns is None or 0 < clock.last_ns - stamp_ns < MAX_OFFSET_NS:
        return clock, None
    return clock._replace(last_ns=stamp_ns), stamp_ns


def _chosen(clock: SampleClock, stamp_ns: int, received_ns: int) -> tuple[SampleClock, int | None]:
    """Return the memory, and the message's own stamp or the time of its arrival [ns]."""
    is_good = abs(received_ns - stamp_ns) < MAX_OFFSET_NS
    if is_good is clock.is_synchronised:
        return clock._replace(streak=0), stamp_ns if is_good else received_ns
    clock = clock._replace(streak=clock.streak + 1)
    needed = BAD_AFTER if clock.is_synchronised else GOOD_AGAIN if clock.has_failed else GOOD_AFTER
    if clock.streak < needed:
        return clock, None if clock.is_synchronised else received_ns
    if clock.is_synchronised:
        clock = clock._replace(is_synchronised=False, streak=0, has_failed=True)
        return clock, received_ns
    return clock._replace(is_synchronised=True, streak=0), stamp_ns
