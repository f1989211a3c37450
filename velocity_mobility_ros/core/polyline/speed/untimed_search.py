"""Search for the acceleration with which the body stops as close before a vertex as possible."""

import math

from velocity_mobility_ros.core.polyline.codes import NO_ACCELERATION_FOUND
from velocity_mobility_ros.core.polyline.constants import STEPS
from velocity_mobility_ros.core.polyline.records import SpeedTask
from velocity_mobility_ros.core.polyline.speed.original_bounds import Bounded, Bounds
from velocity_mobility_ros.core.polyline.speed.prediction import REJECTED, Motion, stop_prediction


def untimed_search(task: SpeedTask, start: Motion, found: Bounds, length: float) -> Bounded:
    """Return the acceleration [m/s^2] within bounds; the first one of equals.

    Where none stops short of the vertex, the smallest overshoot counts. Where none can be used at
    all, the robust rules brake as hard as allowed.
    """
    best, remaining = math.nan, math.nan
    for i in range(STEPS + 1):
        candidate = found.low + i * (found.high - found.low) / STEPS
        motion = stop_prediction(task, start, candidate, length)
        if motion.code == REJECTED:
            continue
        if motion.code != 0:
            return Bounded(math.nan, motion.code)
        left = length - motion.distance
        if _is_better(left, remaining):
            best, remaining = candidate, left
    if not math.isnan(best):
        return Bounded(best, 0)
    return Bounded(found.low, NO_ACCELERATION_FOUND if task.original else 0)


def _is_better(left: float, best: float) -> bool:
    """Return whether a remaining distance [m] is better than the best one so far, NaN for none."""
    if math.isnan(best):
        return True
    if left >= 0.0:
        return best < 0.0 or left < best
    return best < left
