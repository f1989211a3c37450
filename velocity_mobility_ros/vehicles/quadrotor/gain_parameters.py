"""Parameters of a quadrotor's flight controller: gains and limits of its three loops.

Each loop is at least twice as fast as the one around it. For another airframe: rate gain
``0.5 / motor_rise``, the attitude gain below half of that, the velocity gain below a third of the
attitude gain. The default has a rate gain of ``1 / motor_rise``, the most that its motors bear:
with half of it rings round a wandering target are half as exact again. The gains are accelerations
per error, so they do not depend on mass and inertia.
"""

import functools
from dataclasses import dataclass

from velocity_mobility_ros.core.parameters import Parameters, parameter

gain = functools.partial(parameter, runtime=True)
"""Declare a value that a running node changes."""


@dataclass(frozen=True)
class GainParameters(Parameters):
    """Gains and limits of velocity, attitude and rate loop; ``xy``: roll and pitch, ``z``: yaw."""

    max_tilt: float = gain(
        0.61, 'tilt that bounds the horizontal acceleration', unit='rad', above=0.0, maximum=1.4
    )
    velocity_gain_xy: float = gain(
        2.0, 'horizontal acceleration per velocity error', unit='1/s', above=0.0
    )
    velocity_gain_z: float = gain(
        3.0, 'vertical acceleration per velocity error', unit='1/s', above=0.0
    )
    velocity_integral_xy: float = gain(
        0.4, 'integral gain of the horizontal velocity', unit='1/s^2', minimum=0.0
    )
    hold_integral_xy: float = gain(
        1.0, 'the same while the command is 0 and the vehicle slow', unit='1/s^2', minimum=0.0
    )
    velocity_integral_z: float = gain(
        1.0, 'integral gain of the vertical velocity', unit='1/s^2', minimum=0.0
    )
    velocity_reference_tau_xy: float | None = gain(
        None, 'lag of the velocity reference, horizontally; none: the reference is the command',
        unit='s', above=0.0,
    )  # fmt: skip
    velocity_reference_tau_z: float | None = gain(
        0.33, 'lag of the velocity reference, vertically; none: the reference is the command',
        unit='s', above=0.0,
    )  # fmt: skip
    drag_feedforward: float = gain(
        0.0, 'share of the drag in still air that the velocity loop adds to the thrust',
        minimum=0.0, maximum=1.0,
    )  # fmt: skip
    max_velocity_integral: float = gain(
        3.0, 'largest integral of the velocity loop, each axis', unit='m/s^2', minimum=0.0
    )
    min_thrust_share: float = gain(
        0.05, 'smallest collective thrust, share of full thrust', minimum=0.0, maximum=0.5
    )
    max_thrust_share: float = gain(
        0.95, 'largest collective thrust, share of full thrust', minimum=0.5, maximum=1.0
    )
    max_yaw_lead: float = gain(
        0.5, 'largest angle of the yaw set-point ahead of the yaw', unit='rad', above=0.0,
        maximum=3.0,
    )  # fmt: skip
    attitude_gain_xy: float = gain(11.5, 'roll and pitch rate per angle', unit='1/s', above=0.0)
    attitude_gain_z: float = gain(1.5, 'yaw rate per angle', unit='1/s', above=0.0)
    max_rate_xy: float = gain(5.0, 'largest roll or pitch rate asked for', unit='rad/s', above=0.0)
    max_rate_z: float = gain(2.0, 'largest body yaw rate asked for', unit='rad/s', above=0.0)
    rate_gain_xy: float = gain(
        30.0, 'roll or pitch acceleration per rate error', unit='1/s', above=0.0
    )
    rate_gain_z: float = gain(5.0, 'yaw acceleration per rate error', unit='1/s', above=0.0)
    rate_integral_xy: float = gain(
        8.0, 'integral gain of roll and pitch rate', unit='1/s^2', minimum=0.0
    )
    rate_integral_z: float = gain(1.0, 'integral gain of the yaw rate', unit='1/s^2', minimum=0.0)
    max_rate_integral_xy: float = gain(
        20.0, 'largest integral of roll and pitch rate', unit='rad/s^2', minimum=0.0
    )
    max_rate_integral_z: float = gain(
        5.0, 'largest integral of the yaw rate', unit='rad/s^2', minimum=0.0
    )
