"""The separation filter: the last step before a command leaves an agent."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.user_errors import ParameterError

from soliton_encirclement_ros.core.fences.fence_text import fence_rings

FILTERED = {'only_with': {'separation_filter': True}}


@dataclass(frozen=True)
class SafetyParameters(Parameters, live=True):
    """Distances that an agent keeps, whatever its law wants."""

    separation_filter: bool = parameter(
        True, 'change commands as little as possible so that vehicles keep their distance',
        fixed='it is set when the agent starts',
    )  # fmt: skip
    separation_distance: float = parameter(
        2.0, 'least distance of two vehicles', unit='m', above=0.0, **FILTERED
    )
    separation_rate: float = parameter(
        4.0, 'rate at which a distance may shrink towards the least one', unit='1/s', above=0.0,
        **FILTERED,
    )  # fmt: skip
    clock_error: float = parameter(
        0.02, 'largest difference of two clocks', unit='s', minimum=0.0, maximum=10.0, **FILTERED
    )
    position_noise: float = parameter(
        0.0, 'largest error of the difference of two stopping points', unit='m', minimum=0.0,
        **FILTERED,
    )  # fmt: skip
    silent_run_on: float | None = parameter(
        None, 'longest time from the last message of an agent to its failure; none: one control '
        'period, for a radio without loss', unit='s', minimum=0.0, **FILTERED,
    )  # fmt: skip
    target_distance: float = parameter(
        2.0, 'least distance from the target; 0: none', unit='m', minimum=0.0, **FILTERED
    )
    adversary_distance: float = parameter(
        2.0, 'least distance from the adversary; 0: none', unit='m', minimum=0.0, **FILTERED
    )
    fence: str = parameter(
        '', 'corners [m, map] of the area agents do not leave, such as "-50 -50, 50 -50, 0 40"; '
        'further rings after a semicolon are holes; empty: no fence', **FILTERED,
    )  # fmt: skip
    fence_margin: float = parameter(
        0.5, 'least distance from the fence', unit='m', minimum=0.0, **FILTERED
    )
    lowest_height: float | None = parameter(
        None, 'lowest height in map; none: not bounded', unit='m', **FILTERED
    )
    highest_height: float | None = parameter(
        None, 'highest height in map; none: not bounded', unit='m', **FILTERED
    )

    def __post_init__(self) -> None:
        """Refuse a fence that is none, and a height band without room."""
        super().__post_init__()
        fence_rings(self.fence)
        low, high = self.lowest_height, self.highest_height
        if low is not None and high is not None and not low < high:
            raise ParameterError(
                f'lowest_height = {low:g} m must be below highest_height = {high:g} m'
            )
