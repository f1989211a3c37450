"""Vehicle files by the names that section ``vehicles`` gives."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from soliton_encirclement_ros.core.parameters.vehicle_choices import VehicleChoices
from soliton_encirclement_ros.core.schedules.agents_by_file import (
    agents_by_file,
    with_absolute_files,
)

AGENTS = 'vehicles.agent_vehicles'

FILE = '.yaml'
"""End of a name that is a path; others are names of included vehicles."""


def agents_by_vehicle(text: str) -> dict[str, list[str]]:
    """Return numbers of agents by vehicle file, of a text such as ``iris: 2 3; x500: 5``.

    Raises:
        ScenarioError: The text is not understood.
    """
    return agents_by_file(text, AGENTS, 'vehicle file', 'iris: 2 3')


def vehicle_files(choices: VehicleChoices) -> list[Path]:
    """Return the users' own vehicle files, those that are given by path."""
    agents = agents_by_vehicle(choices.agent_vehicles)
    names = (choices.target_vehicle, choices.adversary_vehicle, *agents)
    return [Path(name) for name in names if name.endswith(FILE)]


def with_absolute_names(values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the values of section ``vehicles`` with absolute paths of the files in a folder."""
    names = ('target_vehicle', 'adversary_vehicle')
    absolute = partial(absolute_name, folder)
    return with_absolute_files(values, names, 'agent_vehicles', absolute)


def absolute_name(folder: Path, name: str) -> str:
    """Return the absolute path of a vehicle file in a folder, any other name unchanged."""
    own = name.endswith(FILE) and (folder / name).is_file()
    return str((folder / name).resolve()) if own else name
