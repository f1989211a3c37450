"""Spin law of ``soliton_v1``: PD on the raw centre error.

    omega = kp err + kd err'

within limits; the base rate only if both gains are 0. Source: the soliton encirclement experiment
for GrADyS-SIM NG, first version, behaviour unchanged.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.frames import wrap_pi
from velocity_mobility_ros.core.limits import limit_abs

from soliton_encirclement_ros.swarm.spin.spin_law import SpinGains, SpinLaw

SHORTEST = 1e-6
"""Minimum time [s] between two errors for a rate."""


class SolitonV1SpinMemory(NamedTuple):
    """The last error [rad] and its time [s]."""

    last_err: float
    last_time: float


def rest(gains: SpinGains) -> SolitonV1SpinMemory:
    """Return the memory before the first error."""
    return SolitonV1SpinMemory(math.nan, math.nan)


def step(
    memory: SolitonV1SpinMemory, now: float, err: float, known: bool, gains: SpinGains
) -> tuple[SolitonV1SpinMemory, float]:
    """Return the next memory and omega_ref [rad/s].

    Args:
        memory: The previous error.
        now: Time [s].
        err: Centre error [rad].
        known: Whether the adversary is received; this law does not use it.
        gains: Gains and limits.
    """
    rate = error_rate(memory, now, err)
    after = SolitonV1SpinMemory(err, now)
    if gains.kp == 0.0 and gains.kd == 0.0:
        return after, limit_abs(gains.base, gains.max_abs)
    omega = gains.kp * err + gains.kd * rate
    return after, limit_abs(omega, gains.max_abs) if math.isfinite(omega) else gains.base


def error_rate(memory: SolitonV1SpinMemory, now: float, err: float) -> float:
    """Return the rate [rad/s] of the error the short way round; 0 where it is undefined."""
    if err == 0.0 or math.isnan(memory.last_time):
        return 0.0
    elapsed = now - memory.last_time
    return wrap_pi(err - memory.last_err) / elapsed if elapsed > SHORTEST else 0.0


SOLITON_V1_SPIN = SpinLaw(rest, step)
