"""Vehicle types by name: ``mobility.vehicle`` of a scenario, ``vehicle`` of a node."""

from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.vehicles.kinematic import KINEMATIC
from velocity_mobility_ros.vehicles.quadrotor import QUADROTOR
from velocity_mobility_ros.vehicles.second_order import SECOND_ORDER
from velocity_mobility_ros.vehicles.tracked import TRACKED
from velocity_mobility_ros.vehicles.vehicle import Vehicle

VEHICLES: dict[str, Vehicle] = {
    'kinematic': KINEMATIC,
    'second_order': SECOND_ORDER,
    'quadrotor': QUADROTOR,
    'tracked': TRACKED,
}


def parameters_of(vehicle: object) -> type[MobilityParameters]:
    """Return the record of parameters of a vehicle by name.

    For an unknown name this is the base record, whose validation refuses the name.
    """
    known = isinstance(vehicle, str) and vehicle in VEHICLES
    return VEHICLES[vehicle].parameters if known else MobilityParameters
