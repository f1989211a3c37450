"""Time stamps as PX4's client makes and reads them."""

import random

from support.px4_emulator.settings import Settings

LARGEST_LAG_US = 225_000
"""How far the stamps fall behind the agent's clock."""

CONVERGENCE = 60.0
"""Time constant of the client's clock filter [s]."""

SYNC_TIME = 2.0
"""Time after boot until the clock is synchronised [s]; stamps before are of boot."""


class Px4Clock:
    """Boot time, and the shift of stamps to the agent's epoch.

    The shift is wrong by up to 225 ms after a time jump and converges slowly.
    """

    def __init__(self, settings: Settings, now_us: int) -> None:
        self._settings = settings
        self._random = random.Random(f'{settings.seed}/clock')
        self._epoch_us = settings.epoch_us
        self.raw_left = 0
        self.start(now_us, settings.uptime)

    def start(self, now_us: int, uptime: float) -> None:
        """Begin at an uptime [s]."""
        self._boot_us = now_us - round(uptime * 1e6)
        self._lag_us = self._random.uniform(0.3, 1.0) * LARGEST_LAG_US
        self._next_jump_us = self._draw_jump(now_us)

    def boot(self, now_us: int) -> int:
        """Return the time since boot [us]."""
        return now_us - self._boot_us

    def epoch(self, now_us: int) -> int:
        """Return the agent host's Unix time [us]."""
        return self._epoch_us + now_us

    def is_synchronised(self, now_us: int) -> bool:
        return self.boot(now_us) >= SYNC_TIME * 1e6

    def step(self, now_us: int, dt: float) -> None:
        """Converge, and jump when it is time."""
        self._lag_us -= self._lag_us * dt / CONVERGENCE
        if self._next_jump_us is not None and now_us >= self._next_jump_us:
            self.jump(now_us)
            self._next_jump_us = self._draw_jump(now_us)

    def jump(self, now_us: int, by_us: int = 0) -> None:
        """Detect a time jump: one message carries raw boot time; the host's clock moves."""
        self._epoch_us += by_us
        self._lag_us = self._random.uniform(0.3, 1.0) * LARGEST_LAG_US
        self.raw_left = 1

    def offset(self, now_us: int) -> int:
        """Return what the client adds to boot time [us]."""
        return self.epoch(now_us) - round(self._lag_us) - self.boot(now_us)

    def out(self, now_us: int) -> int:
        """Return the stamp of a message that leaves now."""
        if not self.is_synchronised(now_us):
            return self.boot(now_us)
        if self.raw_left:
            self.raw_left -= 1
            return self.boot(now_us)
        return self.boot(now_us) + self.offset(now_us)

    def into(self, stamp: int, now_us: int) -> int:
        """Return the boot time [us] of a stamp: 0, the future and nonsense are now."""
        boot = self.boot(now_us)
        if stamp == 0:
            return boot
        past = stamp - self.offset(now_us) if self.is_synchronised(now_us) else stamp
        return past if 0 <= past <= boot else boot

    def _draw_jump(self, now_us: int) -> int | None:
        mean = self._settings.time_jump_period
        return now_us + round(self._random.uniform(0.8, 1.2) * mean * 1e6) if mean else None
