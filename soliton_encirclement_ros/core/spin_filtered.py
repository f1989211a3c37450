"""Our spin law: PD on a filtered direction, with limits of rate and of its change.

The wanted rate is ``kp f + kd f'`` within +-max_abs, where f is the centre error behind a
first-order low-pass. It is the base rate where there is nothing to turn to: the adversary is not
heard, the swarm has no centre, or both gains are 0. omega_ref follows the wanted rate no faster
than max_rate allows, so no step of the error and no loss of the adversary is felt as a jerk.
"""

import math

from velocity_mobility_ros.core.frames import wrap_pi
from velocity_mobility_ros.core.limits import limit_abs

from soliton_encirclement_ros.core.spin import SpinGains

COMMITMENT = 0.3
"""How far [rad] beyond half a turn the ring keeps on turning the way it had chosen."""


class SpinFiltered:
    """The filtered error, and the rate that is commanded."""

    def __init__(self, gains: SpinGains) -> None:
        """Start at the base rate, without an error."""
        self._gains = gains
        self._omega = limit_abs(gains.base, gains.max_abs)
        self._filtered = math.nan
        self._last_time: float | None = None

    def update(self, now: float, err: float, known: bool = True) -> float:
        """Return omega_ref [rad/s] for an error [rad] at a time [s]."""
        last_time, self._last_time = self._last_time, now
        elapsed = 0.0 if last_time is None else max(0.0, now - last_time)
        wanted = self._wanted(err, elapsed, known)
        step = self._gains.max_rate * elapsed
        self._omega += limit_abs(wanted - self._omega, step)
        return self._omega

    def _wanted(self, err: float, elapsed: float, known: bool) -> float:
        gains = self._gains
        active = known and math.isfinite(err) and err != 0.0
        rate = self._filter(err, elapsed) if active else 0.0
        if not active:
            self._filtered = math.nan
        if not active or (gains.kp == 0.0 and gains.kd == 0.0):
            return limit_abs(gains.base, gains.max_abs)
        return limit_abs(gains.kp * self._filtered + gains.kd * rate, gains.max_abs)

    def _filter(self, err: float, elapsed: float) -> float:
        """Move the filtered error towards an error the short way round; return its rate."""
        if math.isnan(self._filtered):
            self._filtered = wrap_pi(err)
            return 0.0
        if elapsed <= 0.0:
            return 0.0
        share = elapsed / (elapsed + self._gains.filter_time)
        change = share * wrap_pi(err - self._filtered)
        self._filtered += change
        if abs(self._filtered) > math.pi + COMMITMENT:
            self._filtered -= math.copysign(2.0 * math.pi, self._filtered)
        return change / elapsed
