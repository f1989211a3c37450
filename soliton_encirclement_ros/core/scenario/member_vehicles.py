"""Which member has which vehicle."""

import dataclasses
from collections.abc import Iterator, Sequence

from velocity_mobility_ros.core.parameter_declaration import build
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.core.velocity_model import MobilityParameters

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.vehicle_choices import VehicleChoices
from soliton_encirclement_ros.core.scenario.section_records import chosen_record, kept_values
from soliton_encirclement_ros.core.scenario.vehicle_file import (
    AGENTS,
    agents_by_vehicle,
    find_vehicle,
    read_vehicle,
)
from soliton_encirclement_ros.core.schedules.member_names import to_member
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET


def member_vehicles(
    mobility: MobilityParameters, choices: VehicleChoices, members: Sequence[str]
) -> dict[str, MobilityParameters]:
    """Return the vehicles of the members that have one of their own.

    The file of a member's vehicle replaces values of ``mobility``; if it chooses another type of
    vehicle, values that this type does not share are its defaults.

    Args:
        mobility: The vehicle of all others.
        choices: Vehicle files by member.
        members: Names of all members.

    Raises:
        ScenarioError: A text is not understood, there is no such file or member, a value is
            refused, or a vehicle has another update period than all others.
    """
    found = {}
    for member, name, where in _chosen(choices, members):
        if member in found:
            raise ScenarioError(f'{where}: {member} has two vehicles; give it one')
        found[member] = _vehicle(mobility, name, where)
    return found


def _chosen(choices: VehicleChoices, members: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Iterate over members, their vehicle files, and where these are chosen."""
    for member in (TARGET, ADVERSARY):
        key = f'{member}_vehicle'
        name = getattr(choices, key).strip()
        if name and member in members:
            yield member, name, f'vehicles.{key}'
    for name, words in agents_by_vehicle(choices.agent_vehicles).items():
        for word in words:
            yield to_member(word, members, AGENTS), name, AGENTS


def _vehicle(mobility: MobilityParameters, name: str, where: str) -> MobilityParameters:
    """Return the vehicle of a file, with the values of ``mobility`` for those that it lacks."""
    path = find_vehicle(name)
    given = read_vehicle(path).mobility
    known = kept_values('mobility', dataclasses.asdict(mobility), given)
    record, values = chosen_record('mobility', MobilityParameters, {**known, **given})
    try:
        vehicle = build(record, values, f'{where}: {path}')
    except ParameterError as error:
        raise ScenarioError(str(error)) from None
    if vehicle.update_rate != mobility.update_rate:
        raise ScenarioError(
            f'{where}: {path}: update_rate = {vehicle.update_rate} s must be that of all '
            f'vehicles, mobility.update_rate = {mobility.update_rate} s'
        )
    return vehicle
