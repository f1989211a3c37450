"""Options of ``swarm fly``, and what they mean together."""

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Optional

import typer

from soliton_encirclement_ros.cli.operator.stop import LONGEST_WAIT
from soliton_encirclement_ros.cli.operator.whom import given_scenario
from soliton_encirclement_ros.cli.options.option_types import NUMBER, PATH
from soliton_encirclement_ros.core.errors import RunError

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.fly.gate import GateSettings


VEHICLES = typer.Argument(
    None, metavar='[VEHICLE]...', help='Vehicles such as uav_3; default: all.', show_default=False
)
DRY_RUN = typer.Option(
    False, '--dry-run', help='Only tell what would keep the vehicles; order nothing.'
)
WITHIN = typer.Option(
    None, click_type=NUMBER, help='Longest time in seconds to wait until all have confirmed.'
)
NAMESPACE = typer.Option('', help='Namespace of the fleet.')
SEPARATION = typer.Option(
    None, click_type=NUMBER, help='Least distance of two vehicles in m; default: 2, or that of '
    '--scenario.'
)  # fmt: skip
MIN_BATTERY = typer.Option(
    0.3, click_type=NUMBER, help='Least charge, 0 to 1; 0: any, also one that is not known.'
)
MAX_CLOCK_OFFSET = typer.Option(
    0.5, click_type=NUMBER, help='Largest difference in seconds of stamps and clocks.'
)
PLACES = typer.Option(
    None,
    click_type=PATH,
    help='Planned places: lines such as uav_1: [0.0, 4.0], or a .csv of name, east and north.',
)


def gate_settings(
    scenario: Optional[str], separation: Optional[float], min_battery: float = 0.0,
    max_clock_offset: float = math.inf, places: Optional[Path] = None, by_name: bool = False,
    there: Sequence[str] = (),
) -> 'GateSettings':  # fmt: skip
    """Return the bounds of the gate; warn of places for vehicles that are not there.

    Raises:
        RunError: A bound is out of its range, or the places are no such file.
    """
    from soliton_encirclement_ros.cli.fly.gate import GateSettings
    from soliton_encirclement_ros.cli.fly.places import NO_PLACES, places_of_others, read_places
    from soliton_encirclement_ros.core.parameters.safety_parameters import SafetyParameters

    given = given_scenario(scenario)
    safety = SafetyParameters() if given is None else given.safety
    least = safety.separation_distance if separation is None else separation
    if not 0.0 <= least < math.inf:
        raise RunError(f'--separation = {least:g} m must be at least 0')
    if not 0.0 <= min_battery <= 1.0:
        raise RunError(f'--min-battery = {min_battery:g} must be from 0 to 1')
    if not max_clock_offset > 0.0:
        raise RunError(f'--max-clock-offset = {max_clock_offset:g} s must be above 0')
    planned = NO_PLACES if places is None else read_places(places)
    if places is not None and (line := places_of_others(places, planned, there)):
        print(f'warning: {line}', file=sys.stderr)
    return GateSettings(least, min_battery, max_clock_offset, planned, by_name)


def waiting_time(within: Optional[float], usual: float) -> float:
    """Return how long to wait [s].

    Raises:
        RunError: It is out of its range.
    """
    if within is None:
        return usual
    if not 0.0 < within <= LONGEST_WAIT:
        raise RunError(f'--within = {within:g} s must be above 0 and at most {LONGEST_WAIT:g} s')
    return within
