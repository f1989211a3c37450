"""The drive of two tracks: speeds from surge and yaw rate in closed loop, and their lag.

Skid steering turns less than the speeds of its tracks say, because the tracks slip sideways. So
speed and yaw rate are measured and controlled: feed-forward, proportional and integral part.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.limits import limit_abs

LARGEST_SURGE_INTEGRAL = 0.5
"""Bound of the integral part of the speed [m/s]."""

LARGEST_TURN_INTEGRAL = 2.0
"""Bound of the integral part of the turn [m/s], half the difference of the tracks."""


class DriveGains(NamedTuple):
    """Limits and gains of the drive.

    Attributes:
        max_speed: Largest speed of a track [m/s].
        max_acc: Largest acceleration of a track [m/s^2].
        tau: Time constant of a track [s]; NaN: acceleration limit only.
        surge_gain: Track speed per error of the speed.
        surge_integral_gain: Its integral part [1/s].
        turn_gain: Track speed per error of the yaw rate [m].
        turn_integral_gain: Its integral part [m/s].
    """

    max_speed: float
    max_acc: float
    tau: float
    surge_gain: float
    surge_integral_gain: float
    turn_gain: float
    turn_integral_gain: float


class Integrals(NamedTuple):
    """Integral parts of the common speed of the tracks, and of half their difference [m/s]."""

    surge: float
    turn: float


class TrackSpeeds(NamedTuple):
    """Speeds of the surfaces of the tracks [m/s], positive forward."""

    left: float
    right: float


def wanted_tracks(
    gains: DriveGains, half_spacing: float, surge_error: float, turn_error: float,
    surge: float, yaw_rate: float, integrals: Integrals, dt: float,
) -> tuple[TrackSpeeds, Integrals]:  # fmt: skip
    """Return the commanded speeds of the tracks, and the integral parts after this update.

    Turning has priority: a track at its limit reduces the common speed, and freezes the integrals.

    Args:
        gains: Limits and gains.
        half_spacing: Distance of a track from the centre line [m].
        surge_error: Wanted forward velocity less that of the body [m/s].
        turn_error: Wanted yaw rate less that of the body [rad/s].
        surge: Wanted forward velocity [m/s].
        yaw_rate: Wanted yaw rate [rad/s].
        integrals: Integral parts before this update.
        dt: Time between two updates [s].
    """
    common = surge + gains.surge_gain * surge_error + integrals.surge
    half = yaw_rate * half_spacing + gains.turn_gain * turn_error + integrals.turn
    if abs(common) + abs(half) > gains.max_speed:
        half = limit_abs(half, gains.max_speed)
        common = limit_abs(common, gains.max_speed - abs(half))
        return TrackSpeeds(common - half, common + half), integrals
    after = Integrals(
        limit_abs(
            integrals.surge + gains.surge_integral_gain * surge_error * dt, LARGEST_SURGE_INTEGRAL
        ),
        limit_abs(
            integrals.turn + gains.turn_integral_gain * turn_error * dt, LARGEST_TURN_INTEGRAL
        ),
    )
    return TrackSpeeds(common - half, common + half), after


def lag_share(tau: float, dt: float) -> float:
    """Return the share of a difference that a first-order lag makes up for in ``dt`` [s]."""
    return 1.0 if math.isnan(tau) else 1.0 - math.exp(-dt / tau)


def next_track(gains: DriveGains, speed: float, wanted: float, share: float, dt: float) -> float:
    """Return the speed of a track after ``dt`` [s], within its speed and acceleration.

    Args:
        gains: The limits.
        speed: Speed before [m/s].
        wanted: Commanded speed [m/s].
        share: ``lag_share`` of this step.
        dt: The step.
    """
    slope = (limit_abs(wanted, gains.max_speed) - speed) * share / dt
    return limit_abs(speed + limit_abs(slope, gains.max_acc) * dt, gains.max_speed)
