"""When which topic is published."""

from collections.abc import Callable, Hashable, Iterator

from support.px4_emulator.wire.releases import Release


class Publisher:
    """Rates, and messages on change. Times are in [us]."""

    def __init__(self, release: Release, now: int) -> None:
        self._rates = release.rates
        self._next = {topic: now for topic, rate in release.rates.items() if rate.steady}
        self._last: dict[str, int] = {}
        self._keys: dict[str, Hashable] = {}

    def due(self, now: int, keys: dict[str, Callable[[], Hashable]]) -> Iterator[str]:
        """Iterate over the topics to publish now.

        Args:
            now: Time.
            keys: For topics that are published on change: what must differ.
        """
        for topic, at in self._next.items():
            key = keys[topic]() if topic in keys else None
            if now >= at or (key != self._keys.get(topic) and self._may(topic, now)):
                self._keys[topic] = key
                self._last[topic] = now
                yield topic
                self._schedule(topic, now, at)

    def _may(self, topic: str, now: int) -> bool:
        most = self._rates[topic].at_most
        return most is None or now - self._last.get(topic, 0) >= 1e6 / most

    def _schedule(self, topic: str, now: int, at: int) -> None:
        period = round(1e6 / self._rates[topic].steady)
        self._next[topic] = at + period if at <= now < at + period else now + period
