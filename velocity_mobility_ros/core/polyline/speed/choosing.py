"""The acceleration of a step: to stop at a vertex, or to be there at a time."""

import math

from velocity_mobility_ros.core.polyline.codes import (
    NO_ACCELERATION_FOUND,
    PREDICTED_DISTANCE_TOO_FAR,
)
from velocity_mobility_ros.core.polyline.constants import EPSILON
from velocity_mobility_ros.core.polyline.records import SpeedTask
from velocity_mobility_ros.core.polyline.speed.bounds import bounds
from velocity_mobility_ros.core.polyline.speed.last_steps import in_last_steps, last_steps
from velocity_mobility_ros.core.polyline.speed.original_bounds import Bounded
from velocity_mobility_ros.core.polyline.speed.prediction import Motion
from velocity_mobility_ros.core.polyline.speed.time_rounding import rounded_down
from velocity_mobility_ros.core.polyline.speed.timed_search import timed_search
from velocity_mobility_ros.core.polyline.speed.untimed_search import untimed_search


def chosen_acceleration(
    task: SpeedTask, speed: float, acceleration: float, time: float, length: float, brakes: bool
) -> Bounded:
    """Return the acceleration [m/s^2] of the next step.

    Args:
        task: What the controller knows.
        speed: Present speed [m/s].
        acceleration: Present acceleration [m/s^2].
        time: Time [s] until the vertex is due, NaN if it is untimed.
        length: Distance [m] to the vertex.
        brakes: Whether to come to rest there.
    """
    limits, dt = task.limits, task.dt
    if task.original:
        most = acceleration + limits.acceleration_rate * dt
        if speed + most * dt < 0.0:
            return Bounded(most, 0)
        least = acceleration - limits.deceleration_rate * dt
        if speed + least * dt > task.target_speed:
            return Bounded(least, 0)
    found = bounds(task, speed, acceleration)
    if found.code != 0:
        return Bounded(math.nan, found.code)
    if (speed + 0.5 * found.low * dt) * dt > length or abs(found.high - found.low) < EPSILON:
        return Bounded(found.low, 0)
    start = Motion(speed, acceleration, 0.0, 0.0, 0)
    if not math.isfinite(time):
        return untimed_search(task, start, found, length)
    whole = rounded_down(time, dt)
    if whole.code != 0:
        if task.original:
            return Bounded(math.nan, whole.code)
        return untimed_search(task, start, found, length)
    if in_last_steps(whole.value, dt, brakes):
        return last_steps(task, speed, acceleration, whole.value, length, brakes)
    timed = timed_search(task, start, found, whole.value, length, brakes)
    if timed.code in (NO_ACCELERATION_FOUND, PREDICTED_DISTANCE_TOO_FAR) and not task.original:
        return untimed_search(task, start, found, length)
    return timed
