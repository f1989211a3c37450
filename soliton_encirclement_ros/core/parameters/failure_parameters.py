"""Random and scheduled failures of agents."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter

WHEN_INJECTED = {'only_with': {'inject_failures': True}}
"""For parameters that need failure injection."""

BY_CHANCE = {'only_with': {'failure_enable': True, **WHEN_INJECTED['only_with']}}


@dataclass(frozen=True)
class FailureParameters(Parameters):
    """Failures of agents, each followed by a recovery."""

    failure_enable: bool = parameter(True, 'inject random failures')
    failure_check_period: float = parameter(
        0.1, 'time between two random draws', unit='s', minimum=1e-3, **BY_CHANCE
    )
    failure_mean_failures_per_min: float = parameter(
        1.0,
        'mean failures per minute of up-time of an agent',
        unit='1/min',
        minimum=0.0,
        **BY_CHANCE,
    )
    failure_off_time: float = parameter(
        8.0, 'time until recovery', unit='s', minimum=0.0, **BY_CHANCE
    )
    failure_schedule: str = parameter(
        '', 'scheduled outages of agents, such as "40..48: 3; 0..30: 7 8"', **WHEN_INJECTED
    )
