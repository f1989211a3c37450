"""Bounds of the acceleration that never contradict each other; speed, jerk and acceleration hold.

They differ from those of the original in three points. The number of steps is the exact one,

    x = |w - v| / (j dt^2),    n = max(1, ceil((sqrt(1 + 8 x) - 1) / 2)),

so a bound shrinks by just ``j dt`` per step. An acceleration that must vanish at the desired speed
is removed at the deceleration rate, a deceleration at the acceleration rate. And each bound is
clipped to the limits before it is used.
"""

import math

from velocity_mobility_ros.core.polyline.records import SpeedTask
from velocity_mobility_ros.core.polyline.speed.original_bounds import Bounds, relaxed

STEP_TOLERANCE = 1e-9
"""Excess over a whole number of steps that is rounding."""


def robust_jerk_limited(v: float, w: float, j: float, dt: float) -> float:
    """Return J [m/s^2] with the exact number of steps."""
    x = abs(w - v) / (j * dt * dt)
    n = math.ceil((math.sqrt(1.0 + 8.0 * x) - 1.0) / 2.0 - STEP_TOLERANCE)
    return relaxed(v, w, j, n if n > 1 else 1, dt)


def robust_bounds(task: SpeedTask, speed: float, acceleration: float) -> Bounds:
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
    return Bounds(low, low if high < low else high, 0)


def reachable(task: SpeedTask, acceleration: float, value: float) -> float:
    """Return a value [m/s^2] within the limits of acceleration, then within those of jerk."""
    _, limits, dt, _ = task
    _, most, up, least, down = limits
    value = -least if value < -least else most if value > most else value
    low, high = acceleration - down * dt, acceleration + up * dt
    return low if value < low else high if value > high else value
