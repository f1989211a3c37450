"""The wanted rotation of the whole ring: turn the centre of the swarm towards the adversary."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from velocity_mobility_ros.core.frames import wrap_pi
from velocity_mobility_ros.core.limits import limit_abs

from soliton_encirclement_ros.core.plane import direction


@dataclass(frozen=True)
class SpinGains:
    """Gains of the spin reference.

    ``kp`` [1/s], ``kd`` [-], ``max_abs`` [rad/s], ``rho_min`` is the order parameter below which
    the swarm has no centre to turn, ``base`` [rad/s] is the rate without any gain.
    """

    kp: float
    kd: float
    max_abs: float
    rho_min: float
    base: float


def centre_error(
    offsets: Sequence[tuple[float, float]], adversary: tuple[float, float], rho_min: float
) -> float:
    """Return the angle [rad] from the swarm's centre to the adversary, counter-clockwise positive.

    Zero while the agents are spread so evenly that the centre has no direction.

    Args:
        offsets: Every agent's offset from the target [m].
        adversary: The adversary's offset from the target [m].
        rho_min: Smallest order parameter with a meaningful centre.
    """
    sx = sy = 0.0
    for x, y in offsets:
        ux, uy, _ = direction(x, y)
        sx += ux
        sy += uy
    cx, cy, norm = direction(sx, sy)
    if not offsets or norm / len(offsets) < rho_min:
        return 0.0
    ax, ay, _ = direction(*adversary)
    return math.atan2(cx * ay - cy * ax, cx * ax + cy * ay)


class SpinReference:
    """A PD controller with output limit on the centre error (first version of the law)."""

    def __init__(self, gains: SpinGains) -> None:
        """Start without memory."""
        self._gains = gains
        self._last_err = 0.0
        self._last_time: float | None = None

    def update(self, now: float, err: float) -> float:
        """Return omega_ref [rad/s] for an error [rad] at a time [s]."""
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
