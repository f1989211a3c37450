"""The separation filter: the last step before a command leaves an agent."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameters import Parameters, parameter

FILTERED = {'only_with': {'separation_filter': True}}


@dataclass(frozen=True)
class SafetyParameters(Parameters):
    """Distances that an agent keeps, whatever its law wants."""

    separation_filter: bool = parameter(
        True, 'change commands as little as possible so that vehicles keep their distance'
    )
    separation_distance: float = parameter(
        2.0, 'least distance of two vehicles', unit='m', above=0.0, **FILTERED
    )
    separation_rate: float = parameter(
        2.0, 'rate at which a distance may shrink towards the least one', unit='1/s', above=0.0,
        **FILTERED,
    )  # fmt: skip
    clock_error: float = parameter(
        0.02, 'largest difference of two clocks', unit='s', minimum=0.0, maximum=10.0, **FILTERED
    )
    position_noise: float = parameter(
        0.0, 'largest error of the difference of two stopping points', unit='m', minimum=0.0,
        **FILTERED,
    )  # fmt: skip
    silent_run_on: float = parameter(
        0.1, 'longest time from the last message of an agent to its failure', unit='s',
        minimum=0.0, **FILTERED,
    )  # fmt: skip
    target_distance: float = parameter(
        0.0, 'distance to keep from the target; 0: none', unit='m', minimum=0.0, **FILTERED
    )
    lowest_height: float | None = parameter(
        None, 'lowest height in map; none: not bounded', unit='m', **FILTERED
    )
    highest_height: float | None = parameter(
        None, 'highest height in map; none: not bounded', unit='m', **FILTERED
    )
