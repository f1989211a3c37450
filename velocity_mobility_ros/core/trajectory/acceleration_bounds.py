"""AccelerationBounds of the acceleration along a polyline, by the rules that apply.

The rules of the original sometimes contradict each other:

    n = max(1, round(sqrt(2 |w - v| / j) / dt))
    J(v -> w, j) = (w - v) / (n dt) + sign(w - v) j dt (n - 1) / 2

J is the acceleration to hold now if it is relaxed by ``j dt`` in every step afterwards and is to
be zero just as the speed ``w`` is reached. Source: scenario_simulator_v2 (Tier IV), follow
waypoint controller.

The robust rules never contradict each other; speed, jerk and acceleration hold. They differ from
those of the original in three points. The number of steps is the exact one,

    x = |w - v| / (j dt^2),    n = max(1, ceil((sqrt(1 + 8 x) - 1) / 2)),

so a bound shrinks by just ``j dt`` per step. An acceleration that must vanish at the desired speed
is removed at the deceleration rate, a deceleration at the acceleration rate. And each bound is
clipped to the limits before it is used.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.trajectory.polyline_records import (
    CONTRADICTORY_LIMITS, EPSILON, INCORRECT_LIMITS, SpeedTask
)


class AccelerationBounds(NamedTuple):
    """Smallest and largest acceleration [m/s^2] of a step, and an error code or 0."""

    low: float
    high: float
    code: int


class Bounded(NamedTuple):
    """An acceleration [m/s^2] or a time [s], and an error code or 0."""

    value: float
    code: int


def relaxed(v: float, w: float, j: float, n: float, dt: float) -> float:
    """Return J [m/s^2] for ``n`` steps from speed ``v`` to ``w`` [m/s] with ``j`` [m/s^3]."""
    later = j * dt * (n - 1.0) / 2.0
    return (w - v) / (n * dt) + (-later if w < v else later)


def original_jerk_limited(v: float, w: float, j: float, dt: float) -> float:
    """Return J [m/s^2] with the rounded number of steps."""
    n = max(1.0, float(math.floor(math.sqrt(2.0 * abs(w - v) / abs(j)) / dt + 0.5)))
    return relaxed(v, w, abs(j), n, dt)


def original_bounds(task: SpeedTask, speed: float, acceleration: float) -> AccelerationBounds:
    """Return the bounds at a speed [m/s] and acceleration [m/s^2]."""
    limits, dt, target = task.limits, task.dt, task.target_speed
    low = max(
        original_jerk_limited(speed, 0.0, limits.deceleration_rate, dt),
        -limits.max_deceleration,
        acceleration - limits.deceleration_rate * dt,
    )
    high = min(
        original_jerk_limited(speed, target, limits.acceleration_rate, dt),
        limits.max_acceleration,
        acceleration + limits.acceleration_rate * dt,
    )
    if high + EPSILON < low - EPSILON:
        return AccelerationBounds(low, high, CONTRADICTORY_LIMITS)
    slowest, fastest = speed + low * dt, speed + high * dt
    if slowest < -EPSILON or fastest < -EPSILON:
        return AccelerationBounds(low, high, INCORRECT_LIMITS)
    if slowest > target + EPSILON or fastest > target + EPSILON:
        return AccelerationBounds(low, high, INCORRECT_LIMITS)
    return AccelerationBounds(low, high, 0)


STEP_TOLERANCE = 1e-9
"""Excess over a whole number of steps that is rounding."""


def robust_jerk_limited(v: float, w: float, j: float, dt: float) -> float:
    """Return J [m/s^2] with the exact number of steps."""
    x = abs(w - v) / (j * dt * dt)
    n = math.ceil((math.sqrt(1.0 + 8.0 * x) - 1.0) / 2.0 - STEP_TOLERANCE)
    return relaxed(v, w, j, n if n > 1 else 1, dt)


def robust_bounds(task: SpeedTask, speed: float, acceleration: float) -> AccelerationBounds:
    """Return the bounds at a speed [m/s] and acceleration [m/s^2]."""
    target, limits, dt, _ = task
    up, down = limits.acceleration_rate, limits.deceleration_rate
    high = robust_jerk_limited(speed, target, down if speed <= target else up, dt)
    high = reachable(task, acceleration, high)
    low = robust_jerk_limited(speed, 0.0, up if speed >= 0.0 else down, dt)
    low = reachable(task, acceleration, low)
    low = high if low > high else low
    stop = -speed / dt
    low = stop if low < stop else low
    return AccelerationBounds(low, low if high < low else high, 0)


def reachable(task: SpeedTask, acceleration: float, value: float) -> float:
    """Return a value [m/s^2] within the limits of acceleration, then within those of jerk."""
    _, limits, dt, _ = task
    _, most, up, least, down = limits
    value = -least if value < -least else most if value > most else value
    low, high = acceleration - down * dt, acceleration + up * dt
    return low if value < low else high if value > high else value


def bounds(task: SpeedTask, speed: float, acceleration: float) -> AccelerationBounds:
    """Return the bounds at a speed [m/s] and acceleration [m/s^2]."""
    if task.original:
        return original_bounds(task, speed, acceleration)
    return robust_bounds(task, speed, acceleration)


def clamped(task: SpeedTask, speed: float, acceleration: float, candidate: float) -> Bounded:
    """Return a candidate [m/s^2] within the bounds; original: beyond the speeds by own rules."""
    limits, dt = task.limits, task.dt
    if task.original:
        if speed + (acceleration + limits.acceleration_rate * dt) * dt < 0.0:
            rising = original_jerk_limited(speed, 0.0, limits.acceleration_rate, dt)
            return Bounded(min(rising, limits.max_acceleration), 0)
        target, rate = task.target_speed, limits.deceleration_rate
        if speed + (acceleration - rate * dt) * dt > target:
            falling = original_jerk_limited(speed, target, rate, dt)
            return Bounded(max(falling, -limits.max_deceleration), 0)
    allowed = bounds(task, speed, acceleration)
    return Bounded(min(max(candidate, allowed.low), allowed.high), allowed.code)


def braking(task: SpeedTask, speed: float, acceleration: float) -> Bounded:
    """Return the acceleration [m/s^2] of one step of braking to rest.

    The present acceleration is replaced where it is out of bounds, else by the lower bound.
    """
    if task.original:
        held = clamped(task, speed, acceleration, acceleration)
        if held.code != 0 or held.value != acceleration:
            return held
    allowed = bounds(task, speed, acceleration)
    is_above = acceleration > allowed.high and not task.original
    return Bounded(allowed.high if is_above else allowed.low, allowed.code)


def constrained_brake(task: SpeedTask, speed: float, acceleration: float) -> float:
    """Return the acceleration [m/s^2] of a body that has arrived and comes to rest."""
    limits, dt = task.limits, task.dt
    if task.original:
        falling = original_jerk_limited(speed, 0.0, limits.deceleration_rate, dt)
        return max(falling, -limits.max_deceleration)
    return robust_bounds(SpeedTask(0.0, limits, dt, False), speed, acceleration).low
