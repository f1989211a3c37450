"""Search for the acceleration with which the body is at a vertex at its time."""

import math

from velocity_mobility_ros.core.polyline.codes import (
    NO_ACCELERATION_FOUND,
    PREDICTED_DISTANCE_TOO_FAR,
)
from velocity_mobility_ros.core.polyline.constants import (
    DISTANCE_TOLERANCE,
    EPSILON,
    STEPS,
    TIME_TOLERANCE,
)
from velocity_mobility_ros.core.polyline.records import SpeedTask
from velocity_mobility_ros.core.polyline.speed.arrival_prediction import arrival_prediction
from velocity_mobility_ros.core.polyline.speed.original_bounds import Bounded, Bounds
from velocity_mobility_ros.core.polyline.speed.prediction import REJECTED, Motion

CANDIDATES = STEPS + 2
"""The bounds, 0, and what lies between the bounds."""


def timed_search(
    task: SpeedTask, start: Motion, found: Bounds, time: float, length: float, brakes: bool
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
    return _judged(task, found, best, early, remaining)


def _candidate(found: Bounds, i: int) -> float:
    """Return candidate ``i``: lower bound, 0, upper bound, what lies between; NaN for none."""
    if i == 0:
        return found.low
    if i == 1:
        return 0.0 if found.low < 0.0 < found.high else math.nan
    if i == 2:
        return found.high
    spacing = (found.high - found.low) / STEPS
    return found.low + (i - 2) * spacing if spacing > EPSILON else math.nan


def _is_better(margin: float, left: float, best_margin: float, best_left: float) -> bool:
    """Return whether a candidate is better than the best so far; NaN for none."""
    if math.isnan(best_margin):
        return True
    if abs(abs(margin) - abs(best_margin)) >= EPSILON:
        return abs(margin) < abs(best_margin)
    return left >= 0.0 and (abs(left) < abs(best_left) or best_left < 0.0)


def _judged(
    task: SpeedTask, found: Bounds, best: float, early: float, remaining: float
) -> Bounded:
    """Return the best candidate, a bound if the body is early or late with all of them."""
    if math.isnan(best):
        return Bounded(math.nan, NO_ACCELERATION_FOUND)
    if early <= -task.dt + TIME_TOLERANCE:
        return Bounded(found.high, 0)
    if early >= task.dt - TIME_TOLERANCE:
        return Bounded(found.low, 0)
    if abs(early) < task.dt and remaining > DISTANCE_TOLERANCE:
        return Bounded(best, PREDICTED_DISTANCE_TOO_FAR)
    return Bounded(best, 0)
