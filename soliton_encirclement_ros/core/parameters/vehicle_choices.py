"""Vehicles of single members, and how well agents know the lag of theirs."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter


@dataclass(frozen=True)
class VehicleChoices(Parameters):
    """Vehicle files of single members, empty for that of section ``mobility``; assumed lag."""

    target_vehicle: str = parameter('', 'vehicle file of the target, or name of an included one')
    adversary_vehicle: str = parameter('', 'the same of the adversary')
    agent_vehicles: str = parameter('', 'the same of some agents, such as "iris: 2 3; x500: 5"')
    assumed_lag_factor: float = parameter(
        1.0, 'lag that agents assume of their vehicle, as a multiple of its lag', above=0.0,
        maximum=100.0,
    )  # fmt: skip
