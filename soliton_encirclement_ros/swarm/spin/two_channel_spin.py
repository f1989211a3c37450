"""Spin law of ``two_channel``: a PD controller for angles on the unwrapped centre error.

    omega = kp err + kd err'

within limits; the base rate if the error is exactly 0. Source: the soliton encirclement experiment
for GrADyS-SIM NG, third version, behaviour unchanged.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.frames import wrap_pi
from velocity_mobility_ros.core.limits import limit_abs

from soliton_encirclement_ros.swarm.spin.spin_law import SpinGains, SpinLaw


class TwoChannelSpinMemory(NamedTuple):
    """The last error [rad], within a turn and unwrapped."""

    wrapped: float
    unwrapped: float


def rest(gains: SpinGains) -> TwoChannelSpinMemory:
    """Return the memory before the first error."""
    return TwoChannelSpinMemory(math.nan, math.nan)


def step(
    memory: TwoChannelSpinMemory, now: float, err: float, known: bool, gains: SpinGains
) -> tuple[TwoChannelSpinMemory, float]:
    """Return the next memory and omega_ref [rad/s].

    Args:
        memory: The previous error.
        now: Time [s]; this law counts periods instead.
        err: Centre error [rad].
        known: Whether the adversary is received; this law does not use it.
        gains: Gains and limits.
    """
    if err == 0.0:
        return rest(gains), gains.base
    after, change = unwrap(memory, wrap_pi(err))
    omega = gains.kp * wrap_pi(after.unwrapped) + (gains.kd * change) / gains.period
    return after, limit_abs(omega, gains.max_abs) if math.isfinite(omega) else 0.0


def unwrap(memory: TwoChannelSpinMemory, wrapped: float) -> tuple[TwoChannelSpinMemory, float]:
    """Return the memory with an error [rad] the short way on from the last; and the change."""
    if math.isnan(memory.unwrapped):
        return TwoChannelSpinMemory(wrapped, wrapped), 0.0
    after = memory.unwrapped + wrap_pi(wrapped - memory.wrapped)
    return TwoChannelSpinMemory(wrapped, after), after - memory.unwrapped


TWO_CHANNEL_SPIN = SpinLaw(rest, step)
