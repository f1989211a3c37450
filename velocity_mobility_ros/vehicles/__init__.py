"""Simulated vehicles, with one interface, ``Vehicle``."""

from velocity_mobility_ros.core.coordinate_frames import VehicleMotion
from velocity_mobility_ros.vehicles.kinematic import KINEMATIC
from velocity_mobility_ros.vehicles.quadrotor.quadrotor import QUADROTOR
from velocity_mobility_ros.vehicles.second_order import SECOND_ORDER
from velocity_mobility_ros.vehicles.simulated_body import Body, Instruments, MeasuredMotion
from velocity_mobility_ros.vehicles.tracked_vehicle import TRACKED
from velocity_mobility_ros.vehicles.vehicle import VEHICLES, Command, Vehicle, parameters_of

VEHICLES.update({
    'kinematic': KINEMATIC,
    'second_order': SECOND_ORDER,
    'quadrotor': QUADROTOR,
    'tracked': TRACKED,
})

__all__ = [
    'VEHICLES',
    'Body',
    'Command',
    'Instruments',
    'MeasuredMotion',
    'Vehicle',
    'VehicleMotion',
    'parameters_of',
]
