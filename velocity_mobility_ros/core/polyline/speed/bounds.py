"""The bounds of the acceleration by the rules that apply, and what follows from them."""

from velocity_mobility_ros.core.polyline.records import SpeedTask
from velocity_mobility_ros.core.polyline.speed.original_bounds import (
    Bounded,
    Bounds,
    original_bounds,
    original_brake,
    original_clamped,
    original_constrained_brake,
)
from velocity_mobility_ros.core.polyline.speed.robust_bounds import robust_bounds


def bounds(task: SpeedTask, speed: float, acceleration: float) -> Bounds:
    """Return the bounds at a speed [m/s] and acceleration [m/s^2]."""
    if task.original:
        return original_bounds(task, speed, acceleration)
    return robust_bounds(task, speed, acceleration)


def clamped(task: SpeedTask, speed: float, acceleration: float, candidate: float) -> Bounded:
    """Return a candidate [m/s^2] within the bounds."""
    if task.original:
        return original_clamped(task, speed, acceleration, candidate)
    found = robust_bounds(task, speed, acceleration)
    return Bounded(min(max(candidate, found.low), found.high), 0)


def braking(task: SpeedTask, speed: float, acceleration: float) -> Bounded:
    """Return the acceleration [m/s^2] of one step of braking to rest.

    The present acceleration is replaced where it is out of bounds, else by the lower bound.
    """
    if task.original:
        return original_brake(task, speed, acceleration)
    found = robust_bounds(task, speed, acceleration)
    return Bounded(found.high if acceleration > found.high else found.low, 0)


def constrained_brake(task: SpeedTask, speed: float, acceleration: float) -> float:
    """Return the acceleration [m/s^2] of a body that comes to rest where it is."""
    if task.original:
        return original_constrained_brake(task, speed)
    at_rest = SpeedTask(0.0, task.limits, task.dt, False)
    return robust_bounds(at_rest, speed, acceleration).low
