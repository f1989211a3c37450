"""How the messages of each topic came: rates, gaps, latency."""

import math

import numpy as np

from soliton_encirclement_ros.analysis.bag.clocks import LARGEST_LATENCY, LARGEST_LEAD, Clock
from soliton_encirclement_ros.analysis.bag.raw import Integers
from soliton_encirclement_ros.analysis.bag.stamps import NO_STAMP
from soliton_encirclement_ros.analysis.recording import Topic


class Traffic:
    """Times of all messages of a topic."""

    def __init__(self, name: str, type_name: str) -> None:
        """Begin with none."""
        self.name, self.type = name, type_name
        self._logged: list[Integers] = []
        self._stamps: list[Integers] = []
        self.count = 0

    def add(self, logged: Integers, stamps: Integers) -> None:
        """Take some messages: when they were logged [ns], and their stamps [ns]."""
        self._logged.append(logged)
        self._stamps.append(stamps)
        self.count += len(logged)

    def span(self) -> tuple[int, int]:
        """Return when the first and the last were logged [ns]."""
        return (
            min(int(part.min()) for part in self._logged),
            max(int(part.max()) for part in self._logged),
        )

    def topic(self, clock: Clock, start_ns: int) -> Topic:
        """Return the figures, in seconds since the start."""
        received = clock.of_logged(np.concatenate(self._logged))
        latency = self._latency(received)
        times = np.sort(received)
        gaps = np.diff(times)
        longest = int(gaps.argmax()) if len(gaps) else -1
        span = int(times[-1] - times[0])
        return Topic(
            self.name,
            self.type,
            self.count,
            (int(times[0]) - start_ns) / 1e9,
            (int(times[-1]) - start_ns) / 1e9,
            len(gaps) / (span / 1e9) if span > 0 else math.nan,
            int(gaps[longest]) / 1e9 if longest >= 0 else math.nan,
            (int(times[longest]) - start_ns) / 1e9 if longest >= 0 else math.nan,
            *latency,
        )

    def _latency(self, received: Integers) -> tuple[float, float]:
        """Return median and 95th percentile [s]; NaN where the clocks cannot be compared."""
        stamps = np.concatenate(self._stamps)
        has = stamps != NO_STAMP
        if not has.any():
            return math.nan, math.nan
        median, high = np.percentile((received - stamps)[has], (50, 95)).tolist()
        if not -LARGEST_LEAD <= median <= LARGEST_LATENCY:
            return math.nan, math.nan
        return median / 1e9, high / 1e9
