"""The two limiters with the rules of the original, for comparison only.

The laws are those of ``limit_functions`` and ``motion_limit``; what is around them is not: the
first call passes unlimited, time is a float, the same time twice divides by zero, time that goes
back switches the limit off, NaN stays for ever, and a shorter list drops channels. Plain Python
only.
Source: dynamics module of the Triangula robot.
"""

from collections.abc import Sequence
from typing import NamedTuple

from velocity_mobility_ros.core.rate_limit import LimitFunction, Rates
from velocity_mobility_ros.core.twist_smoothing import Motion, MotionLimits, blended, change_factor


class Channels(NamedTuple):
    """The last output of channels, and its time [s]."""

    values: Sequence[float]
    time: float


class TimedMotion(NamedTuple):
    """The last output of a motion limiter, and its time [s]."""

    motion: Motion
    time: float


def channels_step(
    limit: LimitFunction | None, rates: Rates, last: Channels | None, values: Sequence[float],
    time: float,
) -> Channels:  # fmt: skip
    """Return the output of the rate limiter at a time [s]; ``last`` is None at the first call.

    Raises:
        TypeError: There is no limit function, and this is not the first call.
        ZeroDivisionError: The time is that of the last call.
    """
    if last is None:
        return Channels(values, time)
    pairs = zip(last.values, values, strict=False)
    dt = time - last.time
    return Channels([limit(rates, previous, wanted, dt) for previous, wanted in pairs], time)


def motion_step(
    limits: MotionLimits, last: TimedMotion | None, motion: Motion, time: float
) -> TimedMotion:
    """Return the output of the motion limiter at a time [s]; ``last`` is None at the first call.

    Raises:
        ZeroDivisionError: The time is that of the last call.
    """
    if last is None:
        return TimedMotion(motion, time)
    k = change_factor(limits, last.motion, motion, time - last.time)
    return TimedMotion(blended(last.motion, motion, k), time)
