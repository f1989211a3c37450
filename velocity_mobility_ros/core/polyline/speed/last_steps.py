"""The acceleration in the last steps before a vertex is due."""

from velocity_mobility_ros.core.polyline.codes import SPEED_NOT_ZERO_IN_PENULTIMATE_STEP
from velocity_mobility_ros.core.polyline.constants import EPSILON
from velocity_mobility_ros.core.polyline.records import SpeedTask
from velocity_mobility_ros.core.polyline.speed.bounds import clamped
from velocity_mobility_ros.core.polyline.speed.original_bounds import Bounded


def in_last_steps(time: float, dt: float, brakes: bool) -> bool:
    """Return whether the vertex is due within two steps, or three where the body stops.

    ``time`` [s] is a little more than whole steps.
    """
    return time <= 3.0 * dt or (brakes and time <= 4.0 * dt)


def last_steps(
    task: SpeedTask, speed: float, acceleration: float, time: float, length: float, brakes: bool
) -> Bounded:
    """Return the acceleration [m/s^2]; arguments as for ``chosen_acceleration``."""
    dt = task.dt
    if time <= 2.0 * dt:
        if brakes and abs(speed) >= EPSILON:
            if task.original:
                return Bounded(0.0, SPEED_NOT_ZERO_IN_PENULTIMATE_STEP)
            return clamped(task, speed, acceleration, -speed / dt)
        return clamped(task, speed, acceleration, 0.0)
    if time <= 3.0 * dt:
        if brakes:
            return clamped(task, speed, acceleration, -speed / dt)
        wanted = 2.0 / 3.0 * (length - 2.0 * speed * dt) / (dt * dt)
        return clamped(task, speed, acceleration, wanted)
    return clamped(task, speed, acceleration, 2.0 * (length - speed * dt) / (dt * dt))
