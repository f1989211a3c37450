"""Attitude and rate controller: a wanted attitude in, a torque out, in every physics step.

    w*  = Ka 2 s q_e + R^T [0, 0, yaw rate]      q_e = q^-1 q*, s its shorter way
    M   = I (Kr (w* - w) + integral) + w x I w

Attitude by quaternion feedback, as in Brescianini, Hehn and D'Andrea, Nonlinear quadrocopter
attitude control (2013); the torque cancels the gyroscopic one of the body.
"""

from typing import NamedTuple

from velocity_mobility_ros.core.frames import Quaternion, inverse, multiply, rotate
from velocity_mobility_ros.core.limits import limit_abs
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.vehicles.quadrotor.gain_parameters import GainParameters
from velocity_mobility_ros.vehicles.quadrotor.rigid_body import gyroscopic


class AttitudeMeans(NamedTuple):
    """Gains and limits of both loops; ``xy``: roll and pitch, ``z``: yaw.

    Attributes:
        angle_xy: Rate per angle [1/s].
        angle_z: The same of yaw.
        max_rate_xy: Largest wanted rate [rad/s].
        max_rate_z: The same of yaw.
        rate_xy: Angular acceleration per rate [1/s].
        rate_z: The same of yaw.
        integral_xy: Integral gain of the rate [1/s^2].
        integral_z: The same of yaw.
        max_integral_xy: Largest integral [rad/s^2].
        max_integral_z: The same of yaw.
    """

    angle_xy: float
    angle_z: float
    max_rate_xy: float
    max_rate_z: float
    rate_xy: float
    rate_z: float
    integral_xy: float
    integral_z: float
    max_integral_xy: float
    max_integral_z: float


def attitude_means(parameters: GainParameters) -> AttitudeMeans:
    """Return gains and limits of both loops."""
    return AttitudeMeans(
        angle_xy=parameters.attitude_gain_xy,
        angle_z=parameters.attitude_gain_z,
        max_rate_xy=parameters.max_rate_xy,
        max_rate_z=parameters.max_rate_z,
        rate_xy=parameters.rate_gain_xy,
        rate_z=parameters.rate_gain_z,
        integral_xy=parameters.rate_integral_xy,
        integral_z=parameters.rate_integral_z,
        max_integral_xy=parameters.max_rate_integral_xy,
        max_integral_z=parameters.max_rate_integral_z,
    )


def wanted_rates(
    means: AttitudeMeans, attitude: Quaternion, wanted: Quaternion, yaw_rate: float
) -> Vector:
    """Return the wanted body rates [rad/s].

    Args:
        means: Gains and limits.
        attitude: Attitude.
        wanted: Wanted attitude.
        yaw_rate: Wanted yaw rate [rad/s], about the vertical.
    """
    back = inverse(attitude)
    ex, ey, ez, ew = multiply(back, wanted)
    twice = 2.0 if ew >= 0.0 else -2.0
    ux, uy, uz = rotate(back, (0.0, 0.0, yaw_rate))
    return (
        limit_abs(means.angle_xy * (twice * ex) + ux, means.max_rate_xy),
        limit_abs(means.angle_xy * (twice * ey) + uy, means.max_rate_xy),
        limit_abs(means.angle_z * (twice * ez) + uz, means.max_rate_z),
    )


def rate_errors(wanted: Vector, rates: Vector) -> Vector:
    """Return the errors of body rates [rad/s]."""
    return wanted[0] - rates[0], wanted[1] - rates[1], wanted[2] - rates[2]


def next_integral(means: AttitudeMeans, integral: Vector, errors: Vector, dt: float) -> Vector:
    """Return the integral of the rate loop [rad/s^2] after ``dt`` [s] of errors [rad/s]."""
    return (
        limit_abs(integral[0] + means.integral_xy * errors[0] * dt, means.max_integral_xy),
        limit_abs(integral[1] + means.integral_xy * errors[1] * dt, means.max_integral_xy),
        limit_abs(integral[2] + means.integral_z * errors[2] * dt, means.max_integral_z),
    )


def wanted_torque(
    means: AttitudeMeans, inertia: Vector, rates: Vector, errors: Vector, integral: Vector
) -> Vector:
    """Return the wanted torque [N m, body].

    Args:
        means: Gains.
        inertia: Moments of inertia [kg m^2].
        rates: Body rates [rad/s].
        errors: Their errors [rad/s].
        integral: Integral of the rate loop, with these errors [rad/s^2].
    """
    gx, gy, gz = gyroscopic(inertia, rates)
    return (
        inertia[0] * (means.rate_xy * errors[0] + integral[0]) + gx,
        inertia[1] * (means.rate_xy * errors[1] + integral[1]) + gy,
        inertia[2] * (means.rate_z * errors[2] + integral[2]) + gz,
    )
