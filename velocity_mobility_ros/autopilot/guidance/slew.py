"""Velocities and yaw rates within limits of size and of change."""

import math
from typing import NamedTuple

from velocity_mobility_ros.autopilot.guidance.guidance_parameters import GuidanceParameters
from velocity_mobility_ros.autopilot.reports import LocalPosition
from velocity_mobility_ros.core.limits import limit_abs, limit_xy
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.smoothing.motion_limit import Motion


def within(settings: GuidanceParameters, local: LocalPosition, wanted: Motion) -> Motion:
    """Return a motion within the limits of the settings and of what the estimator can bear.

    The direction of the horizontal velocity is kept.
    """
    x, y, z = wanted.velocity
    x, y = limit_xy(x, y, min(settings.max_speed_xy, _bearable(local.max_speed_xy)))
    most = _bearable(local.max_speed_z)
    z = min(max(z, -min(settings.max_speed_down, most)), min(settings.max_speed_up, most))
    return Motion((x, y, z), limit_abs(wanted.yaw_rate, settings.max_yaw_rate))


def _bearable(speed: float) -> float:
    """Return a speed limit of the estimator [m/s]; NaN or nothing above 0: no limit."""
    return speed if speed > 0.0 else math.inf


def near(settings: GuidanceParameters, local: LocalPosition, wanted: Vector) -> Vector:
    """Return a velocity whose horizontal part is not far from the measured one [m/s].

    It bounds the acceleration without a delay, whereas a bound on the change of the velocity that
    is asked for delays a law which makes up for the lag of its vehicle.
    """
    vx, vy, _ = local.velocity
    if not (local.v_xy_valid and math.isfinite(vx) and math.isfinite(vy)):
        return wanted
    dx, dy = limit_xy(wanted[0] - vx, wanted[1] - vy, settings.max_lead_xy)
    return vx + dx, vy + dy, wanted[2]


class Rates(NamedTuple):
    """How fast a motion may change.

    Attributes:
        xy: Horizontal velocity [m/s^2].
        z: Vertical velocity [m/s^2].
        yaw: Yaw rate [rad/s^2].
    """

    xy: float
    z: float
    yaw: float


def rates_of(settings: GuidanceParameters, brakes: bool) -> Rates:
    """Return how fast the sent motion may change: gently where the bridge itself brakes."""
    if brakes:
        return Rates(settings.max_acc_xy, settings.max_acc_z, settings.max_yaw_acc)
    return Rates(settings.max_slew_xy, settings.max_slew_z, settings.max_yaw_acc)


def towards(rates: Rates, last: Motion, wanted: Motion, dt: float) -> Motion:
    """Return the motion after some time on the way from the last one to the wanted one.

    Args:
        rates: How fast it may change.
        last: What was sent last.
        wanted: What is wanted.
        dt: Time since then [s].
    """
    (x, y, z), (wx, wy, wz) = last.velocity, wanted.velocity
    dx, dy = limit_xy(wx - x, wy - y, rates.xy * dt)
    dz = limit_abs(wz - z, rates.z * dt)
    turn = limit_abs(wanted.yaw_rate - last.yaw_rate, rates.yaw * dt)
    velocity: Vector = (x + dx, y + dy, z + dz)
    return Motion(velocity, last.yaw_rate + turn)
