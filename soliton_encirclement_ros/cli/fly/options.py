"""Options of ``swarm fly``, and what they mean together."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

import typer

from soliton_encirclement_ros.cli.fly.gate import GateSettings
from soliton_encirclement_ros.cli.fly.places import read_places
from soliton_encirclement_ros.cli.operator.stop import LONGEST_WAIT
from soliton_encirclement_ros.cli.options.option_types import NUMBER, PATH, TEXT, WHOLE
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files.package_share import find_scenario
from soliton_encirclement_ros.core.parameters.safety_parameters import SafetyParameters
from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import MAX_AGENTS
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.core.stop.stop_words import MEMBER

VEHICLES = typer.Argument(
    None, metavar='[VEHICLE]...', help='Vehicles such as uav_3; default: all.', show_default=False
)
AGENTS = typer.Option(None, click_type=WHOLE, help='Number N of vehicles: uav_1 to uav_N.')
SCENARIO = typer.Option(
    None, click_type=TEXT, help='Scenario: its agents are expected, its separation distance holds.'
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
    None, click_type=PATH, help='File with the planned places, lines such as uav_1: [0.0, 4.0].'
)


def expected(names: Optional[Sequence[str]], agents: Optional[int] = None,
             scenario: Optional[Scenario] = None) -> list[str]:  # fmt: skip
    """Return the vehicles that an order is for; empty: all that are found.

    Args:
        names: Names that were given.
        agents: A number of agents that was given.
        scenario: A scenario that was given.

    Raises:
        RunError: A name is invalid, or it is said more than once who is meant.
    """
    if bool(names) + (agents is not None) + (scenario is not None) > 1:
        raise RunError('names, --agents and --scenario say who is meant: give one of them')
    for name in names or ():
        if not MEMBER.fullmatch(name):
            raise RunError(f'VEHICLE = {name[:40]!r} must be a name such as uav_3')
    if agents is not None and not 1 <= agents <= MAX_AGENTS:
        raise RunError(f'--agents = {agents} must be from 1 to {MAX_AGENTS}')
    if scenario is not None:
        return [uav(k) for k in scenario.agent_ids]
    return list(dict.fromkeys(names or ())) or [uav(k + 1) for k in range(agents or 0)]


def given_scenario(name: Optional[str]) -> Optional[Scenario]:
    """Return a scenario by name or path, None without a name."""
    return None if name is None else load_scenario(find_scenario(name))


def gate_settings(
    scenario: Optional[Scenario], separation: Optional[float], min_battery: float = 0.0,
    max_clock_offset: float = math.inf, places: Optional[Path] = None,
) -> GateSettings:  # fmt: skip
    """Return the bounds of the gate.

    Raises:
        RunError: A bound is out of its range, or the places are no such file.
    """
    safety = SafetyParameters() if scenario is None else scenario.safety
    least = safety.separation_distance if separation is None else separation
    if not 0.0 <= least < math.inf:
        raise RunError(f'--separation = {least:g} m must be at least 0')
    if not 0.0 <= min_battery <= 1.0:
        raise RunError(f'--min-battery = {min_battery:g} must be from 0 to 1')
    if not max_clock_offset > 0.0:
        raise RunError(f'--max-clock-offset = {max_clock_offset:g} s must be above 0')
    planned = {} if places is None else read_places(places)
    return GateSettings(least, min_battery, max_clock_offset, planned)


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
