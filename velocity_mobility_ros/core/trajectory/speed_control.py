"""Speed control along a polyline: the acceleration to stop at a vertex, or to be there at a time.

The motion is predicted step by step: speed, acceleration, distance and time. An arrival is
predicted as one step, then steps to constant speed, then that speed in whole steps of time; where
the body comes to rest at the vertex, the braking is part of the prediction. Among the candidates
within the bounds the search takes the acceleration that arrives on time, or, without a time, stops
as close before the vertex as possible. The last steps before a vertex is due have a rule of their
own.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.trajectory.acceleration_bounds import (
    AccelerationBounds, Bounded, bounds, braking, clamped
)
from velocity_mobility_ros.core.trajectory.polyline_records import (
    DISTANCE_TOLERANCE, EPSILON, LARGEST_STEPS, MAX_STEPS, NO_ACCELERATION_FOUND,
    NO_TIME_TO_ZERO_ACCELERATION, PREDICTED_DISTANCE_TOO_FAR, SPEED_NOT_ZERO_IN_PENULTIMATE_STEP,
    STEPS, TIME_NOT_ROUNDABLE, TIME_TOLERANCE, SpeedTask
)


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


REJECTED = -1
"""Code of a prediction that cannot be used."""


class PredictedMotion(NamedTuple):
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


def moved(motion: PredictedMotion, acceleration: float, dt: float) -> PredictedMotion:
    """Return the motion after one step with an acceleration [m/s^2]."""
    before, _, distance, time, _ = motion
    speed = before + acceleration * dt
    return PredictedMotion(
        speed, (speed - before) / dt, distance + (before + speed) / 2.0 * dt, time + dt, 0
    )


def failed(motion: PredictedMotion, code: int) -> PredictedMotion:
    """Return a motion with a code."""
    return PredictedMotion(motion.speed, motion.acceleration, motion.distance, motion.time, code)


def is_at_rest(speed: float, acceleration: float) -> bool:
    """Return whether neither speed [m/s] nor acceleration [m/s^2] is left."""
    return abs(speed) < EPSILON and abs(acceleration) < EPSILON


def stop_prediction(task: SpeedTask, motion: PredictedMotion, length: float, time: float) -> PredictedMotion:
    """Return the motion at rest, braked from a motion.

    It is rejected where it exceeds a length [m] by more than the tolerance, or a time [s].
    """
    for _ in range(MAX_STEPS):
        if motion.distance > length + DISTANCE_TOLERANCE:
            return failed(motion, REJECTED)
        if is_at_rest(motion.speed, motion.acceleration):
            return motion
        if motion.time >= time:
            return failed(motion, REJECTED)
        brake = braking(task, motion.speed, motion.acceleration)
        if brake.code != 0:
            return failed(motion, brake.code)
        motion = moved(motion, brake.value, task.dt)
    return failed(motion, REJECTED)


def rounded_down(time: float, dt: float) -> Bounded:
    """Return a time [s] in whole steps, rounded down, and a little more than that.

    A time that lacks less than a millionth of a step is the next whole step. Negative times are 0.
    """
    steps = time / dt
    if not math.isfinite(steps) or steps > LARGEST_STEPS:
        return Bounded(math.nan, TIME_NOT_ROUNDABLE)
    count = float(math.floor(max(steps, 0.0)))
    if steps - count > 1.0 - TIME_TOLERANCE:
        count += 1.0
    return Bounded(count * dt + TIME_TOLERANCE, 0)


def arrival_prediction(
    task: SpeedTask, start: PredictedMotion, candidate: float, time: float, length: float, brakes: bool
) -> PredictedMotion:
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
        stopped = stop_prediction(task, motion, math.inf, time)
        if stopped.code != 0 or abs(stopped.time - time) <= task.dt:
            return stopped
    motion = _at_constant_speed(task, motion, time)
    if motion.code != 0:
        return motion
    if abs(motion.speed) <= EPSILON:
        return failed(motion, REJECTED)
    speed = motion.speed
    if brakes:
        motion = stop_prediction(task, motion, math.inf, time)
        if motion.code != 0 or abs(motion.time - time) <= task.dt:
            return motion
    stretch = rounded_down((length - motion.distance) / speed, task.dt)
    if stretch.code != 0:
        return failed(motion, stretch.code if task.original else REJECTED)
    return PredictedMotion(
        motion.speed,
        motion.acceleration,
        motion.distance + stretch.value * speed,
        motion.time + stretch.value,
        0,
    )


def _at_constant_speed(task: SpeedTask, motion: PredictedMotion, time: float) -> PredictedMotion:
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


CANDIDATES = STEPS + 2
"""The bounds, 0, and what lies between the bounds."""


def timed_search(
    task: SpeedTask, start: PredictedMotion, found: AccelerationBounds, time: float, length: float, brakes: bool
) -> Bounded:
    """Return the acceleration [m/s^2] within bounds with the smallest error in time.

    Of equal ones that which stops short least counts. Arguments as for ``arrival_prediction``.
    """
    best, early, remaining = math.nan, math.nan, math.nan
    for i in range(CANDIDATES):
        candidate = _candidate(found, i)
        if math.isnan(candidate):
            continue
        motion = arrival_prediction(task, start, candidate, time, length, brakes)
        if motion.code == REJECTED:
            continue
        if motion.code != 0:
            return Bounded(math.nan, motion.code)
        margin, left = time - motion.time, length - motion.distance
        if _is_better(margin, left, early, remaining):
            best, early, remaining = candidate, margin, left
    return _checked_best(task, found, best, early, remaining)


def _candidate(limits: AccelerationBounds, i: int) -> float:
    """Return candidate ``i``: lower bound, 0, upper bound, what lies between; NaN for none."""
    if i == 0:
        return limits.low
    if i == 1:
        return 0.0 if limits.low < 0.0 < limits.high else math.nan
    if i == 2:
        return limits.high
    spacing = (limits.high - limits.low) / STEPS
    return limits.low + (i - 2) * spacing if spacing > EPSILON else math.nan


def _is_better(margin: float, left: float, best_margin: float, best_left: float) -> bool:
    """Return whether a candidate is better than the best so far; NaN for none."""
    if math.isnan(best_margin):
        return True
    if abs(abs(margin) - abs(best_margin)) >= EPSILON:
        return abs(margin) < abs(best_margin)
    return left >= 0.0 and (abs(left) < abs(best_left) or best_left < 0.0)


def _checked_best(
    task: SpeedTask, limits: AccelerationBounds, best: float, early: float, remaining: float
) -> Bounded:
    """Return the best candidate, a bound if the body is early or late with all of them."""
    if math.isnan(best):
        return Bounded(math.nan, NO_ACCELERATION_FOUND)
    if early <= -task.dt + TIME_TOLERANCE:
        return Bounded(limits.high, 0)
    if early >= task.dt - TIME_TOLERANCE:
        return Bounded(limits.low, 0)
    if abs(early) < task.dt and remaining > DISTANCE_TOLERANCE:
        return Bounded(best, PREDICTED_DISTANCE_TOO_FAR)
    return Bounded(best, 0)


def untimed_search(task: SpeedTask, start: PredictedMotion, found: AccelerationBounds, length: float) -> Bounded:
    """Return the acceleration [m/s^2] within bounds; the first one of equals.

    Where none stops short of the vertex, the smallest overshoot counts. Where none can be used at
    all, the robust rules brake as hard as allowed.
    """
    best, remaining = math.nan, math.nan
    for i in range(STEPS + 1):
        candidate = found.low + i * (found.high - found.low) / STEPS
        first = moved(start, candidate, task.dt)
        motion = stop_prediction(task, first, length, math.inf)
        if motion.code == REJECTED:
            continue
        if motion.code != 0:
            return Bounded(math.nan, motion.code)
        left = length - motion.distance
        if _stops_closer(left, remaining):
            best, remaining = candidate, left
    if not math.isnan(best):
        return Bounded(best, 0)
    return Bounded(found.low, NO_ACCELERATION_FOUND if task.original else 0)


def _stops_closer(left: float, best: float) -> bool:
    """Return whether a remaining distance [m] is better than the best one so far, NaN for none."""
    if math.isnan(best):
        return True
    if left >= 0.0:
        return best < 0.0 or left < best
    return best < left


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
    allowed = bounds(task, speed, acceleration)
    if allowed.code != 0:
        return Bounded(math.nan, allowed.code)
    if (speed + 0.5 * allowed.low * dt) * dt > length or abs(allowed.high - allowed.low) < EPSILON:
        return Bounded(allowed.low, 0)
    start = PredictedMotion(speed, acceleration, 0.0, 0.0, 0)
    if not math.isfinite(time):
        return untimed_search(task, start, allowed, length)
    rounded = rounded_down(time, dt)
    if rounded.code != 0:
        if task.original:
            return Bounded(math.nan, rounded.code)
        return untimed_search(task, start, allowed, length)
    if in_last_steps(rounded.value, dt, brakes):
        return last_steps(task, speed, acceleration, rounded.value, length, brakes)
    timed = timed_search(task, start, allowed, rounded.value, length, brakes)
    if timed.code in (NO_ACCELERATION_FOUND, PREDICTED_DISTANCE_TOO_FAR) and not task.original:
        return untimed_search(task, start, allowed, length)
    return timed
