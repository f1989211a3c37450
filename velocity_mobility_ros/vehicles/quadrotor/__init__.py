"""The rotor-level quadrotor: rotors, rigid body, and the controller that flies it."""

from velocity_mobility_ros.vehicles.quadrotor.quadrotor import (
    CHANNELS, QUADROTOR, QuadrotorState, rotor_output, rotor_rpm, states12
)
from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import (
    Airframe, QuadrotorParameters, airframe
)

__all__ = [
    'CHANNELS',
    'QUADROTOR',
    'Airframe',
    'QuadrotorParameters',
    'QuadrotorState',
    'airframe',
    'rotor_output',
    'rotor_rpm',
    'states12',
]
