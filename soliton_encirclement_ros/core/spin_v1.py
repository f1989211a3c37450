"""The seed's spin law: PD on the raw centre error.

Source: the soliton encirclement experiment for GrADyS-SIM NG, first version, behaviour as it is.
"""

import math

from velocity_mobility_ros.core.frames import wrap_pi
from velocity_mobility_ros.core.limits import limit_abs

from soliton_encirclement_ros.core.spin import SpinGains


class SpinV1:
    """``omega = kp err + kd err'`` within limits; the base rate only if both gains are 0."""

    def __init__(self, gains: SpinGains) -> None:
        """Start without memory."""
        self._gains = gains
        self._last_err = 0.0
        self._last_time: float | None = None

    def update(self, now: float, err: float, known: bool = True) -> float:
        """Return omega_ref [rad/s] for an error [rad] at a time [s], guessed or not."""
        del known
        gains = self._gains
        rate = self._rate(now, err)
        self._last_err, self._last_time = err, now
        if gains.kp == 0.0 and gains.kd == 0.0:
            return limit_abs(gains.base, gains.max_abs)
        omega = gains.kp * err + gains.kd * rate
        return limit_abs(omega, gains.max_abs) if math.isfinite(omega) else gains.base

    def _rate(self, now: float, err: float) -> float:
        if err == 0.0 or self._last_time is None:
            return 0.0
        elapsed = now - self._last_time
        return wrap_pi(err - self._last_err) / elapsed if elapsed > 1e-6 else 0.0
