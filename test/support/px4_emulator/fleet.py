"""Several emulated vehicles on one clock."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from support.px4_emulator.emulator import Px4Emulator, Sent
from support.px4_emulator.settings import Settings


class Place(NamedTuple):
    """Where a vehicle stands: latitude and longitude [deg], altitude [m], heading [rad]."""

    latitude: float
    longitude: float
    altitude: float
    heading: float = 0.0


class Fleet:
    """Vehicles with instance numbers from ``first`` on; each has its own origin."""

    def __init__(
        self,
        places: Sequence[Place],
        settings: Settings | None = None,
        first: int = 0,
        now: float = 0.0,
    ) -> None:
        base = settings or Settings()
        self.vehicles = [
            Px4Emulator(
                replace(base, instance=first + k, seed=base.seed + k, **place._asdict()), now
            )
            for k, place in enumerate(places)
        ]

    def step(self, dt: float) -> list[tuple[Px4Emulator, list[Sent]]]:
        """Advance all by a time [s] and return what each sent."""
        return [(one, one.step(dt)) for one in self.vehicles]
