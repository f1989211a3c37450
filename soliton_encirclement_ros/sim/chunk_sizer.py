"""How far to fly before somebody looks up again."""

import time
from collections.abc import Callable

TURN = 0.1
"""Wall time [s] between two looks, about."""

GROWTH = 8.0
"""By how much a turn may be longer than the one before."""


class ChunkSizer:
    """Learns how many ticks fit into a turn, whatever the time is spent on."""

    def __init__(self) -> None:
        """Begin with a single tick."""
        self.ticks = 1

    def turn(self, advance: Callable[[int], None]) -> None:
        """Let somebody advance by as many ticks as should fit, and learn from how long it took."""
        began = time.monotonic()
        advance(self.ticks)
        spent = time.monotonic() - began
        share = TURN / spent if spent > 0.0 else GROWTH
        self.ticks = max(1, int(self.ticks * min(GROWTH, share)))
