"""Jumps of the estimator: what was latched in the local frame jumps with it.

A counter tells of each jump, and its size is that of the last one. If messages were lost between
two jumps, their sum is not known: what depends on it is latched again where the vehicle is.
Counters do not begin at 0.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.autopilot.reports import COUNTS, LocalPosition, Resets
from velocity_mobility_ros.core.frames import wrap_pi
from velocity_mobility_ros.core.model import Vector


class Latched(NamedTuple):
    """What is kept in the local frame.

    Attributes:
        point: Position [m].
        yaw: Heading [rad]; NaN: none.
        velocity: The last velocity that was sent [m/s].
        commanded: The same without the correction of a drift [m/s].
    """

    point: Vector
    yaw: float
    velocity: Vector
    commanded: Vector


def moved(latched: Latched, before: Resets, local: LocalPosition) -> Latched:
    """Return what was latched after the jumps since another report.

    Args:
        latched: What was latched.
        before: The counters then.
        local: The report now.
    """
    now, (x, y, z), yaw = local.resets, latched.point, latched.yaw
    x, y = _shifted(before.xy, now.xy, (x, y), now.delta_xy, local.position[:2])
    (z,) = _shifted(before.z, now.z, (z,), (now.delta_z,), local.position[2:])
    if not math.isnan(yaw):
        (yaw,) = _shifted(
            before.heading, now.heading, (yaw,), (now.delta_heading,), (local.heading,)
        )
        yaw = wrap_pi(yaw)
    return Latched(
        (x, y, z), yaw, _moved_velocity(latched.velocity, before, local),
        _moved_velocity(latched.commanded, before, local),
    )  # fmt: skip


def _moved_velocity(velocity: Vector, before: Resets, local: LocalPosition) -> Vector:
    now, (vx, vy, vz), speed = local.resets, velocity, local.velocity
    vx, vy = _shifted(before.v_xy, now.v_xy, (vx, vy), now.delta_v_xy, speed[:2])
    (vz,) = _shifted(before.v_z, now.v_z, (vz,), (now.delta_v_z,), speed[2:])
    return vx, vy, vz


def _shifted(
    before: int,
    now: int,
    kept: tuple[float, ...],
    delta: tuple[float, ...],
    present: tuple[float, ...],
) -> tuple[float, ...]:
    count = (now - before) % COUNTS
    if count == 0:
        return kept
    if count > 1 or not all(map(math.isfinite, delta)):
        return present
    return tuple(a + b for a, b in zip(kept, delta, strict=True))
