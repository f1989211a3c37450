"""A tracked ground vehicle; ``tracked_vehicle.py`` puts its parts together."""

from velocity_mobility_ros.vehicles.tracked.parameters import TrackedParameters
from velocity_mobility_ros.vehicles.tracked.tracked_vehicle import TRACKED

__all__ = ['TRACKED', 'TrackedParameters']
