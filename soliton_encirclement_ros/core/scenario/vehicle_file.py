"""A vehicle file: mobility parameters of one type of vehicle, for any scenario.

The values replace those of the scenario's section ``mobility``; other values are kept.
``vehicle`` selects the simulated model. ``fitted`` describes the source of the values, for
information only.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from velocity_mobility_ros.core.environment.parameter_files import VEHICLE, kind_hint
from velocity_mobility_ros.core.parameter_declaration import build
from velocity_mobility_ros.core.user_errors import ParameterError, closest, shown
from velocity_mobility_ros.core.velocity_model import VEHICLE_NAMES
from velocity_mobility_ros.vehicles.vehicle import parameters_of

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.files import checked_name, name_from
from soliton_encirclement_ros.core.parameters.swarm_parameters import VehicleChoices
from soliton_encirclement_ros.core.scenario.user_files import content_of, find_file, read_text
from soliton_encirclement_ros.core.schedules import agents_by_file, with_absolute_files

AGENTS = 'vehicles.agent_vehicles'

FILE = '.yaml'
"""End of a name that is a path; others are names of included vehicles."""

KEYS = ('name', 'mobility', 'fitted')
FITTED_KEYS = (
    'source', 'agents', 'clock', 'used_s', 'fitted_until_s', 'update_rate', 'delay_s',
    'intervals_95', 'residuals', 'not_identifiable', 'notes',
)  # fmt: skip
"""Keys written by a fit; times in seconds, residuals in m/s."""


class VehicleFile(NamedTuple):
    """One type of vehicle.

    Attributes:
        name: Name of the type.
        mobility: Given values of the vehicle's parameters by name.
        fitted: Their source; empty for a file written by hand.
    """

    name: str
    mobility: Mapping[str, Any]
    fitted: Mapping[str, Any]


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


def find_vehicle(name: str) -> Path:
    """Return the file of a vehicle, given by path or by the name of an included one.

    Raises:
        ScenarioError: There is no such file.
    """
    return find_file('vehicle', name)


def read_vehicle(path: Path) -> VehicleFile:
    """Read a vehicle file.

    Raises:
        ScenarioError: The file cannot be read, or a key or value is refused, in one line.
    """
    content = content_of(read_text(path, 'vehicle'), path)
    name = name_from(path, 'vehicle')
    return vehicle_from_dict(content if content is not None else {}, name, str(path))


def vehicle_from_dict(content: Any, name: str, source: str) -> VehicleFile:
    """Make a vehicle from plain data.

    Args:
        content: Mapping with at least one value in ``mobility``; optionally ``name``, ``fitted``.
        name: Name to use when the content gives none.
        source: Where the content comes from, named in errors.

    Raises:
        ScenarioError: A key or value is refused, or the file sets no value.
    """
    if not isinstance(content, Mapping):
        raise ScenarioError(f'{source}: a vehicle is a mapping of {", ".join(KEYS)}')
    _refuse_unknown(content, KEYS, source, kind_hint(content, VEHICLE))
    name = checked_name(content.get('name', name), source)
    mobility, fitted = (_mapping(content, key, source) for key in KEYS[1:])
    _refuse_unknown(fitted, FITTED_KEYS, f'{source}: fitted')
    if not mobility:
        raise ScenarioError(
            f'{source}: sets no value of mobility; give it at least one, such as tau_xy'
        )
    try:
        record = parameters_of(mobility.get('vehicle', VEHICLE_NAMES[0]))
        checked = build(record, mobility, f'{source}: mobility')
    except ParameterError as error:
        raise ScenarioError(str(error)) from None
    return VehicleFile(name, {key: getattr(checked, key) for key in mobility}, fitted)


def as_text(vehicle: VehicleFile) -> str:
    """Return a vehicle as the text of its file."""
    content = {'name': vehicle.name, 'mobility': dict(vehicle.mobility)}
    if vehicle.fitted:
        content['fitted'] = dict(vehicle.fitted)
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=99)


def _mapping(content: Mapping[str, Any], key: str, source: str) -> Mapping[str, Any]:
    value = content.get(key)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ScenarioError(f'{source}: {key} must be a mapping, not {shown(value)}')
    return value


def _refuse_unknown(
    content: Mapping[str, Any], known: tuple[str, ...], source: str, other: str = ''
) -> None:
    for key in content:
        if key not in known:
            close = closest(key, known)
            hint = f'; did you mean {close!r}?' if close else f'; keys are {", ".join(known)}'
            raise ScenarioError(f'{source}: unknown key {shown(key)}{other or hint}')
