"""Failures of agents, by chance and by schedule."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameters import Parameters, parameter

WHEN_INJECTED = {'only_with': {'inject_failures': True}}
"""Of parameters of an agent that fails on purpose."""

BY_CHANCE = {'only_with': {'failure_enable': True, **WHEN_INJECTED['only_with']}}


@dataclass(frozen=True)
class FailureParameters(Parameters):
    """Random failures of agents; each is up again after a while."""

    failure_enable: bool = parameter(True, 'inject failures')
    failure_check_period: float = parameter(
        0.1, 'time between two draws', unit='s', minimum=1e-3, **BY_CHANCE
    )
    failure_mean_failures_per_min: float = parameter(
        1.0, 'mean failures per minute of up-time', unit='1/min', minimum=0.0, **BY_CHANCE
    )
    failure_off_time: float = parameter(
        8.0, 'time until recovery', unit='s', minimum=0.0, **BY_CHANCE
    )
    failure_schedule: str = parameter(
        '', 'who is down when in any case, as 40..48: 3; 0..30: 7 8', **WHEN_INJECTED
    )
