"""What followed from messages that come again, bounded in number and bytes.

Those of a stranger are never the same, and must not fill the memory.
"""

from typing import Generic, TypeVar

from velocity_mobility_ros.core.cdr_readers import MAX_LAYOUT_BYTES

Key = TypeVar('Key')
Result = TypeVar('Result')

MAX_BYTES = MAX_LAYOUT_BYTES
"""Bytes of the messages whose results are kept, at most: six of 1000 agents that each have eight
fields and tell of four silent ones, or 36 without these. Results take up to seven times as
much."""


class BoundedCache(Generic[Key, Result]):
    """Results by what they follow from; the oldest ones make room for new ones."""

    def __init__(self, most: int) -> None:
        """Begin without a result; so many are kept at most."""
        self._most, self._bytes = most, 0
        self._known: dict[Key, Result] = {}
        self._sizes: dict[Key, int] = {}
        self.find = self._known.get

    def keep(self, key: Key, result: Result, size: int) -> Result:
        """Return a result; it is kept if the bytes of its message have room at all."""
        if size > MAX_BYTES:
            return result
        while self._known and (
            len(self._known) >= self._most or self._bytes + size > MAX_BYTES
        ):
            oldest = next(iter(self._known))
            del self._known[oldest]
            self._bytes -= self._sizes.pop(oldest)
        self._known[key], self._sizes[key] = result, size
        self._bytes += size
        return result
