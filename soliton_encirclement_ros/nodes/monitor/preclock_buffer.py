"""Buffer for messages that arrive before the simulated clock is known."""

from collections import deque
from typing import NamedTuple

LARGEST = 64_000_000
"""Maximum bytes; beyond, the oldest are dropped, but never latched messages."""


class Early(NamedTuple):
    """A message with its stamp [ns], None without one."""

    topic: str
    stamp_ns: int | None
    data: bytes


class PreclockBuffer:
    """A bounded store."""

    def __init__(self) -> None:
        """Begin empty."""
        self._latched: list[Early] = []
        self._others: deque[Early] = deque()
        self._bytes = 0
        self.left_out = 0

    def add(self, message: Early, latched: bool) -> None:
        """Store a message; ``latched`` ones are published once and are kept in any case."""
        if latched:
            self._latched.append(message)
            return
        self._others.append(message)
        self._bytes += len(message.data)
        while self._bytes > LARGEST:
            self._bytes -= len(self._others.popleft().data)
            self.left_out += 1

    def take(self) -> list[Early]:
        """Return all stored messages, latched ones first, and clear the buffer."""
        found = [*self._latched, *self._others]
        self._latched, self._others, self._bytes = [], deque(), 0
        return found
