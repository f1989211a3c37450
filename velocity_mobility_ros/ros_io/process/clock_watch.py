"""Begins the timers of an executor anew when the clock of its computer is set.

A library that was built for old C libraries, as the wheels of ROS are, waits for a steady time by
the system clock (libstdc++ without ``pthread_cond_clockwait``). So a clock that is set back by an
hour while the events executor waits for its next timer stops that timer for an hour. A timer that
is reset is waited for by the new clock.

Threading: a thread of its own looks at the clock; timers are reset by that of the executor.
"""

import threading
import time
from collections.abc import Callable

from rclpy.executors import Executor

LOOK_PERIOD = 0.1
"""Steady time [s] between two looks at the clocks."""

LEAST_STEP_NS = 20_000_000
"""Smallest step [ns] between two looks that counts."""


def read_clocks() -> tuple[int, int]:
    """Return the time of the clock that may be set, and that of the steady one [ns].

    They are read anew where the process was interrupted amid the two: that is no step.
    """
    while True:
        before_ns, now_ns, after_ns = time.monotonic_ns(), time.time_ns(), time.monotonic_ns()
        if after_ns - before_ns < LEAST_STEP_NS // 2:
            return now_ns, after_ns


class ClockWatch:
    """Looks at the clock until its block is left."""

    def __init__(
        self, act: Callable[[], object], read: Callable[[], tuple[int, int]] = read_clocks
    ) -> None:
        """Take the first look.

        Args:
            act: Called by another thread after a step.
            read: Returns the times of both clocks [ns].
        """
        self._act, self._read = act, read
        self._is_over = threading.Event()
        self._ahead_ns = self._offset_ns()

    def __enter__(self) -> 'ClockWatch':
        """Look from now on."""
        threading.Thread(target=self._run, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        """Look no more."""
        self._is_over.set()

    def _run(self) -> None:
        while not self._is_over.wait(LOOK_PERIOD):
            self.look()

    def _offset_ns(self) -> int:
        now_ns, steady_ns = self._read()
        return now_ns - steady_ns

    def look(self) -> None:
        """Act if the clock was set since the last look."""
        before_ns, self._ahead_ns = self._ahead_ns, self._offset_ns()
        if abs(self._ahead_ns - before_ns) >= LEAST_STEP_NS:
            self._act()


def watch_clock(executor: Executor) -> ClockWatch:
    """Return what begins the timers of an executor anew whenever the clock is set."""
    return ClockWatch(lambda: executor.create_task(lambda: reset_timers(executor)))


def reset_timers(executor: Executor) -> None:
    """Let every running timer of an executor begin its period now."""
    for node in executor.get_nodes():
        for timer in node.timers:
            if not timer.is_canceled():
                timer.reset()
