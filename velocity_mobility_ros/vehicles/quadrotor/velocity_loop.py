"""Velocity controller: a velocity command in, attitude and thrust out, once per controller step.

    dr/dt = (v* - r) / tau                            within the limits: the velocity model
    a*    = dr/dt + Kv (r - v) + integral + yaw rate x r      within the limits
    f*    = m (a* + g) + R K R^T v                    horizontally within the largest tilt

The reference r follows the command as the velocity model does, so that the loop corrects only what
the model does not foresee; without a lag it is the command. Drag in still air is fed forward, at
the measured attitude and velocity (Faessler, Franchi and Scaramuzza 2018); wind is left to the
integral. What this holds after a stop moves the vehicle by the integral over its gain, so it has
a larger gain at command 0, below ``HOLD_SPEED``. The thrust points along f*, the nose along the
yaw set-point (Mellinger and Kumar, Minimum snap trajectory generation, ICRA 2011). Reference and
integral turn with the nose under a command in the body's frame, as drag does in a turn, and stay
under one in map.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.frames import Quaternion, rotate, rotate_z, wrap_pi
from velocity_mobility_ros.core.limits import clip, limit_abs, limit_velocity, limit_xy
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.vehicles.quadrotor.attitude import heading, tilted
from velocity_mobility_ros.vehicles.quadrotor.drag import drag_force
from velocity_mobility_ros.vehicles.quadrotor.velocity_means import VelocityMeans
from velocity_mobility_ros.vehicles.quadrotor.velocity_reference import followed
from velocity_mobility_ros.vehicles.vehicle import Command

UP: Vector = (0.0, 0.0, 1.0)

HOLD_SPEED = 0.5
"""Horizontal speed [m/s] below which a vehicle with command 0 is one that holds."""


class VelocityMemory(NamedTuple):
    """Memory of the loop.

    Attributes:
        integral: Integral [m/s^2], in a frame turned about the vertical.
        frame: Angle of this frame [rad].
        yaw: Yaw set-point [rad].
        reference: What the velocity should be [m/s, map].
        heading: Heading of the last step [rad]: the reference turns with the nose under a command
            in the body's frame.
    """

    integral: Vector
    frame: float
    yaw: float
    reference: Vector
    heading: float


class Wanted(NamedTuple):
    """Wanted attitude, yaw rate [rad/s] and thrust [N]."""

    attitude: Quaternion
    yaw_rate: float
    thrust: float


def velocity_control(
    means: VelocityMeans,
    memory: VelocityMemory,
    attitude: Quaternion,
    velocity: Vector,
    command: Command,
    dt: float,
) -> tuple[VelocityMemory, Wanted]:
    """Return the memory after a controller step and what the attitude loop has to do.

    Args:
        means: Gains and limits.
        memory: Memory before.
        attitude: Attitude, body to map.
        velocity: Velocity [m/s, map].
        command: Wanted velocity and yaw rate.
        dt: Controller step [s].
    """
    yaw = heading(attitude)
    yaw_rate = limit_abs(command.yaw_rate, means.yaw_rate)
    target, frame, past = limited_command(means, command.velocity), memory.frame, memory.reference
    if command.in_body:
        target, frame = turned_z(target, yaw), yaw
        past = turned_z(past, yaw - memory.heading)
    expected, reference, change = followed(means, past, target, dt)
    error = expected[0] - velocity[0], expected[1] - velocity[1], expected[2] - velocity[2]
    asked = asked_acceleration(means, turned_z(memory.integral, frame), error)
    asked = asked[0] + change[0], asked[1] + change[1], asked[2] + change[2]
    if command.in_body:
        asked = asked[0] - yaw_rate * expected[1], asked[1] + yaw_rate * expected[0], asked[2]
    drag = rotate(attitude, drag_force(means.drag, attitude, velocity))
    thrust, is_free_xy, is_free_z = within_limits(means, asked, drag)
    is_hold = target[0] == 0.0 and target[1] == 0.0 and is_slow(velocity)
    gain = means.hold_integral_xy if is_hold else means.integral_xy
    integral = next_integral(
        means, gain, memory.integral, turned_z(error, -frame), is_free_xy, is_free_z, dt
    )
    ahead = limit_abs(wrap_pi(memory.yaw + yaw_rate * dt - yaw), means.yaw_lead)
    force = means.mass * thrust[0], means.mass * thrust[1], means.mass * thrust[2] + means.weight
    wanted = pointed(means, attitude, force, yaw + ahead, yaw_rate)
    return VelocityMemory(integral, frame, yaw + ahead, reference, yaw), wanted


def is_slow(velocity: Vector) -> bool:
    """Return whether a vehicle that is told to stop has almost stopped horizontally."""
    return velocity[0] * velocity[0] + velocity[1] * velocity[1] < HOLD_SPEED * HOLD_SPEED


def within_limits(means: VelocityMeans, asked: Vector, drag: Vector) -> tuple[Vector, bool, bool]:
    """Return the thrust by mass [m/s^2] that gives an acceleration, gravity left out.

    Args:
        means: Limits.
        asked: Acceleration [m/s^2].
        drag: Drag that the thrust makes up for [N].

    Returns:
        The thrust by mass, and whether it is within the limits horizontally and vertically.
    """
    ax, ay = limit_xy(asked[0], asked[1], means.acc_xy)
    wx, wy, wz = (
        ax - drag[0] / means.mass,
        ay - drag[1] / means.mass,
        asked[2] - drag[2] / means.mass,
    )
    tx, ty = limit_xy(wx, wy, means.tilt_acc)
    tz = clip(wz, -means.acc_down, means.acc_up)
    is_free_xy = ax == asked[0] and ay == asked[1] and tx == wx and ty == wy
    return (tx, ty, tz), is_free_xy, tz == wz


def limited_command(means: VelocityMeans, velocity: Vector) -> Vector:
    """Return a velocity within the limits [m/s]; NaN is 0."""
    x, y, z = velocity
    return limit_velocity(x, y, z, means.speed_xy, means.speed_up if z > 0.0 else means.speed_down)


def turned_z(vector: Vector, yaw: float) -> Vector:
    """Return a vector turned about the vertical [rad]."""
    x, y = rotate_z(vector[0], vector[1], yaw)
    return x, y, vector[2]


def asked_acceleration(means: VelocityMeans, integral: Vector, error: Vector) -> Vector:
    """Return the acceleration [m/s^2] for an error [m/s] and an integral, before its limits."""
    return (
        means.gain_xy * error[0] + integral[0],
        means.gain_xy * error[1] + integral[1],
        means.gain_z * error[2] + integral[2],
    )


def next_integral(
    means: VelocityMeans,
    gain: float,
    integral: Vector,
    error: Vector,
    is_free_xy: bool,
    is_free_z: bool,
    dt: float,
) -> Vector:
    """Return the integral [m/s^2] after ``dt`` [s] of an error [m/s], both in its frame.

    Args:
        means: Gains and limits.
        gain: Integral gain horizontally [1/s^2].
        integral: Integral before.
        error: Error of the velocity.
        is_free_xy: Whether the horizontal acceleration is within its limit; else it holds.
        is_free_z: The same of the vertical one.
        dt: Controller step.
    """
    x, y, z = integral
    most = means.max_integral
    if is_free_xy:
        x = limit_abs(x + gain * error[0] * dt, most)
        y = limit_abs(y + gain * error[1] * dt, most)
    if is_free_z:
        z = limit_abs(z + means.integral_z * error[2] * dt, most)
    return x, y, z


def pointed(
    means: VelocityMeans, attitude: Quaternion, force: Vector, yaw: float, yaw_rate: float
) -> Wanted:
    """Return attitude and thrust for a force [N, map] that points up, and a yaw [rad]."""
    fx, fy, fz = force
    size = math.sqrt(fx * fx + fy * fy + fz * fz)
    ux, uy, uz = rotate(attitude, UP)
    thrust = clip(fx * ux + fy * uy + fz * uz, means.least_thrust, means.most_thrust)
    return Wanted(tilted(fx / size, fy / size, fz / size, yaw), yaw_rate, thrust)
