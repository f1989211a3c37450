"""The motion limiter: one factor for the whole change of a motion.

    alpha = |u - u'| / dt,  beta = |w - w'| / dt        accelerations of the request
    k     = min(1, max_acc / alpha, max_yaw_acc / beta)
    (u, w) <- k (u, w) + (1 - k) (u', w')

``u`` is the velocity in three dimensions, ``w`` the yaw rate, a prime marks the last output. The
velocity moves along the straight line to the request, and translation and rotation arrive
together. Source: motion limiter of the Triangula robot, there in the plane.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.smoothing.limiter_clock import LimiterClock, elapsed


class Motion(NamedTuple):
    """Velocity [m/s] and yaw rate [rad/s], counter-clockwise."""

    velocity: Vector
    yaw_rate: float


STILL = Motion((0.0, 0.0, 0.0), 0.0)


class MotionLimits(NamedTuple):
    """Largest acceleration [m/s^2, norm] and yaw acceleration [rad/s^2]; both >= 0."""

    max_acc: float
    max_yaw_acc: float


class LimitedMotion(NamedTuple):
    """State of the limiter.

    Attributes:
        motion: The last output.
        clock: Its time.
        factor: Share ``k`` of the last requested change that was made, from 0 to 1.
        rejected: Number of requests that were not finite.
    """

    motion: Motion
    clock: LimiterClock
    factor: float
    rejected: int


def at_start(motion: Motion, now_ns: int) -> LimitedMotion:
    """Return the state of a limiter that starts from a motion: rest, or as measured."""
    return LimitedMotion(motion, LimiterClock(now_ns, 0), 1.0, 0)


def step(
    limits: MotionLimits, max_dt: float, state: LimitedMotion, wanted: Motion, now_ns: int
) -> LimitedMotion:
    """Move the output towards a request.

    A request that is not finite is rejected: the output holds.

    Args:
        limits: The largest accelerations.
        max_dt: Longest time that counts [s], > 0.
        state: State of the limiter.
        wanted: The request.
        now_ns: Time [ns].
    """
    clock, dt = elapsed(state.clock, now_ns, max_dt)
    if not is_finite_change(state.motion, wanted):
        return LimitedMotion(state.motion, clock, 0.0, state.rejected + 1)
    k = change_factor(limits, state.motion, wanted, dt) if dt > 0.0 else 0.0
    return LimitedMotion(blended(state.motion, wanted, k), clock, k, state.rejected)


def change_factor(limits: MotionLimits, previous: Motion, wanted: Motion, dt: float) -> float:
    """Return the share ``k`` of a change that the limits allow in ``dt`` [s], > 0."""
    dx = wanted.velocity[0] - previous.velocity[0]
    dy = wanted.velocity[1] - previous.velocity[1]
    dz = wanted.velocity[2] - previous.velocity[2]
    acc = math.sqrt(dx * dx + dy * dy + dz * dz) / dt
    yaw_acc = abs(wanted.yaw_rate - previous.yaw_rate) / dt
    k = 1.0
    if acc > limits.max_acc:
        k = limits.max_acc / acc
    if yaw_acc > limits.max_yaw_acc:
        k = min(k, limits.max_yaw_acc / yaw_acc)
    return k


def blended(previous: Motion, wanted: Motion, k: float) -> Motion:
    """Return ``k wanted + (1 - k) previous``; exactly ``wanted`` for k = 1."""
    rest = 1.0 - k
    return Motion(
        (
            k * wanted.velocity[0] + rest * previous.velocity[0],
            k * wanted.velocity[1] + rest * previous.velocity[1],
            k * wanted.velocity[2] + rest * previous.velocity[2],
        ),
        k * wanted.yaw_rate + rest * previous.yaw_rate,
    )


def is_finite_change(previous: Motion, wanted: Motion) -> bool:
    """Return whether all differences between two motions are finite numbers."""
    return (
        math.isfinite(wanted.velocity[0] - previous.velocity[0])
        and math.isfinite(wanted.velocity[1] - previous.velocity[1])
        and math.isfinite(wanted.velocity[2] - previous.velocity[2])
        and math.isfinite(wanted.yaw_rate - previous.yaw_rate)
    )
