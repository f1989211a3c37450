"""A stop request by signal, polled by the main loop."""

import signal
from types import FrameType


class Interrupt:
    """Records SIGINT, SIGTERM and SIGHUP instead of ending the process."""

    def __init__(self) -> None:
        """Install the signal handlers."""
        self.count = 0
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def __bool__(self) -> bool:
        """Whether the process was asked to stop."""
        return self.count > 0

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self.count += 1
