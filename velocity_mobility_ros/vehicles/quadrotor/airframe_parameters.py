"""Parameters of a quadrotor's airframe: environment, body, propellers and motors.

X frame with the rotors at (+-rotor_x, +-rotor_y). Thrust and torque of a propeller by its
numbers: T = C_T rho n^2 D^4, Q = C_Q rho n^2 D^5, with n in revolutions per second. Linear drag
is that of the rotors; a drag area is the drag coefficient of the body times the area seen along an
axis.
"""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameters import Parameters, parameter

SPINS = ('counter_clockwise', 'clockwise')


@dataclass(frozen=True)
class AirframeParameters(Parameters):
    """What a quadrotor is made of; the default is a machine of 1.5 kg with 10 inch propellers."""

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
