"""Number of ticks to fly before the caller gets control again."""

import time
from collections.abc import Callable

TURN = 0.1
"""Wall time [s] of one turn, approximately."""

GROWTH = 8.0
"""Maximum factor between the lengths of two turns."""


class ChunkSizer:
    """Adapts the number of ticks per turn to the measured wall time."""

    def __init__(self) -> None:
        """Begin with a single tick."""
        self.ticks = 1

    def turn(self, advance: Callable[[int], None]) -> None:
        """Advance the caller by as many ticks as should fit, and adapt to the time it took."""
        began = time.monotonic()
        advance(self.ticks)
        spent = time.monotonic() - began
        share = TURN / spent if spent > 0.0 else GROWTH
        self.ticks = max(1, int(self.ticks * min(GROWTH, share)))
