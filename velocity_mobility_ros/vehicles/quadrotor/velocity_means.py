"""Gains and limits of a quadrotor's velocity loop, as the loop reads them."""

import math
from typing import NamedTuple

from velocity_mobility_ros.vehicles.quadrotor.airframe import airframe
from velocity_mobility_ros.vehicles.quadrotor.drag import Drag, drag_of
from velocity_mobility_ros.vehicles.quadrotor.parameters import QuadrotorParameters


class VelocityMeans(NamedTuple):
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


def velocity_means(parameters: QuadrotorParameters) -> VelocityMeans:
    """Return gains and limits of the velocity loop."""
    derived = airframe(parameters)
    full = 4.0 * derived.max_thrust
    tilt_acc = parameters.gravity * math.tan(parameters.max_tilt)
    return VelocityMeans(
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
