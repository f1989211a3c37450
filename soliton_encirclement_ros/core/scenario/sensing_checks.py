"""Checks of the sensors of all members against the run."""

from collections.abc import Iterable

from velocity_mobility_ros.core.velocity_model import MobilityParameters

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.run_parameters import RunParameters
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE

LATENCIES = ('odom_latency', 'command_latency')


def check_sensing(run: RunParameters, vehicles: Iterable[MobilityParameters]) -> None:
    """Refuse latencies as long as the run, and sensors in a flight of the original.

    Args:
        run: The run.
        vehicles: The vehicles of all members, each kind once.

    Raises:
        ScenarioError: A value is refused.
    """
    for vehicle in vehicles:
        for name in LATENCIES:
            latency = getattr(vehicle, name)
            if latency >= run.sim_duration:
                raise ScenarioError(
                    f'mobility.{name} = {latency} s must be shorter than the run, '
                    f'run.sim_duration = {run.sim_duration} s'
                )
        if run.rng == REFERENCE and not vehicle.is_perfect:
            raise ScenarioError(
                f"run.rng = '{REFERENCE}': the original experiment has no noise, drift, dropouts "
                'or latency of odometry and commands; set them to 0 in mobility and vehicle files'
            )
