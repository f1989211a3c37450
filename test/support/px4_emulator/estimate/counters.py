"""Reset counters of the estimator, and the last jump of each."""

import random
from dataclasses import dataclass, field

PARTS = 'xy', 'z', 'vxy', 'vz', 'heading'


@dataclass
class Counters:
    """A counter (0 to 255) and a jump for each part of the estimate."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    xy: tuple[float, float] = (0.0, 0.0)
    vxy: tuple[float, float] = (0.0, 0.0)
    z: float = 0.0
    vz: float = 0.0
    heading: float = 0.0

    @property
    def total(self) -> int:
        """The counter of VehicleOdometry: the sum of all."""
        return sum(self.counts.values()) % 256

    def jump(self, **deltas: float | tuple[float, float]) -> None:
        """Count a jump of each part that is named."""
        for part, delta in deltas.items():
            self.counts[part] = (self.counts[part] + 1) % 256
            setattr(self, part, delta)

    def align(self, draws: random.Random) -> None:
        """Count what happens before anybody looks: 11 to 13 resets in all."""
        self.counts = {'xy': 2, 'z': 2, 'vxy': 3, 'vz': 2, 'heading': 2}
        self.counts['z'] += draws.randint(0, 2)
