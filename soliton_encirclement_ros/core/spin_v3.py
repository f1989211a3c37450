"""The successor's spin law: a PD controller for angles on the unwrapped centre error.

Source: the soliton encirclement experiment for GrADyS-SIM NG, third version, behaviour as it is.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.frames import wrap_pi
from velocity_mobility_ros.core.limits import limit_abs

from soliton_encirclement_ros.core.spin import SpinGains


class AngleMemory(NamedTuple):
    """The last error [rad], within a turn and unwrapped."""

    wrapped: float
    unwrapped: float


class SpinV3:
    """``omega = kp err + kd err'`` within limits; the base rate if the error is exactly 0."""

    def __init__(self, gains: SpinGains) -> None:
        """Start without memory."""
        self._gains = gains
        self._last: AngleMemory | None = None

    def update(self, now: float, err: float, known: bool = True) -> float:
        """Return omega_ref [rad/s] for an error [rad]; counts periods instead of time."""
        del now, known
        if err == 0.0:
            self._last = None
            return self._gains.base
        omega = self._omega(wrap_pi(err))
        return limit_abs(omega, self._gains.max_abs) if math.isfinite(omega) else 0.0

    def _omega(self, wrapped: float) -> float:
        gains, last = self._gains, self._last
        unwrapped, change = wrapped, 0.0
        if last is not None:
            unwrapped = last.unwrapped + wrap_pi(wrapped - last.wrapped)
            change = unwrapped - last.unwrapped
        self._last = AngleMemory(wrapped, unwrapped)
        return gains.kp * wrap_pi(unwrapped) + (gains.kd * change) / gains.period
