"""Vehicles of single members, instead of the one in section ``mobility``."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameters import Parameters, parameter


@dataclass(frozen=True)
class VehicleChoices(Parameters):
    """Vehicle files of single members; empty: the vehicle of section ``mobility``."""

    target_vehicle: str = parameter('', 'vehicle file of the target, or name of an included one')
    adversary_vehicle: str = parameter('', 'the same of the adversary')
    agent_vehicles: str = parameter('', 'the same of some agents, such as iris: 2 3; x500: 5')
