"""Simulated vehicles, one per file; ``vehicle.py`` is their contract."""

from velocity_mobility_ros.vehicles.kinematic import KinematicVehicle
from velocity_mobility_ros.vehicles.vehicle import Vehicle

VEHICLES = {'kinematic': KinematicVehicle}

__all__ = ['VEHICLES', 'KinematicVehicle', 'Vehicle']
