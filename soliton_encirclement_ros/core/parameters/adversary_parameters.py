"""The adversary."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameters import Parameters, parameter

WITH_ADVERSARY = {'only_with': {'adversary_enable': True}}


@dataclass(frozen=True)
class AdversaryParameters(Parameters, live=True):
    """How the adversary roams."""

    adversary_enable: bool = parameter(
        True, 'let an adversary roam', fixed='it decides which nodes start'
    )
    adversary_roam_bound_xy: float = parameter(
        40.0, 'half side of the box it roams in', unit='m', above=0.0, **WITH_ADVERSARY
    )
    adversary_min_target_distance: float = parameter(
        30.0, 'distance to the target that it keeps', unit='m', minimum=0.0, **WITH_ADVERSARY
    )
    adversary_roam_speed_xy: float = parameter(
        4.0, 'speed', unit='m/s', minimum=0.0, **WITH_ADVERSARY
    )
