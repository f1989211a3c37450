"""The rotor-level quadrotor: rotors, body, mixer and the loops that fly it, one per file."""

from velocity_mobility_ros.vehicles.quadrotor.airframe import Airframe, airframe
from velocity_mobility_ros.vehicles.quadrotor.channels import (
    CHANNELS,
    rotor_output,
    rotor_rpm,
    states12,
)
from velocity_mobility_ros.vehicles.quadrotor.parameters import QuadrotorParameters
from velocity_mobility_ros.vehicles.quadrotor.quadrotor import QUADROTOR, QuadrotorState

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
