"""Numbers that follow from an airframe, computed once.

Propeller coefficients from thrust and torque numbers as in McCormick, Aerodynamics, Aeronautics
and Flight Mechanics (1995); hover from four equal rotors.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.vehicles.quadrotor.airframe_parameters import (
    SPINS,
    AirframeParameters,
)

RPM = 2.0 * math.pi / 60.0
"""One revolution per minute [rad/s]."""


class Airframe(NamedTuple):
    """What follows from the parameters of an airframe.

    Attributes:
        thrust_coefficient: Thrust per square of the rotor speed [N s^2].
        torque_coefficient: Drag torque per square of the rotor speed [N m s^2].
        torque_arm: Drag torque per thrust [m].
        weight: Mass times gravity [N].
        hover_thrust: Thrust of one rotor in hover [N].
        max_thrust: Largest thrust of one rotor [N].
        hover_speed: Rotor speed in hover [rad/s].
        hover_rpm: Rotor speed in hover [rpm].
        hover_speed_share: Hover speed by largest speed.
        hover_thrust_share: Hover thrust by largest thrust: the throttle in hover.
        thrust_to_weight: Largest thrust of all rotors by weight.
        torque_signs: Sign of the torque of each rotor on the body about its up axis.
    """

    thrust_coefficient: float
    torque_coefficient: float
    torque_arm: float
    weight: float
    hover_thrust: float
    max_thrust: float
    hover_speed: float
    hover_rpm: float
    hover_speed_share: float
    hover_thrust_share: float
    thrust_to_weight: float
    torque_signs: tuple[float, float, float, float]


def airframe(parameters: AirframeParameters) -> Airframe:
    """Return what follows from the parameters of an airframe.

    Rotors are numbered 1 front right, 2 rear left, 3 front left, 4 rear right. A rotor that turns
    counter-clockwise turns the body clockwise.
    """
    d = parameters.propeller_diameter
    per_turn = parameters.air_density * d * d * d * d / (4.0 * math.pi * math.pi)
    thrust_coefficient = parameters.thrust_number * per_turn
    torque_coefficient = parameters.torque_number * per_turn * d
    weight = parameters.mass * parameters.gravity
    hover_thrust = weight / 4.0
    hover_speed = math.sqrt(hover_thrust / thrust_coefficient)
    max_speed = parameters.rotor_speed_max * RPM
    max_thrust = thrust_coefficient * max_speed * max_speed
    right = -1.0 if parameters.front_right_spin == SPINS[0] else 1.0
    return Airframe(
        thrust_coefficient=thrust_coefficient,
        torque_coefficient=torque_coefficient,
        torque_arm=torque_coefficient / thrust_coefficient,
        weight=weight,
        hover_thrust=hover_thrust,
        max_thrust=max_thrust,
        hover_speed=hover_speed,
        hover_rpm=hover_speed / RPM,
        hover_speed_share=hover_speed / max_speed,
        hover_thrust_share=hover_thrust / max_thrust,
        thrust_to_weight=max_thrust / hover_thrust,
        torque_signs=(right, right, -right, -right),
    )
