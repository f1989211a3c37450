"""A stop request by signal, polled by the main loop."""

import signal
import time
from types import FrameType

ECHO = 1.0
"""Time in which further signals are the same request [s]: the terminal, launch and systemd each
send one."""


class Interrupt:
    """Records SIGINT, SIGTERM and SIGHUP instead of ending the process.

    Attributes:
        count: How many have arrived.
        is_repeated: Whether somebody has asked again, when the first request was old enough.
    """

    def __init__(self) -> None:
        """Install the signal handlers."""
        self.count, self.is_repeated, self._first = 0, False, 0.0
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def __bool__(self) -> bool:
        """Whether the process was asked to stop."""
        return self.count > 0

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        now = time.monotonic()
        self._first = self._first if self.count else now
        self.is_repeated = now - self._first > ECHO
        self.count += 1
