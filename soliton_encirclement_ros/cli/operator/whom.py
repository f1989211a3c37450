"""Who is meant by an order, as the command line says it: names, a number, a scenario."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Optional

import typer

from soliton_encirclement_ros.cli.options.option_types import TEXT, WHOLE
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files.name_list import named as named_list
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.core.stop.stop_words import MEMBER

if TYPE_CHECKING:
    from soliton_encirclement_ros.core.scenario.scenario import Scenario

AGENTS = typer.Option(None, click_type=WHOLE, help='Number N of vehicles: uav_1 to uav_N.')
SCENARIO = typer.Option(
    None, click_type=TEXT, help='Scenario: its agents are expected, its separation distance holds.'
)

MAX_VEHICLES = 1000


class Meant(NamedTuple):
    """What the operator says.

    Attributes:
        named: Vehicles that he names one by one: an order is for them alone; empty: for all.
        expected: Vehicles that an answer has to come from; empty: the fleet, as it says itself.
    """

    named: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()


EVERYBODY = Meant()


def said_whom(
    names: Optional[Sequence[str]] = None, agents: Optional[int] = None,
    scenario: Optional[str] = None,
) -> Meant:  # fmt: skip
    """Return whom an order is for, and whom its answer waits for.

    Args:
        names: Names that were given.
        agents: A number of agents that was given.
        scenario: Name or path of a scenario that was given.

    Raises:
        RunError: A name is invalid, the two contradict each other, or both numbers are given.
    """
    if agents is not None and scenario is not None:
        raise RunError('--agents and --scenario both say who there is: give one of them')
    for name in names or ():
        if not MEMBER.fullmatch(name):
            raise RunError(f'VEHICLE = {name[:40]!r} must be a name such as uav_3')
    if agents is not None and not 1 <= agents <= MAX_VEHICLES:
        raise RunError(f'--agents = {agents} must be from 1 to {MAX_VEHICLES}')
    there = tuple(map(uav, _numbers(agents, scenario)))
    named = tuple(dict.fromkeys(names or ()))
    strangers = [name for name in named if there and name not in there]
    if strangers:
        told = f'--agents {agents}' if agents is not None else f'scenario {scenario!r}'
        raise RunError(f'{strangers[0]} is none of the vehicles of {told}: {named_list(there)}')
    return Meant(named, there)


def _numbers(agents: Optional[int], scenario: Optional[str]) -> Sequence[int]:
    if agents is not None:
        return range(1, agents + 1)
    found = given_scenario(scenario)
    return () if found is None else found.agent_ids


def given_scenario(name: Optional[str]) -> 'Optional[Scenario]':
    """Return a scenario by name or path, None without a name."""
    if name is None:
        return None
    from soliton_encirclement_ros.core.files.package_share import find_scenario
    from soliton_encirclement_ros.core.scenario.scenario import load_scenario

    return load_scenario(find_scenario(name))
