"""Prediction of an arrival: one step, then steps to constant speed, then that speed.

Where the body comes to rest at the vertex, the braking is part of the prediction.
"""

from velocity_mobility_ros.core.polyline.codes import NO_TIME_TO_ZERO_ACCELERATION
from velocity_mobility_ros.core.polyline.constants import EPSILON, MAX_STEPS
from velocity_mobility_ros.core.polyline.records import SpeedTask
from velocity_mobility_ros.core.polyline.speed.bounds import braking, clamped
from velocity_mobility_ros.core.polyline.speed.prediction import (
    REJECTED,
    Motion,
    failed,
    is_at_rest,
    moved,
)
from velocity_mobility_ros.core.polyline.speed.time_rounding import rounded_down


def arrival_prediction(
    task: SpeedTask, start: Motion, candidate: float, time: float, length: float, brakes: bool
) -> Motion:
    """Return the motion at the vertex, its acceleration in the first step a candidate [m/s^2].

    Args:
        task: What the controller knows.
        start: The present motion.
        candidate: The acceleration.
        time: Time [s] until the vertex is due.
        length: Distance [m] to the vertex.
        brakes: Whether the body comes to rest there.
    """
    if time < task.dt:
        return start
    first = clamped(task, start.speed, start.acceleration, candidate)
    if first.code != 0:
        return failed(start, first.code)
    motion = moved(start, first.value, task.dt)
    if brakes:
        rest = _braked(task, motion, time)
        if rest.code != 0 or abs(rest.time - time) <= task.dt:
            return rest
    motion = _at_constant_speed(task, motion, time)
    if motion.code != 0:
        return motion
    if abs(motion.speed) <= EPSILON:
        return failed(motion, REJECTED)
    speed = motion.speed
    if brakes:
        motion = _braked(task, motion, time)
        if motion.code != 0 or abs(motion.time - time) <= task.dt:
            return motion
    stretch = rounded_down((length - motion.distance) / speed, task.dt)
    if stretch.code != 0:
        return failed(motion, stretch.code if task.original else REJECTED)
    return Motion(
        motion.speed,
        motion.acceleration,
        motion.distance + stretch.value * speed,
        motion.time + stretch.value,
        0,
    )


def _braked(task: SpeedTask, motion: Motion, time: float) -> Motion:
    """Return the motion at rest, rejected if ``time`` [s] comes first."""
    for _ in range(MAX_STEPS):
        if is_at_rest(motion.speed, motion.acceleration):
            return motion
        if motion.time >= time:
            return failed(motion, REJECTED)
        brake = braking(task, motion.speed, motion.acceleration)
        if brake.code != 0:
            return failed(motion, brake.code)
        motion = moved(motion, brake.value, task.dt)
    return failed(motion, REJECTED)


def _at_constant_speed(task: SpeedTask, motion: Motion, time: float) -> Motion:
    """Return the motion without acceleration; an error, or rejected, if time comes first."""
    for _ in range(MAX_STEPS):
        zero = 0.0 if task.original else EPSILON
        if abs(motion.acceleration) <= zero:
            return motion
        if motion.time >= time:
            return failed(motion, NO_TIME_TO_ZERO_ACCELERATION if task.original else REJECTED)
        none = clamped(task, motion.speed, motion.acceleration, 0.0)
        if none.code != 0:
            return failed(motion, none.code)
        motion = moved(motion, none.value, task.dt)
    return failed(motion, REJECTED)
