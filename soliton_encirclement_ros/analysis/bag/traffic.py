"""How the messages of each topic came: rates, gaps, latency."""

import math
from collections.abc import Callable

import numpy as np

from soliton_encirclement_ros.analysis.bag.clocks import LARGEST_LATENCY, LARGEST_LEAD, Clock
from soliton_encirclement_ros.analysis.bag.raw import Integers
from soliton_encirclement_ros.analysis.bag.rows import Pieces
from soliton_encirclement_ros.analysis.bag.stamps import NO_STAMP
from soliton_encirclement_ros.analysis.recording import Topic


class Traffic:
    """Times of all messages of a topic."""

    def __init__(self, name: str, type_name: str) -> None:
        """Begin with none."""
        self.name, self.type = name, type_name
        self._times = Pieces()
        self._first, self._last = np.iinfo(np.int64).max, np.iinfo(np.int64).min
        self.count = 0

    def add(self, logged: Integers, stamps: Integers) -> None:
        """Take some messages: when they were logged [ns], and their stamps [ns]."""
        self._times.add(logged, stamps)
        self._first = min(self._first, int(logged.min()))
        self._last = max(self._last, int(logged.max()))
        self.count += len(logged)

    def span(self) -> tuple[int, int]:
        """Return when the first and the last were logged [ns]."""
        return self._first, self._last

    def topic(self, clock: Clock) -> Callable[[int], Topic]:
        """Return what gives the figures, once it is known when the recording starts [ns]."""
        logged, stamps = self._times.whole()
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
    """Return median and 95th percentile [s]; NaN where the clocks cannot be compared."""
    has = stamps != NO_STAMP
    if not has.any():
        return math.nan, math.nan
    median, high = np.percentile((received - stamps)[has], (50, 95)).tolist()
    if not -LARGEST_LEAD <= median <= LARGEST_LATENCY:
        return math.nan, math.nan
    return median / 1e9, high / 1e9
