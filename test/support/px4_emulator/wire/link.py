"""A direction of the link between PX4 and the ROS side."""

import heapq
import random
from typing import Any

from support.px4_emulator.settings import LinkSettings


class Link:
    """Loses, delays and reorders what is sent."""

    def __init__(self, settings: LinkSettings, seed: str) -> None:
        self.settings = settings
        self.is_up = True
        self._random = random.Random(seed)
        self._queue: list[tuple[int, int, Any]] = []
        self._count = 0

    def send(self, now_us: int, item: Any) -> None:
        """Put something on its way."""
        if not self.is_up or (self.settings.loss and self._random.random() < self.settings.loss):
            return
        self._push(now_us, item)

    def due(self, now_us: int) -> list[Any]:
        """Return what arrives up to now, in order of arrival."""
        found = []
        while self._queue and self._queue[0][0] <= now_us:
            found.append(heapq.heappop(self._queue)[2])
        return found

    def cut(self) -> None:
        """Go down; what is under way is lost."""
        self.is_up = False
        self._queue.clear()

    def _push(self, now_us: int, item: Any) -> None:
        delay = self.settings.delay
        if self.settings.jitter:
            delay += self._random.uniform(0.0, self.settings.jitter)
        self._count += 1
        heapq.heappush(self._queue, (now_us + round(delay * 1e6), self._count, item))
