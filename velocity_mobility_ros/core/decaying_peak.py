"""The largest of the last values, which is forgotten with time."""

DECAY = 3.0
"""Time [s] in which a peak is forgotten: a third of it per second, less and less."""


class DecayingPeak:
    """A peak that decays.

    Attributes:
        value: The peak now.
    """

    def __init__(self) -> None:
        """Begin at 0."""
        self.value = 0.0

    def pass_time(self, elapsed: float) -> None:
        """Decay for a time [s]."""
        self.value *= max(0.0, 1.0 - elapsed / DECAY)

    def see(self, value: float) -> None:
        """Take a value."""
        self.value = max(self.value, value)
