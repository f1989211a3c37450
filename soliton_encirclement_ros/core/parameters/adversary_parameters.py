"""The adversary."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter

WITH_ADVERSARY = {'only_with': {'adversary_enable': True}}


@dataclass(frozen=True)
class AdversaryParameters(Parameters, live=True):
    """Motion of the adversary."""

    adversary_enable: bool = parameter(
        True, 'simulate an adversary', fixed='it selects the nodes that start'
    )
    adversary_roam_bound_xy: float = parameter(
        40.0,
        'half the side of its square',
        unit='m',
        above=0.0,
        **WITH_ADVERSARY,
    )
    adversary_min_target_distance: float = parameter(
        30.0, 'smallest distance to the target', unit='m', minimum=0.0, **WITH_ADVERSARY
    )
    adversary_roam_speed_xy: float = parameter(
        4.0, 'speed', unit='m/s', minimum=0.0, **WITH_ADVERSARY
    )
