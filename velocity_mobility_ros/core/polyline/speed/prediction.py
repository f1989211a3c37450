"""Prediction of the motion along the polyline: speed, acceleration, distance and time by steps."""

from typing import NamedTuple

from velocity_mobility_ros.core.polyline.constants import (
    DISTANCE_TOLERANCE,
    EPSILON,
    MAX_STEPS,
)
from velocity_mobility_ros.core.polyline.records import SpeedTask
from velocity_mobility_ros.core.polyline.speed.bounds import braking

REJECTED = -1
"""Code of a prediction that cannot be used."""


class Motion(NamedTuple):
    """Predicted motion.

    Attributes:
        speed: Speed [m/s].
        acceleration: Acceleration [m/s^2].
        distance: Distance [m] from the start.
        time: Time [s] from the start.
        code: 0, REJECTED, or an error code.
    """

    speed: float
    acceleration: float
    distance: float
    time: float
    code: int


def moved(motion: Motion, acceleration: float, dt: float) -> Motion:
    """Return the motion after one step with an acceleration [m/s^2]."""
    before, _, distance, time, _ = motion
    speed = before + acceleration * dt
    return Motion(
        speed, (speed - before) / dt, distance + (before + speed) / 2.0 * dt, time + dt, 0
    )


def failed(motion: Motion, code: int) -> Motion:
    """Return a motion with a code."""
    return Motion(motion.speed, motion.acceleration, motion.distance, motion.time, code)


def is_at_rest(speed: float, acceleration: float) -> bool:
    """Return whether neither speed [m/s] nor acceleration [m/s^2] is left."""
    return abs(speed) < EPSILON and abs(acceleration) < EPSILON


def stop_prediction(task: SpeedTask, start: Motion, candidate: float, length: float) -> Motion:
    """Return the motion at rest after one step with a candidate [m/s^2], then braking.

    It is rejected where it exceeds a length [m] by more than the tolerance.
    """
    motion = moved(start, candidate, task.dt)
    for _ in range(MAX_STEPS):
        if motion.distance > length + DISTANCE_TOLERANCE:
            return failed(motion, REJECTED)
        if is_at_rest(motion.speed, motion.acceleration):
            return motion
        brake = braking(task, motion.speed, motion.acceleration)
        if brake.code != 0:
            return failed(motion, brake.code)
        motion = moved(motion, brake.value, task.dt)
    return failed(motion, REJECTED)
