"""Statistics of the messages of each topic: rates, gaps, latency."""

import math
from collections.abc import Callable

import numpy as np

from soliton_encirclement_ros.analysis.bag.assembly.clocks import (
    LARGEST_LATENCY,
    LARGEST_LEAD,
    SECOND,
    Clock,
    in_order,
)
from soliton_encirclement_ros.analysis.bag.decoding.header_stamps import NO_STAMP, StampTally
from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Columns, Pieces
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers
from soliton_encirclement_ros.analysis.recording import Topic

MAX_LATENCY = 3600 * SECOND
"""Beyond this [ns], some of the stamps are from another clock."""


class TopicStatistics:
    """Times of all messages of a topic.

    Attributes:
        tally: Counts its invalid stamps.
    """

    def __init__(self, name: str, type_name: str) -> None:
        """Begin with none."""
        self.name, self.type = name, type_name
        self._times = Pieces()
        self._columns: Columns | None = None
        self.count = 0
        self.tally = StampTally()

    def add(self, logged: Integers, stamps: Integers) -> None:
        """Take some messages: when they were logged [ns], and their stamps [ns]."""
        self._times.add(logged, stamps)
        self.count += len(logged)

    def span(self) -> tuple[int, int]:
        """Return when the first and the last were logged [ns]."""
        logged = self._settled()[0]
        return int(logged.min()), int(logged.max())

    def times(self) -> Columns:
        """Return log times [ns] and stamps [ns] of all, in order, without wrong ones."""
        return self._settled()

    def _settled(self) -> Columns:
        """Return all times in order, without single ones that are far off."""
        if self._columns is None:
            logged, stamps = self._times.whole()
            kept = in_order(logged)
            self._columns = logged[kept], stamps[kept]
        return self._columns

    def topic(self, clock: Clock) -> Callable[[int], Topic]:
        """Return the input of the figures, once the start of the recording is known [ns]."""
        logged, stamps = self._settled()
        if self.tally.is_useless:
            stamps = np.full_like(stamps, NO_STAMP)
        received = clock.of_logged(logged)
        latency = _latency(received, stamps)
        times = np.sort(received)
        gaps = np.diff(times)
        longest = int(gaps.argmax()) if len(gaps) else -1
        span = int(times[-1] - times[0])
        rate = len(gaps) / (span / 1e9) if span > 0 else math.nan
        gap = int(gaps[longest]) / 1e9 if longest >= 0 else math.nan
        edges = int(times[0]), int(times[-1]), int(times[longest])

        def figures(start_ns: int) -> Topic:
            first, last, gap_at = ((edge - start_ns) / 1e9 for edge in edges)
            at = gap_at if longest >= 0 else math.nan
            return Topic(
                self.name, self.type, self.count, first, last, rate, gap, at, *latency
            )  # fmt: skip

        return figures


def _latency(received: Integers, stamps: Integers) -> tuple[float, float]:
    """Return median and 95th percentile [s]; NaN if the clocks are not comparable."""
    has = stamps != NO_STAMP
    if not has.any():
        return math.nan, math.nan
    median, high = np.percentile((received - stamps)[has], (50, 95)).tolist()
    if not -LARGEST_LEAD <= median <= LARGEST_LATENCY:
        return math.nan, math.nan
    return median / 1e9, high / 1e9 if high <= MAX_LATENCY else math.nan
