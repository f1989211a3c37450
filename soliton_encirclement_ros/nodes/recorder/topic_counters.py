"""Statistics of a topic: number, size and times of its messages."""

import math


class TopicCounters:
    """Counts the messages of one topic."""

    def __init__(self, name: str, kind: str) -> None:
        """Start at nothing; ``kind`` is the type."""
        self.name, self.kind = name, kind
        self.count = 0
        self.taken_back = 0
        self.bytes = 0
        self.first_ns = 0
        self.last_ns = 0
        self.newest_ns = 0
        self.at_newest = 0

    def add(self, log_ns: int, stamp_ns: int | None, size: int) -> None:
        """Count a message.

        Args:
            log_ns: Time at which it is logged [ns].
            stamp_ns: Its own stamp [ns], None without one.
            size: Its length [bytes].
        """
        if self.count == 0:
            self.first_ns = log_ns
        self.last_ns = log_ns
        self.count += 1
        self.bytes += size
        if stamp_ns is not None and stamp_ns >= self.newest_ns:
            self.at_newest = self.at_newest + 1 if stamp_ns == self.newest_ns else 1
            self.newest_ns = stamp_ns

    @property
    def kept(self) -> int:
        """Number of messages in the bag; a full disk removes the last ones again."""
        return self.count - self.taken_back

    @property
    def rate(self) -> float:
        """Messages per second between the first and the last, NaN if undefined."""
        span = (self.last_ns - self.first_ns) / 1e9
        return (self.count - 1) / span if self.count > 1 and span > 0.0 else math.nan
