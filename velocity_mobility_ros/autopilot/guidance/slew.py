"""Velocities and yaw rates within limits of size and of change."""

import math

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


def towards(settings: GuidanceParameters, last: Motion, wanted: Motion, dt: float) -> Motion:
    """Return the motion after some time on the way from the last one to the wanted one.

    Args:
        settings: The limits.
        last: What was sent last.
        wanted: What is wanted.
        dt: Time since then [s].
    """
    (x, y, z), (wx, wy, wz) = last.velocity, wanted.velocity
    dx, dy = limit_xy(wx - x, wy - y, settings.max_acc_xy * dt)
    dz = limit_abs(wz - z, settings.max_acc_z * dt)
    turn = limit_abs(wanted.yaw_rate - last.yaw_rate, settings.max_yaw_acc * dt)
    velocity: Vector = (x + dx, y + dy, z + dz)
    return Motion(velocity, last.yaw_rate + turn)
