"""A stop request by signal, polled by the main loop."""

import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What asks a process to end: ctrl-C, a service manager or container, a lost terminal."""

ECHO = 1.0
"""Time in which further signals are the same request [s]: the terminal, launch and systemd each
send one."""


def on_stop_signals(handler: Callable[[int, FrameType | None], Any]) -> dict[int, Any]:
    """Let a handler take the signals that ask a process to end; return those before, by number.

    A process started by ``nohup`` ignores the loss of its terminal, and goes on to do so.
    """
    taken = [
        number
        for number in SIGNALS
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN
    ]
    return {number: signal.signal(number, handler) for number in taken}


class Interrupt:
    """Records the signals that ask a process to end, instead of ending it.

    Attributes:
        count: How many have arrived.
        is_repeated: Whether somebody has asked again, when the first request was old enough.
    """

    def __init__(self) -> None:
        """Install the signal handlers."""
        self.count, self.is_repeated, self._first = 0, False, 0.0
        on_stop_signals(self._on_signal)

    def __bool__(self) -> bool:
        """Whether the process was asked to stop."""
        return self.count > 0

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        now = time.monotonic()
        self._first = self._first if self.count else now
        self.is_repeated = now - self._first > ECHO
        self.count += 1
