"""A stop request from outside, noticed when it suits."""

import signal
from types import FrameType


class Interrupt:
    """Remembers SIGINT and SIGTERM instead of tearing the process apart."""

    def __init__(self) -> None:
        """Take the signals over."""
        self.count = 0
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def __bool__(self) -> bool:
        """Whether the process was asked to stop."""
        return self.count > 0

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self.count += 1
