"""Parameters of the rotor-level quadrotor, and the numbers that follow from its airframe.

Environment, body, propellers and motors:

X frame with the rotors at (+-rotor_x, +-rotor_y). Thrust and torque of a propeller by its
numbers: T = C_T rho n^2 D^4, Q = C_Q rho n^2 D^5, with n in revolutions per second. Linear drag
is that of the rotors; a drag area is the drag coefficient of the body times the area seen along an
axis.

Propeller coefficients from thrust and torque numbers as in McCormick, Aerodynamics, Aeronautics
and Flight Mechanics (1995); hover from four equal rotors.

Gains and limits of the three loops of the flight controller:

Each loop is at least twice as fast as the one around it. For another airframe: rate gain
``0.5 / motor_rise``, the attitude gain below half of that, the velocity gain below a third of the
attitude gain. The default has a rate gain of ``1 / motor_rise``, the most that its motors bear:
with half of it rings round a wandering target are half as exact again. The gains are accelerations
per error, so they do not depend on mass and inertia.

What no single bound says is checked, too; each refusal is one line.
"""

import functools
import math
from dataclasses import dataclass
from typing import NamedTuple

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.core.velocity_model import FIXED_VEHICLE, MobilityParameters
from velocity_mobility_ros.vehicles.vehicle import physics_steps
from velocity_mobility_ros.vehicles.wind import WindParameters

SPINS = ('counter_clockwise', 'clockwise')


@dataclass(frozen=True)
class AirframeParameters(Parameters):
    """The airframe of a quadrotor; the default has 1.5 kg and 10 inch propellers."""

    gravity: float = parameter(9.81, 'gravity', unit='m/s^2', above=0.0)
    air_density: float = parameter(1.225, 'density of the air', unit='kg/m^3', above=0.0)
    mass: float = parameter(1.5, 'mass', unit='kg', above=0.0)
    inertia_xx: float = parameter(
        0.015, 'moment of inertia about the forward axis', unit='kg m^2', above=0.0
    )
    inertia_yy: float = parameter(
        0.015, 'moment of inertia about the left axis', unit='kg m^2', above=0.0
    )
    inertia_zz: float = parameter(
        0.027, 'moment of inertia about the up axis', unit='kg m^2', above=0.0
    )
    rotor_x: float = parameter(
        0.16, 'distance of the rotors forward or backward of the centre', unit='m', above=0.0
    )
    rotor_y: float = parameter(
        0.16, 'distance of the rotors left or right of the centre', unit='m', above=0.0
    )
    drag_x: float = parameter(
        0.25, 'linear drag along the forward axis', unit='N s/m', minimum=0.0
    )
    drag_y: float = parameter(0.25, 'linear drag along the left axis', unit='N s/m', minimum=0.0)
    drag_z: float = parameter(0.30, 'linear drag along the up axis', unit='N s/m', minimum=0.0)
    drag_area_x: float = parameter(
        0.0, 'drag area of the body along the forward axis', unit='m^2', minimum=0.0
    )
    drag_area_y: float = parameter(
        0.0, 'drag area of the body along the left axis', unit='m^2', minimum=0.0
    )
    drag_area_z: float = parameter(
        0.0, 'drag area of the body along the up axis', unit='m^2', minimum=0.0
    )
    propeller_diameter: float = parameter(
        0.254, 'diameter of a propeller', unit='m', above=0.0, maximum=100.0
    )
    thrust_number: float = parameter(0.10, 'thrust number of a propeller', above=0.0)
    torque_number: float = parameter(0.0064, 'torque number of a propeller', above=0.0)
    front_right_spin: str = parameter(
        SPINS[0],
        'how the front right and rear left rotors turn, seen from above; the others oppositely',
        choices=SPINS,
    )
    rotor_inertia: float = parameter(
        5e-5, 'moment of inertia of motor and propeller', unit='kg m^2', minimum=0.0
    )
    motor_rise: float = parameter(
        0.033, 'time constant of a rotor that gets faster', unit='s', above=0.0
    )
    motor_fall: float = parameter(
        0.050, 'time constant of a rotor that gets slower', unit='s', above=0.0
    )
    rotor_speed_min: float = parameter(0.0, 'smallest rotor speed', unit='rpm', minimum=0.0)
    rotor_speed_max: float = parameter(9000.0, 'largest rotor speed', unit='rpm', above=0.0)
    rotor_speed_rate: float = parameter(
        60000.0, 'largest change of a rotor speed', unit='rpm/s', above=0.0
    )


RPM = 2.0 * math.pi / 60.0
"""One revolution per minute [rad/s]."""


class Airframe(NamedTuple):
    """Numbers derived from the parameters of an airframe.

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
    """Return the derived numbers of an airframe.

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


MIN_THRUST_TO_WEIGHT = 1.2
"""Below it there is no thrust left to climb and to turn."""


def check_airframe(parameters: AirframeParameters) -> None:
    """Refuse an airframe that cannot exist or cannot fly.

    Raises:
        ParameterError: Moments of inertia that no body has, a rotor that cannot be slow enough or
            fast enough.
    """
    inertia = {
        name: getattr(parameters, name) for name in ('inertia_xx', 'inertia_yy', 'inertia_zz')
    }
    total = sum(inertia.values())
    for name, value in inertia.items():
        if value > total - value:
            raise ParameterError(
                f'{name} = {value:g} must be at most {total - value:g} kg m^2, the sum of the two '
                f'other moments of inertia'
            )
    derived = airframe(parameters)
    if derived.thrust_to_weight <= MIN_THRUST_TO_WEIGHT:
        raise ParameterError(
            f'mass = {parameters.mass:g} kg is too heavy: full thrust is '
            f'{derived.thrust_to_weight:.3g} of the weight, must be above {MIN_THRUST_TO_WEIGHT:g}'
        )
    if parameters.rotor_speed_min >= derived.hover_rpm:
        raise ParameterError(
            f'rotor_speed_min = {parameters.rotor_speed_min:g} must be below '
            f'{derived.hover_rpm:.6g} rpm, the speed in hover'
        )


def check_descent(name: str, acceleration: float, gravity: float) -> None:
    """Refuse a downward acceleration that asks the rotors to push down.

    Args:
        name: Name of the parameter.
        acceleration: The largest downward acceleration [m/s^2].
        gravity: Gravity [m/s^2].

    Raises:
        ParameterError: It is not below gravity.
    """
    if acceleration >= gravity:
        raise ParameterError(
            f'{name} = {acceleration:g} must be below {gravity:g} m/s^2, the gravity: rotors do '
            f'not push down'
        )


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


NAME = 'quadrotor'


@dataclass(frozen=True)
class QuadrotorParameters(AirframeParameters, GainParameters, WindParameters, MobilityParameters):
    """All of a quadrotor; ``update_rate`` is the step of its velocity controller.

    ``tau_xy`` and ``tau_z`` do not act: they say which lag the velocity model needs to move like
    this vehicle, for those who plan with it.
    """

    vehicle: str = parameter(NAME, 'type of the vehicle', choices=(NAME,), fixed=FIXED_VEHICLE)
    max_speed_z: float = parameter(
        3.0, 'largest vertical speed', unit='m/s', minimum=0.0, runtime=True
    )
    max_speed_down: float | None = parameter(
        None, 'largest speed of descent; none: max_speed_z', unit='m/s', minimum=0.0, runtime=True
    )
    max_acc_xy: float = parameter(
        6.0, 'largest horizontal acceleration (norm)', unit='m/s^2', minimum=0.0, runtime=True
    )
    max_acc_z: float = parameter(
        4.0, 'largest vertical acceleration', unit='m/s^2', minimum=0.0, runtime=True
    )
    max_acc_down: float | None = parameter(
        None, 'largest downward acceleration; none: max_acc_z', unit='m/s^2', minimum=0.0,
        runtime=True,
    )  # fmt: skip
    tau_xy: float | None = parameter(
        0.51, 'horizontal lag of the velocity model of this vehicle', unit='s', above=0.0,
        runtime=True,
    )  # fmt: skip
    tau_z: float | None = parameter(
        0.4, 'vertical lag of the velocity model of this vehicle', unit='s', above=0.0,
        runtime=True,
    )  # fmt: skip
    max_yaw_rate: float = parameter(
        2.0, 'largest yaw rate', unit='rad/s', minimum=0.0, runtime=True
    )
    sim_dt: float = parameter(
        0.002, 'step of rotors and body; update_rate is a whole multiple', unit='s', minimum=1e-5,
        maximum=0.02,
    )  # fmt: skip
    ground: float | None = parameter(
        None, 'height of a flat ground; none: there is none', unit='m'
    )

    def __post_init__(self) -> None:
        """Validate every field, and their combination."""
        super().__post_init__()
        check_airframe(self)
        physics_steps(self.update_rate, self.sim_dt)
        name = 'max_acc_z' if self.max_acc_down is None else 'max_acc_down'
        check_descent(name, getattr(self, name), self.gravity)

    @property
    def response_delay(self) -> float:
        """Time [s] until it has tilted: the time constants of attitude, rates and rotors."""
        return 1.0 / self.attitude_gain_xy + 1.0 / self.rate_gain_xy + self.motor_fall

    @property
    def descent_speed(self) -> float:
        """The largest speed of descent [m/s]."""
        return self.max_speed_z if self.max_speed_down is None else self.max_speed_down

    @property
    def descent_acceleration(self) -> float:
        """The largest downward acceleration [m/s^2]."""
        return self.max_acc_z if self.max_acc_down is None else self.max_acc_down
