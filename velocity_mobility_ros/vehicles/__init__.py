"""Simulated vehicles, one per file; ``vehicle.py`` is their interface."""

from velocity_mobility_ros.core.motion import VehicleMotion
from velocity_mobility_ros.vehicles.body import Body
from velocity_mobility_ros.vehicles.instruments import Instruments, Measured
from velocity_mobility_ros.vehicles.vehicle import Command, Vehicle
from velocity_mobility_ros.vehicles.vehicle_types import VEHICLES, parameters_of

__all__ = [
    'VEHICLES',
    'Body',
    'Command',
    'Instruments',
    'Measured',
    'Vehicle',
    'VehicleMotion',
    'parameters_of',
]
