"""GUIDED mode: a velocity, a place, or a take-off, of which the last one asked for counts."""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.velocity_model import Vector, clip, limit_xy

GAIN = 1.0
"""Of the distance to a place [1/s]."""

YAW_GAIN, LARGEST_YAW_RATE = 2.0, 1.5


class Target(NamedTuple):
    """What is flown, in ENU from the estimator's origin.

    Attributes:
        kind: ``velocity``, ``place`` or ``take-off``.
        vector: Velocity [m/s] or place [m].
        yaw: Heading from east [rad]; NaN: as it is.
        yaw_rate: Counter-clockwise [rad/s].
        since: When it was set [s].
    """

    kind: str
    vector: Vector
    yaw: float = math.nan
    yaw_rate: float = 0.0
    since: float = 0.0


def stay(position: Vector, velocity: Vector, now: float) -> Target:
    """Return the place where it stops."""
    ahead = tuple(p + 0.5 * v for p, v in zip(position, velocity, strict=True))
    return Target('place', ahead, since=now)  # type: ignore[arg-type]


def timed_out(target: Target, now: float, timeout: float) -> Target:
    """Return the target after GUID_TIMEOUT: velocities become zero, it stays in GUIDED."""
    if target.kind != 'velocity' or now - target.since <= timeout:
        return target
    return target._replace(vector=(0.0, 0.0, 0.0), yaw_rate=0.0)


def velocity_of(
    target: Target, position: Vector, speeds: tuple[float, float, float]
) -> Vector:  # fmt: skip
    """Return the velocity [m/s, ENU] that flies a target; speeds: horizontal, up, down."""
    vector = target.vector
    if target.kind != 'velocity':
        vector = tuple(GAIN * (a - b) for a, b in zip(vector, position, strict=True))  # type: ignore[assignment]
    x, y = limit_xy(vector[0], vector[1], speeds[0])
    return x, y, clip(vector[2], -speeds[2], speeds[1])


def yaw_rate_of(target: Target, heading: float) -> float:
    """Return the yaw rate [rad/s] of a target."""
    if math.isnan(target.yaw):
        return target.yaw_rate
    error = math.remainder(target.yaw - heading, 2.0 * math.pi)
    return clip(YAW_GAIN * error, -LARGEST_YAW_RATE, LARGEST_YAW_RATE)
