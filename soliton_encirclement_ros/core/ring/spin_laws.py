"""Spin laws: the turn rate of the ring that the target requests.

They turn the centre of the swarm towards the adversary.

``soliton_v1``, a PD controller on the raw centre error:

    omega = kp err + kd err'

within limits; the base rate only if both gains are 0. Source: the soliton encirclement experiment
for GrADyS-SIM NG, first version, behaviour unchanged.

``two_channel``, a PD controller for angles on the unwrapped centre error:

    omega = kp err + kd err'

within limits; the base rate if the error is exactly 0. Source: the soliton encirclement experiment
for GrADyS-SIM NG, third version, behaviour unchanged.

``filtered``, a PD controller on a filtered direction, with limits of rate and of its change:

The desired rate is ``kp f + kd f'`` within +-max_abs, where f is the centre error behind a
first-order low-pass. It is the base rate if no direction is defined: no adversary is received,
the swarm has no centre, or both gains are 0. omega_ref follows the desired rate no faster
than max_rate allows, so a step of the error or a loss of the adversary causes no jerk.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.ring.ring_geometry import direction
from soliton_encirclement_ros.core.states.received_states import LastSeen, is_fresh
from velocity_mobility_ros.core.coordinate_frames import wrap_pi
from velocity_mobility_ros.core.velocity_model import limit_abs

EAST = (1.0, 0.0)
"""Assumed direction of the adversary before it is first received."""

Memory = Any
"""A NamedTuple of floats, one kind per law; NaN for values not known yet."""


class SpinGains(NamedTuple):
    """Gains of a spin law.

    ``kp`` [1/s], ``kd`` [-], ``max_abs`` [rad/s], ``rho_min`` is the order parameter below which
    the swarm has no centre to turn, ``base`` [rad/s] is the rate without any gain, ``period`` [s]
    the time between two broadcasts, ``filter_time`` [s] the lag of the filtered law and
    ``max_rate`` [rad/s^2] the fastest change of its rate.
    """

    kp: float
    kd: float
    max_abs: float
    rho_min: float
    base: float
    period: float
    filter_time: float
    max_rate: float


class SpinLaw(NamedTuple):
    """Turns the centre error into a rotation of the ring.

    Attributes:
        rest: The memory before the first error.
        step: ``(memory, now [s], err [rad], known, gains)`` to the next memory and omega_ref
            [rad/s]. ``err`` is exactly 0 while the swarm has no centre; ``known`` is whether the
            adversary is received: if not, ``err`` comes from an assumed direction.
    """

    rest: Callable[[SpinGains], Memory]
    step: Callable[[Memory, float, float, bool, SpinGains], tuple[Memory, float]]


def adversary_offset(x: float, y: float, ax: float, ay: float) -> tuple[float, float]:
    """Return the offset [m] of the adversary from a place, ``EAST`` before it is first received.

    Args:
        x: The place, east [m].
        y: The same, north [m].
        ax: Last received position of the adversary, east [m]; NaN: none yet.
        ay: The same, north [m].
    """
    return EAST if math.isnan(ax) else (ax - x, ay - y)


class SpinView(NamedTuple):
    """Inputs of a spin law: the centre error [rad], and whether the adversary is received."""

    err: float
    known: bool


def spin_view(
    xs: Sequence[float], ys: Sequence[float], x: float, y: float, adversary: LastSeen,
    now: float, timeout: float, rho_min: float,
) -> SpinView:  # fmt: skip
    """Return the inputs of a spin law.

    Args:
        xs: Every agent's offset from the target to the east [m].
        ys: The same to the north [m].
        x: Where the target is, east [m].
        y: The same, north [m].
        adversary: The adversary as last received; NaN for its position: never.
        now: Time [s].
        timeout: How long its message counts [s].
        rho_min: Smallest order parameter with a meaningful centre.
    """
    ax, ay = adversary_offset(x, y, adversary.x, adversary.y)
    err = centre_error(xs, ys, ax, ay, rho_min)
    return SpinView(err, is_fresh(adversary.received, now, timeout))


def centre_error(
    xs: Sequence[float],
    ys: Sequence[float],
    adversary_x: float,
    adversary_y: float,
    rho_min: float,
) -> float:
    """Return the angle [rad] from the swarm's centre to the adversary, counter-clockwise positive.

    Zero while the agents are spread so evenly that the centre has no direction.

    Args:
        xs: Every agent's offset from the target to the east [m].
        ys: The same to the north [m].
        adversary_x: The adversary's offset from the target to the east [m].
        adversary_y: The same to the north [m].
        rho_min: Smallest order parameter with a meaningful centre.
    """
    count = len(xs)
    sx = sy = 0.0
    for i in range(count):
        ux, uy, _ = direction(xs[i], ys[i])
        sx += ux
        sy += uy
    cx, cy, norm = direction(sx, sy)
    if count == 0 or norm / count < rho_min:
        return 0.0
    ax, ay, _ = direction(adversary_x, adversary_y)
    return math.atan2(cx * ay - cy * ax, cx * ax + cy * ay)


SHORTEST = 1e-6
"""Minimum time [s] between two errors for a rate."""


class SolitonV1SpinMemory(NamedTuple):
    """The last error [rad] and its time [s]."""

    last_err: float
    last_time: float


def soliton_v1_rest(gains: SpinGains) -> SolitonV1SpinMemory:
    """Return the memory before the first error."""
    return SolitonV1SpinMemory(math.nan, math.nan)


def soliton_v1_step(
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


SOLITON_V1_SPIN = SpinLaw(soliton_v1_rest, soliton_v1_step)


class TwoChannelSpinMemory(NamedTuple):
    """The last error [rad], within a turn and unwrapped."""

    wrapped: float
    unwrapped: float


def two_channel_rest(gains: SpinGains) -> TwoChannelSpinMemory:
    """Return the memory before the first error."""
    return TwoChannelSpinMemory(math.nan, math.nan)


def two_channel_step(
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
        return two_channel_rest(gains), gains.base
    after, change = unwrap(memory, wrap_pi(err))
    omega = gains.kp * wrap_pi(after.unwrapped) + (gains.kd * change) / gains.period
    return after, limit_abs(omega, gains.max_abs) if math.isfinite(omega) else 0.0


def unwrap(memory: TwoChannelSpinMemory, wrapped: float) -> tuple[TwoChannelSpinMemory, float]:
    """Return the memory with an error [rad] the short way on from the last; and the change."""
    if math.isnan(memory.unwrapped):
        return TwoChannelSpinMemory(wrapped, wrapped), 0.0
    after = memory.unwrapped + wrap_pi(wrapped - memory.wrapped)
    return TwoChannelSpinMemory(wrapped, after), after - memory.unwrapped


TWO_CHANNEL_SPIN = SpinLaw(two_channel_rest, two_channel_step)


COMMITMENT = 0.3
"""How far [rad] beyond half a turn the ring keeps its chosen direction of rotation."""


class RateLimitedMemory(NamedTuple):
    """The commanded rate [rad/s], the filtered error [rad], and its time [s]."""

    omega: float
    filtered: float
    last_time: float


def rate_limited_rest(gains: SpinGains) -> RateLimitedMemory:
    """Return the memory before the first error: the base rate."""
    return RateLimitedMemory(limit_abs(gains.base, gains.max_abs), math.nan, math.nan)


def rate_limited_step(
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


RATE_LIMITED_SPIN = SpinLaw(rate_limited_rest, rate_limited_step)


SPIN_LAWS: dict[str, SpinLaw] = {
    'v1': SOLITON_V1_SPIN,
    'v3': TWO_CHANNEL_SPIN,
    'filtered': RATE_LIMITED_SPIN,
}

GAINS = SpinGains(*[1.0] * len(SpinGains._fields))
