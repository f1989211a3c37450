"""The place and height that commands lead to, and a velocity that keeps the vehicle there.

An autopilot flies a commanded velocity with an error that lasts, that of its estimate: PX4 in its
simulator SIH was seen to sink by 5 m in a minute at a vertical command of 0, and to drift by 3 to
7 m in 20 s at a horizontal one, while its position was right within 0.5 m. The height moves with
the command, never far from the vehicle; the distance to it, times a gain, is added.

In the plane this is done for a command of zero only, once the vehicle has braked:

    w* = k_xy (p - x) within MAX_CORRECTION,  p: where it had stopped
    w  goes towards w*, towards 0 without p, by max_acc_xy dt at most; v + w is sent

Any other command is flown as it is: correcting a place that moves made a ring round a wandering
target worse, since agents correct their places there by themselves. A velocity that is wrong by b
leaves b / k_xy to the point, as with the position control of PX4 itself.

The point is one where the vehicle has been, so that it lies within the room of the vehicle
(``KeepInResult``). Only ``Intent.TRACK`` has one. ``Intent.BRAKE`` ends in a position that is
held, and is flown with positions that may be old: what was added fades out. With ``Intent.STOP``
there is no position at all.

When the estimator jumps, what was latched in the local frame jumps with it.

A counter tells of each jump, and its size is that of the last one. If messages were lost between
two jumps, their sum is not known: what depends on it is latched again where the vehicle is.
Counters do not begin at 0.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.autopilot.autopilot_reports import COUNTS, LocalPosition, Resets
from velocity_mobility_ros.autopilot.setpoint_limits import (
    HOLD_HEIGHT, HOLD_POSITION, GuidanceParameters, near
)
from velocity_mobility_ros.core.coordinate_frames import wrap_pi
from velocity_mobility_ros.core.velocity_model import Vector, limit_abs, limit_xy


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
    """Return the latched state after the jumps of the estimate since another report.

    Args:
        latched: What was latched.
        before: The counters then.
        local: The report now.
    """
    now, (x, y, z), yaw = local.resets, latched.point, latched.yaw
    x, y = _after_resets(before.xy, now.xy, (x, y), now.delta_xy, local.position[:2])
    (z,) = _after_resets(before.z, now.z, (z,), (now.delta_z,), local.position[2:])
    if not math.isnan(yaw):
        (yaw,) = _after_resets(
            before.heading, now.heading, (yaw,), (now.delta_heading,), (local.heading,)
        )
        yaw = wrap_pi(yaw)
    return Latched(
        (x, y, z), yaw, _velocity_after_resets(latched.velocity, before, local),
        _velocity_after_resets(latched.commanded, before, local),
    )  # fmt: skip


def _velocity_after_resets(velocity: Vector, before: Resets, local: LocalPosition) -> Vector:
    now, (vx, vy, vz), speed = local.resets, velocity, local.velocity
    vx, vy = _after_resets(before.v_xy, now.v_xy, (vx, vy), now.delta_v_xy, speed[:2])
    (vz,) = _after_resets(before.v_z, now.v_z, (vz,), (now.delta_v_z,), speed[2:])
    return vx, vy, vz


def _after_resets(
    before: int,
    now: int,
    value: tuple[float, ...],
    delta: tuple[float, ...],
    present: tuple[float, ...],
) -> tuple[float, ...]:
    count = (now - before) % COUNTS
    if count == 0:
        return value
    if count > 1 or not all(map(math.isfinite, delta)):
        return present
    return tuple(a + b for a, b in zip(value, delta, strict=True))


MAX_LEAD = 1.0
"""Largest distance of that height from the vehicle's [m]."""

MAX_CORRECTION = 1.0
"""Largest horizontal velocity that is added [m/s]: twice the largest error that was seen."""

ZERO_SPEED = 0.01
"""Horizontal speed below which a command is zero [m/s]."""

STOPPED = 0.3
"""Speed below which a vehicle has stopped [m/s]."""

MAX_STOPPING = 1.5
"""Time after which it has stopped in any case, whatever its estimate says [s]."""


def held_from(
    settings: GuidanceParameters,
    before: float,
    command: Vector,
    reference: Vector,
    local: LocalPosition,
    now: float,
) -> float:
    """Return from when on the vehicle keeps its place [s]; infinite: it does not.

    Once it does, only the command ends it: the reference also jumps with the estimate.

    Args:
        settings: Whether it does at all.
        before: The same at the last step.
        command: The commanded velocity [m/s].
        reference: The velocity that leads there [m/s].
        local: Where the vehicle is.
        now: Monotonic time [s].
    """
    x, y, _ = local.position
    is_located = local.xy_valid and math.isfinite(x) and math.isfinite(y)
    if settings.horizontal_mode != HOLD_POSITION or not is_located or _speed(command) > ZERO_SPEED:
        return math.inf
    if before <= now:
        return before
    if _speed(reference) > ZERO_SPEED:
        return math.inf
    return now if _speed(local.velocity) < STOPPED else min(before, now + MAX_STOPPING)


def _speed(velocity: Vector) -> float:
    return math.hypot(velocity[0], velocity[1])


def advance_hold_height(
    point: Vector, climb: float, local: LocalPosition, dt: float, is_held: bool
) -> Vector:
    """Return a point that has moved with the command.

    Args:
        point: The point before [m].
        climb: The commanded vertical velocity [m/s].
        local: Where the vehicle is.
        dt: Time since then [s].
        is_held: Whether the place is kept; if not, it is the vehicle's.
    """
    x, y, z = local.position
    if is_held:
        x, y, _ = point
    return x, y, z + limit_abs(point[2] + dt * climb - z, MAX_LEAD)


def corrected(
    settings: GuidanceParameters,
    latched: Latched,
    velocity: Vector,
    local: LocalPosition,
    dt: float,
) -> Vector:
    """Return a velocity that also leads back to the point [m/s].

    Args:
        settings: The gains.
        latched: The point, and what was sent last with and without a correction.
        velocity: The commanded velocity [m/s].
        local: Where the vehicle is.
        dt: Time since the last step [s].
    """
    x, y, z = velocity
    error = latched.point[2] - local.position[2]
    if settings.vertical_mode == HOLD_HEIGHT and local.z_valid and math.isfinite(error):
        z += settings.k_z * error
    wx, wy = _correction(settings, latched, local, dt)
    return near(settings, local, (x + wx, y + wy, z)) if wx or wy else (x, y, z)


def _correction(
    settings: GuidanceParameters, latched: Latched, local: LocalPosition, dt: float
) -> tuple[float, float]:
    """Return the horizontal velocity that is added [m/s]; 0 where the point is the vehicle's."""
    (px, py, _), (x, y, _), k = latched.point, local.position, settings.k_xy
    (sx, sy, _), (cx, cy, _) = latched.velocity, latched.commanded
    wx, wy = limit_xy(sx - cx, sy - cy, MAX_CORRECTION)
    goal_x, goal_y = limit_xy(k * (px - x), k * (py - y), MAX_CORRECTION)
    dx, dy = limit_xy(goal_x - wx, goal_y - wy, settings.max_acc_xy * dt)
    return wx + dx, wy + dy
