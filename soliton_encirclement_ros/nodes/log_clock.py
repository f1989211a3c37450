"""Log time of a message: the time of arrival, or in simulated time that of its stamp.

If the clock of the computer is set, log times go on as if it were not: a bag has one even time.
"""

import time
from collections.abc import Callable

LARGEST_SKEW_NS = 600_000_000_000
"""Distance [ns] from the simulated clock beyond which a stamp is ignored."""


class LogClock:
    """The clock of a bag."""

    def __init__(self, simulated: bool, join: bool) -> None:
        """Begin at 0 of simulated time.

        Args:
            simulated: Whether messages are logged in simulated time.
            join: Whether a simulation may be running already: time is unknown until ``/clock``,
                and may start again. Otherwise it only moves forward, and not by leaps.
        """
        self._simulated, self._join = simulated, join
        self._set_ns, self._is_being_set = 0, False
        self.now_simulated_ns = 0
        self.known = not join

    def receive(self, stamp_ns: int) -> int:
        """Store a time of ``/clock`` [ns]; return by how much time went back [ns]."""
        ahead_ns = stamp_ns - self.now_simulated_ns
        leaps = not self._join and not 0 <= ahead_ns <= LARGEST_SKEW_NS
        if stamp_ns < 0 or leaps:
            return 0
        back_ns = max(0, -ahead_ns) if self.known else 0
        self.now_simulated_ns, self.known = stamp_ns, True
        return back_ns

    def look(self, now_ns: Callable[[], int]) -> None:
        """Notice by ``now_ns`` whether the computer's clock was set, before messages are logged.

        Those that arrived between two looks around a step are logged at the present.
        """
        self._is_being_set = False
        now_ns()

    def move(self, step_ns: int) -> None:
        """Let log times go on evenly after a step of the computer's clock [ns]."""
        self._set_ns += step_ns
        self._is_being_set = True

    def now_ns(self) -> int:
        """Return the present time [ns]."""
        return self.now_simulated_ns if self._simulated else time.time_ns()

    def log_time_ns(self, stamp_ns: int | None, received_ns: int | None = None) -> int:
        """Return the log time of a message [ns]; with an implausible stamp it is the present.

        Args:
            stamp_ns: Its own stamp [ns], None without one.
            received_ns: When it was received [ns]; None: just now.
        """
        if not self._simulated:
            is_known = received_ns is not None and not self._is_being_set
            return (received_ns if is_known else self.now_ns()) - self._set_ns
        if stamp_ns is None or stamp_ns < 0:
            return self.now_ns()
        believable = abs(stamp_ns - self.now_simulated_ns) <= LARGEST_SKEW_NS
        return stamp_ns if believable else self.now_simulated_ns
