"""At which ticks of a member its telemetry is published: at those nearest to its own period.

Members of one process take different ones, so that none of its ticks is much longer than others.
"""

GOLDEN_RATIO = 0.618
"""Its multiples, without their whole parts, are spread evenly, however many there are."""


class TelemetryTicks:
    """The ticks of one member."""

    def __init__(self, control_period_ns: int, number: int) -> None:
        """Begin with the first tick.

        Args:
            control_period_ns: Time between two ticks [ns].
            number: Number of the member.
        """
        self._half_tick_ns = control_period_ns // 2
        self._phase = number * GOLDEN_RATIO % 1.0
        self._due_ns = self._period_ns = 0

    def is_due(self, now_ns: int, period_ns: int) -> bool:
        """Return whether a tick [ns] is the nearest to the time at which the next is due.

        Args:
            now_ns: The tick.
            period_ns: Mean time between two messages [ns].
        """
        late_ns = now_ns + self._half_tick_ns - self._due_ns
        is_back = late_ns < -period_ns  # simulated time went back
        if late_ns < 0 and not is_back:
            return False
        is_behind = late_ns > period_ns  # at the first tick, or after a pause
        if is_back or is_behind or period_ns != self._period_ns:
            self._due_ns = now_ns - round(self._phase * period_ns)
        self._due_ns += period_ns
        self._period_ns = period_ns
        return True

    def move(self, step_ns: int) -> None:
        """Keep the times of messages after a step of the clock [ns]."""
        self._due_ns += step_ns
