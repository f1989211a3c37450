"""The vehicles by their names: ``mobility.vehicle`` of a scenario, ``vehicle`` of a node."""

from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.vehicles.kinematic import KINEMATIC
from velocity_mobility_ros.vehicles.vehicle import Vehicle

VEHICLES: dict[str, Vehicle] = {'kinematic': KINEMATIC}


def parameters_of(vehicle: object) -> type[MobilityParameters]:
    """Return the record of parameters of a vehicle by name.

    A name that nobody knows gets the record that all others extend: it refuses the name.
    """
    known = isinstance(vehicle, str) and vehicle in VEHICLES
    return VEHICLES[vehicle].parameters if known else MobilityParameters
