"""A point mass that follows velocity commands with limits and lag, and yaws independently.

Over many steps with the same command the velocity model has a closed form.

The difference d = v - c of velocity and command keeps its direction; its size falls by a dt in
each of the first steps, which the acceleration limit a decides, and then to q of itself:

    d_k = d - k a dt              for the first m steps, until d_m <= tau a
    d_(m+j) = q^j d_m             q = 1 - dt / tau
    p_n = p + dt (n c + d_1 + ... + d_n)

That holds as long as nothing exceeds the speed limits: v and c within them keep all between within
them. Otherwise the steps are made one by one.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.coordinate_frames import VehicleMotion, next_yaw, rotate_z
from velocity_mobility_ros.core.velocity_model import (
    Limits,
    MobilityParameters,
    Vector,
    limit_abs,
    step,
)
from velocity_mobility_ros.core.velocity_model import (
    step as moved,
)
from velocity_mobility_ros.vehicles.vehicle import Command, Vehicle

STILL: Vector = (0.0, 0.0, 0.0)


class KinematicMeans(NamedTuple):
    """Limits and lags of the velocity model, and the largest yaw rate [rad/s]."""

    limits: Limits
    max_yaw_rate: float


class KinematicState(NamedTuple):
    """Position [m, map], velocity [m/s, map], heading [rad] and yaw rate [rad/s]."""

    position: Vector
    velocity: Vector
    yaw: float
    yaw_rate: float


def means(parameters: MobilityParameters) -> KinematicMeans:
    """Return the parameters used by ``step``."""
    return KinematicMeans(parameters.limits, parameters.max_yaw_rate)


def at_rest(position: Vector, yaw: float, _seed: int) -> KinematicState:
    """Return the state of a body at rest at a position [m] with a heading [rad]."""
    return KinematicState(position, STILL, yaw, 0.0)


def kinematic_step(
    means: KinematicMeans, state: KinematicState, command: Command, dt: float
) -> KinematicState:
    """Advance by ``dt`` [s]: velocity model and heading."""
    x, y, z = command.velocity
    if command.in_body:
        x, y = rotate_z(x, y, state.yaw)
    position, velocity = moved(state.position, state.velocity, (x, y, z), dt, means.limits)
    yaw_rate = limit_abs(command.yaw_rate, means.max_yaw_rate)
    return KinematicState(position, velocity, next_yaw(state.yaw, yaw_rate, dt), yaw_rate)


def motion(state: KinematicState) -> VehicleMotion:
    """Return the motion for the odometry: the whole state."""
    return VehicleMotion(state.position, state.yaw, state.velocity, state.yaw_rate)


KINEMATIC = Vehicle(MobilityParameters, means, at_rest, kinematic_step, motion)


ROUNDING = 1.0 + 1e-9
"""A command at its limit is within it."""


def held_command(
    p: Vector, v: Vector, c: Vector, dt: float, count: int, limits: Limits
) -> tuple[Vector, Vector]:
    """Move one body by some steps with the same command.

    Args:
        p: Position [m].
        v: Velocity [m/s], same frame.
        c: Commanded velocity [m/s], same frame.
        dt: Step [s], > 0.
        count: How many steps.
        limits: ``MobilityParameters.limits``.

    Returns:
        New position and new velocity, up to rounding those of ``count`` times ``model.step``.
    """
    if count <= 1 or not _has_closed_form(v, c, dt, limits):
        for _ in range(count):
            p, v = step(p, v, c, dt, limits)
        return p, v
    _, _, max_acc_xy, max_acc_z, tau_xy, tau_z = limits
    dx, dy, dz = v[0] - c[0], v[1] - c[1], v[2] - c[2]
    left, total = _shares(math.sqrt(dx * dx + dy * dy), dt, count, max_acc_xy, tau_xy)
    left_z, total_z = _shares(abs(dz), dt, count, max_acc_z, tau_z)
    time = count * dt
    position = (
        p[0] + time * c[0] + total * dx,
        p[1] + time * c[1] + total * dy,
        p[2] + time * c[2] + total_z * dz,
    )
    return position, (c[0] + left * dx, c[1] + left * dy, c[2] + left_z * dz)


def _has_closed_form(v: Vector, c: Vector, dt: float, limits: Limits) -> bool:
    """Return whether the speed limits do not matter, and no lag is shorter than a step."""
    max_speed_xy, max_speed_z, max_acc_xy, max_acc_z, tau_xy, tau_z = limits
    able = max_acc_xy * dt > 0.0 and max_acc_z * dt > 0.0 and not (tau_xy < dt or tau_z < dt)
    square = ROUNDING * (max_speed_xy * max_speed_xy)
    level = v[0] * v[0] + v[1] * v[1] <= square and c[0] * c[0] + c[1] * c[1] <= square
    return able and level and max(abs(v[2]), abs(c[2])) <= max_speed_z


def _shares(
    size: float, dt: float, count: int, max_acc: float, tau: float
) -> tuple[float, float]:
    """Return what is left of a difference after some steps, and its integral, as shares of it [s].

    Args:
        size: Its size [m/s].
        dt: Step [s].
        count: How many steps.
        max_acc: Largest acceleration [m/s^2].
        tau: Lag [s], not shorter than a step; NaN: none.
    """
    if size == 0.0:
        return 0.0, 0.0
    lag = dt if math.isnan(tau) else tau
    fall = max_acc * dt
    full = max(0.0, math.ceil(min(float(count), (size - lag * max_acc) / fall)))
    slow = size - full * fall
    left = slow * math.pow(1.0 - dt / lag, count - full)
    total = full * size - 0.5 * fall * full * (full + 1.0)
    total += (slow - left) * (lag / dt - 1.0)
    return left / size, dt * total / size
