"""Vehicle files by the names that section ``vehicles`` gives."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from velocity_mobility_ros.core.shown import shown

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.vehicle_choices import VehicleChoices

AGENTS = 'vehicles.agent_vehicles'

FILE = '.yaml'
"""End of a name that is a path; others are names of included vehicles."""


def agents_by_file(text: str) -> dict[str, list[str]]:
    """Return numbers of agents by vehicle file, of a text such as ``iris: 2 3; x500: 5``.

    Raises:
        ScenarioError: The text is not understood.
    """
    found: dict[str, list[str]] = {}
    for part in filter(None, map(str.strip, text.split(';'))):
        name, colon, words = part.rpartition(':')
        if not (colon and name.strip() and words.split()):
            raise ScenarioError(
                f'{AGENTS}: {shown(part)} must be a vehicle file, a colon and numbers of agents, '
                'such as iris: 2 3'
            )
        found.setdefault(name.strip(), []).extend(words.split())
    return found


def vehicle_files(choices: VehicleChoices) -> list[Path]:
    """Return the users' own vehicle files, those that are given by path."""
    agents = agents_by_file(choices.agent_vehicles)
    names = (choices.target_vehicle, choices.adversary_vehicle, *agents)
    return [Path(name) for name in names if name.endswith(FILE)]


def with_absolute_names(values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the values of section ``vehicles`` with absolute paths of the files in a folder.

    What is not understood is returned as it is, to be refused later.
    """
    changed = dict(values)
    for key in ('target_vehicle', 'adversary_vehicle'):
        if isinstance(values.get(key), str):
            changed[key] = absolute_name(values[key], folder)
    text = values.get('agent_vehicles')
    if isinstance(text, str):
        parts = [part.rpartition(':') for part in text.split(';')]
        changed['agent_vehicles'] = ';'.join(
            f'{absolute_name(name.strip(), folder)}{colon}{words}' for name, colon, words in parts
        )
    return changed


def absolute_name(name: str, folder: Path) -> str:
    """Return the absolute path of a vehicle file in a folder, any other name unchanged."""
    own = name.endswith(FILE) and (folder / name).is_file()
    return str((folder / name).resolve()) if own else name
