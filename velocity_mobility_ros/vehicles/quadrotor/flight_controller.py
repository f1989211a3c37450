"""The flight controller of a quadrotor: velocity loop outside, attitude and rate loop inside.

The velocity loop makes attitude and thrust of a velocity command, once per controller step:

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

The attitude and rate loop makes a torque of a wanted attitude, in every physics step:

    w*  = Ka 2 s q_e + R^T [0, 0, yaw rate]      q_e = q^-1 q*, s its shorter way
    M   = I (Kr (w* - w) + integral) + w x I w

Attitude by quaternion feedback, as in Brescianini, Hehn and D'Andrea, Nonlinear quadrocopter
attitude control (2013); the torque cancels the gyroscopic one of the body.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.coordinate_frames import (
    Quaternion, inverse, multiply, rotate, rotate_z, wrap_pi
)
from velocity_mobility_ros.core.velocity_model import (
    Vector, change_xy, change_z, clip, limit_abs, limit_velocity, limit_xy
)
from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import (
    GainParameters, QuadrotorParameters, airframe
)
from velocity_mobility_ros.vehicles.quadrotor.rigid_body import (
    Drag, drag_force, drag_of, gyroscopic, heading, tilted
)
from velocity_mobility_ros.vehicles.vehicle import Command


class VelocityCoefficients(NamedTuple):
    """Gains and limits; speeds [m/s], accelerations [m/s^2].

    Attributes:
        speed_xy: Largest horizontal speed.
        speed_up: Largest speed of climb.
        speed_down: Largest speed of descent.
        yaw_rate: Largest yaw rate [rad/s].
        acc_xy: Largest horizontal acceleration, that of the largest tilt included.
        tilt_acc: Largest horizontal thrust by mass, that of the largest tilt in level flight.
        acc_up: Largest upward acceleration.
        acc_down: Largest downward acceleration.
        gain_xy: Acceleration per velocity error [1/s].
        gain_z: The same vertically.
        integral_xy: Integral gain [1/s^2].
        hold_integral_xy: The same while the command is 0 and the vehicle slow.
        integral_z: Integral gain vertically.
        max_integral: Largest integral of an axis.
        reference_tau_xy: Lag of the reference [s]; NaN: none.
        reference_tau_z: The same vertically.
        drag: Drag that is fed forward.
        yaw_lead: Largest lead of the yaw set-point [rad].
        mass: Mass [kg].
        weight: Weight [N].
        least_thrust: Smallest thrust [N].
        most_thrust: Largest thrust [N].
    """

    speed_xy: float
    speed_up: float
    speed_down: float
    yaw_rate: float
    acc_xy: float
    tilt_acc: float
    acc_up: float
    acc_down: float
    gain_xy: float
    gain_z: float
    integral_xy: float
    hold_integral_xy: float
    integral_z: float
    max_integral: float
    reference_tau_xy: float
    reference_tau_z: float
    drag: Drag
    yaw_lead: float
    mass: float
    weight: float
    least_thrust: float
    most_thrust: float


def velocity_coefficients(parameters: QuadrotorParameters) -> VelocityCoefficients:
    """Return gains and limits of the velocity loop."""
    derived = airframe(parameters)
    full = 4.0 * derived.max_thrust
    tilt_acc = parameters.gravity * math.tan(parameters.max_tilt)
    return VelocityCoefficients(
        speed_xy=parameters.max_speed_xy,
        speed_up=parameters.max_speed_z,
        speed_down=parameters.descent_speed,
        yaw_rate=parameters.max_yaw_rate,
        acc_xy=min(parameters.max_acc_xy, tilt_acc),
        tilt_acc=tilt_acc,
        acc_up=parameters.max_acc_z,
        acc_down=parameters.descent_acceleration,
        gain_xy=parameters.velocity_gain_xy,
        gain_z=parameters.velocity_gain_z,
        integral_xy=parameters.velocity_integral_xy,
        hold_integral_xy=parameters.hold_integral_xy,
        integral_z=parameters.velocity_integral_z,
        max_integral=parameters.max_velocity_integral,
        reference_tau_xy=or_nan(parameters.velocity_reference_tau_xy),
        reference_tau_z=or_nan(parameters.velocity_reference_tau_z),
        # By the square of any speed over ground it would outweigh the gain in a storm.
        drag=drag_of(parameters, parameters.drag_feedforward, parameters.max_speed_xy),
        yaw_lead=parameters.max_yaw_lead,
        mass=parameters.mass,
        weight=derived.weight,
        least_thrust=parameters.min_thrust_share * full,
        most_thrust=parameters.max_thrust_share * full,
    )


def or_nan(value: float | None) -> float:
    """Return a number; none is NaN."""
    return math.nan if value is None else value


def followed(
    model: VelocityCoefficients, reference: Vector, target: Vector, dt: float
) -> tuple[Vector, Vector, Vector]:
    """Return what the velocity should be now [m/s], the reference after ``dt`` [s], its change.

    The reference follows the commanded velocity as the velocity model does, by its lag and within
    the largest acceleration; without a lag it is the command. Its change is in [m/s^2].
    """
    x, y, z = reference
    dx = dy = dz = 0.0
    if math.isnan(model.reference_tau_xy):
        x, y = target[0], target[1]
    else:
        dx, dy = change_xy(target[0] - x, target[1] - y, dt, model.acc_xy, model.reference_tau_xy)
    if math.isnan(model.reference_tau_z):
        z = target[2]
    else:
        most = model.acc_up if target[2] > z else model.acc_down
        dz = change_z(target[2] - z, dt, most, model.reference_tau_z)
    return (x, y, z), (x + dx, y + dy, z + dz), (dx / dt, dy / dt, dz / dt)


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


class AttitudeSetpoint(NamedTuple):
    """AttitudeSetpoint attitude, yaw rate [rad/s] and thrust [N]."""

    attitude: Quaternion
    yaw_rate: float
    thrust: float


def velocity_control(
    model: VelocityCoefficients,
    memory: VelocityMemory,
    attitude: Quaternion,
    velocity: Vector,
    command: Command,
    dt: float,
) -> tuple[VelocityMemory, AttitudeSetpoint]:
    """Return the memory after a controller step and what the attitude loop has to do.

    Args:
        model: Gains and limits.
        memory: Memory before.
        attitude: Attitude, body to map.
        velocity: Velocity [m/s, map].
        command: AttitudeSetpoint velocity and yaw rate.
        dt: Controller step [s].
    """
    yaw = heading(attitude)
    yaw_rate = limit_abs(command.yaw_rate, model.yaw_rate)
    target, frame, past = limited_command(model, command.velocity), memory.frame, memory.reference
    if command.in_body:
        target, frame = turned_z(target, yaw), yaw
        past = turned_z(past, yaw - memory.heading)
    expected, reference, change = followed(model, past, target, dt)
    error = expected[0] - velocity[0], expected[1] - velocity[1], expected[2] - velocity[2]
    acc = asked_acceleration(model, turned_z(memory.integral, frame), error)
    acc = acc[0] + change[0], acc[1] + change[1], acc[2] + change[2]
    if command.in_body:
        acc = acc[0] - yaw_rate * expected[1], acc[1] + yaw_rate * expected[0], acc[2]
    drag = rotate(attitude, drag_force(model.drag, attitude, velocity))
    thrust, is_free_xy, is_free_z = within_limits(model, acc, drag)
    is_hold = target[0] == 0.0 and target[1] == 0.0 and is_slow(velocity)
    gain = model.hold_integral_xy if is_hold else model.integral_xy
    integral = velocity_integral(
        model, gain, memory.integral, turned_z(error, -frame), is_free_xy, is_free_z, dt
    )
    ahead = limit_abs(wrap_pi(memory.yaw + yaw_rate * dt - yaw), model.yaw_lead)
    force = model.mass * thrust[0], model.mass * thrust[1], model.mass * thrust[2] + model.weight
    wanted = pointed(model, attitude, force, yaw + ahead, yaw_rate)
    return VelocityMemory(integral, frame, yaw + ahead, reference, yaw), wanted


def is_slow(velocity: Vector) -> bool:
    """Return whether a vehicle that is commanded to stop has almost stopped horizontally."""
    return velocity[0] * velocity[0] + velocity[1] * velocity[1] < HOLD_SPEED * HOLD_SPEED


def within_limits(
    model: VelocityCoefficients, asked: Vector, drag: Vector
) -> tuple[Vector, bool, bool]:
    """Return the thrust by mass [m/s^2] that gives an acceleration, gravity left out.

    Args:
        model: Limits.
        asked: Acceleration [m/s^2].
        drag: Drag that the thrust makes up for [N].

    Returns:
        The thrust by mass, and whether it is within the limits horizontally and vertically.
    """
    ax, ay = limit_xy(asked[0], asked[1], model.acc_xy)
    wx, wy, wz = (
        ax - drag[0] / model.mass,
        ay - drag[1] / model.mass,
        asked[2] - drag[2] / model.mass,
    )
    tx, ty = limit_xy(wx, wy, model.tilt_acc)
    tz = clip(wz, -model.acc_down, model.acc_up)
    is_free_xy = ax == asked[0] and ay == asked[1] and tx == wx and ty == wy
    return (tx, ty, tz), is_free_xy, tz == wz


def limited_command(model: VelocityCoefficients, velocity: Vector) -> Vector:
    """Return a velocity within the limits [m/s]; NaN is 0."""
    x, y, z = velocity
    return limit_velocity(x, y, z, model.speed_xy, model.speed_up if z > 0.0 else model.speed_down)


def turned_z(vector: Vector, yaw: float) -> Vector:
    """Return a vector turned about the vertical [rad]."""
    x, y = rotate_z(vector[0], vector[1], yaw)
    return x, y, vector[2]


def asked_acceleration(model: VelocityCoefficients, integral: Vector, error: Vector) -> Vector:
    """Return the acceleration [m/s^2] for an error [m/s] and an integral, before its limits."""
    return (
        model.gain_xy * error[0] + integral[0],
        model.gain_xy * error[1] + integral[1],
        model.gain_z * error[2] + integral[2],
    )


def velocity_integral(
    model: VelocityCoefficients,
    gain: float,
    integral: Vector,
    error: Vector,
    is_free_xy: bool,
    is_free_z: bool,
    dt: float,
) -> Vector:
    """Return the integral [m/s^2] after ``dt`` [s] of an error [m/s], both in its frame.

    Args:
        model: Gains and limits.
        gain: Integral gain horizontally [1/s^2].
        integral: Integral before.
        error: Error of the velocity.
        is_free_xy: Whether the horizontal acceleration is within its limit; else it holds.
        is_free_z: The same of the vertical one.
        dt: Controller step.
    """
    x, y, z = integral
    most = model.max_integral
    if is_free_xy:
        x = limit_abs(x + gain * error[0] * dt, most)
        y = limit_abs(y + gain * error[1] * dt, most)
    if is_free_z:
        z = limit_abs(z + model.integral_z * error[2] * dt, most)
    return x, y, z


def pointed(
    model: VelocityCoefficients, attitude: Quaternion, force: Vector, yaw: float, yaw_rate: float
) -> AttitudeSetpoint:
    """Return attitude and thrust for a force [N, map] that points up, and a yaw [rad]."""
    fx, fy, fz = force
    size = math.sqrt(fx * fx + fy * fy + fz * fz)
    ux, uy, uz = rotate(attitude, UP)
    thrust = clip(fx * ux + fy * uy + fz * uz, model.least_thrust, model.most_thrust)
    return AttitudeSetpoint(tilted(fx / size, fy / size, fz / size, yaw), yaw_rate, thrust)


class AttitudeCoefficients(NamedTuple):
    """Gains and limits of both loops, as ``GainParameters`` has them; ``xy``: roll and pitch."""

    attitude_gain_xy: float
    attitude_gain_z: float
    max_rate_xy: float
    max_rate_z: float
    rate_gain_xy: float
    rate_gain_z: float
    rate_integral_xy: float
    rate_integral_z: float
    max_rate_integral_xy: float
    max_rate_integral_z: float


def attitude_coefficients(parameters: GainParameters) -> AttitudeCoefficients:
    """Return gains and limits of both loops."""
    return AttitudeCoefficients(
        *(getattr(parameters, name) for name in AttitudeCoefficients._fields)
    )


def wanted_rates(
    model: AttitudeCoefficients, attitude: Quaternion, wanted: Quaternion, yaw_rate: float
) -> Vector:
    """Return the wanted body rates [rad/s].

    Args:
        model: Gains and limits.
        attitude: Attitude.
        wanted: AttitudeSetpoint attitude.
        yaw_rate: AttitudeSetpoint yaw rate [rad/s], about the vertical.
    """
    back = inverse(attitude)
    ex, ey, ez, ew = multiply(back, wanted)
    twice = 2.0 if ew >= 0.0 else -2.0
    ux, uy, uz = rotate(back, (0.0, 0.0, yaw_rate))
    return (
        limit_abs(model.attitude_gain_xy * (twice * ex) + ux, model.max_rate_xy),
        limit_abs(model.attitude_gain_xy * (twice * ey) + uy, model.max_rate_xy),
        limit_abs(model.attitude_gain_z * (twice * ez) + uz, model.max_rate_z),
    )


def rate_errors(wanted: Vector, rates: Vector) -> Vector:
    """Return the errors of body rates [rad/s]."""
    return wanted[0] - rates[0], wanted[1] - rates[1], wanted[2] - rates[2]


def rates_integral(
    model: AttitudeCoefficients, integral: Vector, errors: Vector, dt: float
) -> Vector:
    """Return the integral of the rate loop [rad/s^2] after ``dt`` [s] of errors [rad/s]."""
    gain, most = model.rate_integral_xy, model.max_rate_integral_xy
    return (
        limit_abs(integral[0] + gain * errors[0] * dt, most),
        limit_abs(integral[1] + gain * errors[1] * dt, most),
        limit_abs(integral[2] + model.rate_integral_z * errors[2] * dt, model.max_rate_integral_z),
    )


def wanted_torque(
    model: AttitudeCoefficients, inertia: Vector, rates: Vector, errors: Vector, integral: Vector
) -> Vector:
    """Return the wanted torque [N m, body].

    Args:
        model: Gains.
        inertia: Moments of inertia [kg m^2].
        rates: Body rates [rad/s].
        errors: Their errors [rad/s].
        integral: Integral of the rate loop, with these errors [rad/s^2].
    """
    gx, gy, gz = gyroscopic(inertia, rates)
    return (
        inertia[0] * (model.rate_gain_xy * errors[0] + integral[0]) + gx,
        inertia[1] * (model.rate_gain_xy * errors[1] + integral[1]) + gy,
        inertia[2] * (model.rate_gain_z * errors[2] + integral[2]) + gz,
    )
