"""What is said before the simulated clock is known, kept until it is."""

from collections import deque
from typing import NamedTuple

LARGEST = 64_000_000
"""Bytes that are kept; beyond, the oldest go, but never what is said only once."""


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
        """Keep a message; ``latched`` ones are said once and are kept in any case."""
        if latched:
            self._latched.append(message)
            return
        self._others.append(message)
        self._bytes += len(message.data)
        while self._bytes > LARGEST:
            self._bytes -= len(self._others.popleft().data)
            self.left_out += 1

    def take(self) -> list[Early]:
        """Return everything that was kept, latched messages first, and forget it."""
        found = [*self._latched, *self._others]
        self._latched, self._others, self._bytes = [], deque(), 0
        return found
