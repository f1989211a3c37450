"""What EKF2 makes of the true state, as far as a bridge sees it."""

import math
import random
from typing import NamedTuple

from support.px4_emulator.estimate.counters import Counters
from support.px4_emulator.estimate.projection import to_global, to_local
from support.px4_emulator.flight.body import Truth
from support.px4_emulator.settings import Settings
from velocity_mobility_ros.core.velocity_model import Vector

ALIGNMENT = 4.0
"""Time from boot to the first estimate [s]."""

NO_AID_TIME = 5.1
"""Time without GPS after which the position is invalid [s]."""

FIRST_CLIMB = 1.6
"""Height of the first climb at which the heading is reset [m]."""

DRIFT = -0.41, -0.13
"""How fast the estimate runs away without GPS, north and east [m/s]."""

GOOD_EPH, GOOD_EVH = 0.3, 0.1


class Reference(NamedTuple):
    """Origin of the local frame [deg, m AMSL], and the boot time [us] when it was set."""

    latitude: float
    longitude: float
    altitude: float
    stamp: int


class Estimate(NamedTuple):
    """The estimate: local NED [m, m/s], heading [rad], WGS84 [deg, m]; and its quality."""

    position: Vector
    velocity: Vector
    heading: float
    latitude: float
    longitude: float
    altitude: float
    xy_valid: bool
    is_valid: bool
    dead_reckoning: bool
    eph: float
    evh: float


NAN = math.nan
NO_ESTIMATE = Estimate(
    (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, NAN, NAN, NAN, False, False, False, NAN, NAN
)
"""Before the first estimate."""


class Estimator:
    """Origin at the true place, errors, validity and resets."""

    def __init__(self, settings: Settings, truth: Truth, boot_us: int) -> None:
        self._settings = settings
        self._random = random.Random(f'{settings.seed}/estimator')
        self.reference = Reference(0.0, 0.0, 0.0, 0)
        self._error = 0.0, 0.0
        self._align(truth, boot_us, settings.uptime < ALIGNMENT)

    @property
    def heading_error(self) -> float:
        return self._heading_error

    @property
    def velocity_error(self) -> tuple[float, float]:
        """Error of the velocity north and east [m/s]: the drift."""
        return (0.0, 0.0) if self._gps_off_us is None else self.drift

    def _align(self, truth: Truth, boot_us: int, is_cold: bool) -> None:
        """Start anew at the true place, or begin to."""
        self.counters = Counters()
        self._gps_off_us: int | None = None
        self.drift = DRIFT
        self.gps_eph = GOOD_EPH
        self._drifted = (0.0, 0.0)
        self._offset = (0.0, 0.0, 0.0)
        self._heading_error = self._random.choice((-1, 1)) * self._random.uniform(0.01, 0.28)
        self._has_climbed = False
        self._ready_us = round(ALIGNMENT * 1e6) if is_cold else boot_us
        self._is_ready = False
        self.step(truth, boot_us, 0.0)

    def restart(self, truth: Truth) -> None:
        """Reboot."""
        self._align(truth, 0, is_cold=True)

    def step(self, truth: Truth, boot_us: int, dt: float) -> None:
        """Take a new true state."""
        if not self._is_ready and boot_us >= self._ready_us:
            self._begin(truth, boot_us)
        if self._gps_off_us is not None:
            n, e = self._drifted
            self._drifted = n + self.drift[0] * dt, e + self.drift[1] * dt
        if not self._has_climbed and truth.height > FIRST_CLIMB:
            self._has_climbed = True
            self.counters.jump(heading=-self._heading_error)
            self._heading_error = 0.0
        self.estimate = self._estimated(truth, boot_us)

    def _begin(self, truth: Truth, boot_us: int) -> None:
        """Set the origin where GPS says that it is."""
        sigma = self._settings.gps_error
        self._error = self._random.gauss(0.0, sigma), self._random.gauss(0.0, sigma)
        place = to_global(*self._error, truth.latitude, truth.longitude)
        self.reference = Reference(*place, truth.altitude, boot_us)
        self.counters.align(self._random)
        self._is_ready = True

    def gps(self, is_on: bool, boot_us: int) -> None:
        """Turn GPS off, or on again: then all that ran away comes back in one jump."""
        if not is_on:
            self._gps_off_us = boot_us if self._gps_off_us is None else self._gps_off_us
        elif self._gps_off_us is not None:
            (n, e), (vn, ve) = self._drifted, self.drift
            self._gps_off_us, self._drifted = None, (0.0, 0.0)
            self.counters.jump(xy=(-n, -e), vxy=(-vn, -ve), z=0.0)

    def shift(
        self,
        xy: tuple[float, float] | None = None,
        z: float | None = None,
        heading: float | None = None,
    ) -> None:
        """Reset the estimate by jumps north, east, down [m] and of the heading [rad]."""
        n, e, d = self._offset
        if xy is not None:
            n, e = n + xy[0], e + xy[1]
            self.counters.jump(xy=xy)
        if z is not None:
            d += z
            self.counters.jump(z=z)
        if heading is not None:
            self._heading_error += heading
            self.counters.jump(heading=heading)
        self._offset = n, e, d

    def set_reference(
        self, latitude: float, longitude: float, altitude: float, boot_us: int
    ) -> None:
        """Move the origin; the estimated place on Earth stays."""
        before = self.estimate
        self.reference = Reference(latitude, longitude, altitude, boot_us)
        x, y = to_local(before.latitude, before.longitude, latitude, longitude)
        px, py, pz = before.position
        self.counters.jump(xy=(x - px, y - py), z=altitude - before.altitude - pz)
        # What the estimate has wandered off is now part of the place on Earth.
        self._error = self._error[0] + self._offset[0], self._error[1] + self._offset[1]
        self._offset = 0.0, 0.0, self._offset[2]

    def _estimated(self, truth: Truth, boot_us: int) -> Estimate:
        if not self._is_ready:
            return NO_ESTIMATE
        ref = self.reference
        lat, lon = to_global(*self._error, truth.latitude, truth.longitude)
        x, y = to_local(lat, lon, ref.latitude, ref.longitude)
        (n, e), (on, oe, od) = self._drifted, self._offset
        position = x + n + on, y + e + oe, ref.altitude - truth.altitude + od
        vn, ve = self.velocity_error
        velocity = truth.velocity[0] + vn, truth.velocity[1] + ve, truth.velocity[2]
        blind = 0.0 if self._gps_off_us is None else 1e-6 * (boot_us - self._gps_off_us)
        if n or e or on or oe:
            lat, lon = to_global(position[0], position[1], ref.latitude, ref.longitude)
        return Estimate(
            position, velocity,
            math.remainder(truth.heading + self._heading_error, 2.0 * math.pi),
            lat, lon, ref.altitude - position[2],
            xy_valid=blind < NO_AID_TIME,
            is_valid=True,
            dead_reckoning=blind > 0.0,
            eph=self.gps_eph + 0.5 * blind,
            evh=GOOD_EVH + 0.1 * blind,
        )  # fmt: skip
