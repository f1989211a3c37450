"""Times in whole steps."""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.polyline.codes import TIME_NOT_ROUNDABLE
from velocity_mobility_ros.core.polyline.constants import LARGEST_STEPS, TIME_TOLERANCE


class RoundedTime(NamedTuple):
    """A time [s], and an error code or 0."""

    value: float
    code: int


def rounded_down(time: float, dt: float) -> RoundedTime:
    """Return a time [s] in whole steps, rounded down, and a little more than that.

    A time that lacks less than a millionth of a step is the next whole step. Negative times are 0.
    """
    steps = time / dt
    if not math.isfinite(steps) or steps > LARGEST_STEPS:
        return RoundedTime(math.nan, TIME_NOT_ROUNDABLE)
    whole = float(math.floor(max(steps, 0.0)))
    if steps - whole > 1.0 - TIME_TOLERANCE:
        whole += 1.0
    return RoundedTime(whole * dt + TIME_TOLERANCE, 0)
