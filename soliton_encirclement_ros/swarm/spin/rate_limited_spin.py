"""Spin law ``filtered``: PD on a filtered direction, with limits of rate and of its change.

The desired rate is ``kp f + kd f'`` within +-max_abs, where f is the centre error behind a
first-order low-pass. It is the base rate if no direction is defined: no adversary is received,
the swarm has no centre, or both gains are 0. omega_ref follows the desired rate no faster
than max_rate allows, so a step of the error or a loss of the adversary causes no jerk.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.frames import wrap_pi
from velocity_mobility_ros.core.limits import limit_abs

from soliton_encirclement_ros.swarm.spin.spin_law import SpinGains, SpinLaw

COMMITMENT = 0.3
"""How far [rad] beyond half a turn the ring keeps its chosen direction of rotation."""


class RateLimitedMemory(NamedTuple):
    """The commanded rate [rad/s], the filtered error [rad], and its time [s]."""

    omega: float
    filtered: float
    last_time: float


def rest(gains: SpinGains) -> RateLimitedMemory:
    """Return the memory before the first error: the base rate."""
    return RateLimitedMemory(limit_abs(gains.base, gains.max_abs), math.nan, math.nan)


def step(
    memory: RateLimitedMemory, now: float, err: float, known: bool, gains: SpinGains
) -> tuple[RateLimitedMemory, float]:
    """Return the next memory and omega_ref [rad/s].

    Args:
        memory: Previous error and command.
        now: Time [s].
        err: Centre error [rad].
        known: Whether the adversary is received.
        gains: Gains and limits.
    """
    elapsed = 0.0 if math.isnan(memory.last_time) else max(0.0, now - memory.last_time)
    filtered, rate, wanted = math.nan, 0.0, gains.base
    if known and math.isfinite(err) and err != 0.0:
        filtered, rate = low_pass(memory.filtered, err, elapsed, gains.filter_time)
        if gains.kp != 0.0 or gains.kd != 0.0:
            wanted = gains.kp * filtered + gains.kd * rate
    missing = limit_abs(wanted, gains.max_abs) - memory.omega
    omega = memory.omega + limit_abs(missing, gains.max_rate * elapsed)
    return RateLimitedMemory(omega, filtered, now), omega


def low_pass(
    filtered: float, err: float, elapsed: float, filter_time: float
) -> tuple[float, float]:
    """Move the filtered error towards an error the short way round; return it and its rate.

    Args:
        filtered: The filtered error [rad], NaN before the first.
        err: The new error [rad].
        elapsed: Time [s] since the last error.
        filter_time: Lag [s].
    """
    if math.isnan(filtered):
        return wrap_pi(err), 0.0
    if elapsed <= 0.0:
        return filtered, 0.0
    share = elapsed / (elapsed + filter_time)
    change = share * wrap_pi(err - filtered)
    moved = filtered + change
    if abs(moved) > math.pi + COMMITMENT:
        moved -= math.copysign(2.0 * math.pi, moved)
    return moved, change / elapsed


RATE_LIMITED_SPIN = SpinLaw(rest, step)
