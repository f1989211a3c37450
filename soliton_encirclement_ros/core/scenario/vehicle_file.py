"""A vehicle file: mobility parameters of one type of vehicle, for any scenario.

The values replace those of the scenario's section ``mobility``; other values are kept.
``vehicle`` selects the simulated model. ``fitted`` describes the source of the values, for
information only.
"""

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.files import checked_name, name_from
from soliton_encirclement_ros.core.scenario.user_files import find_file, read_text, read_yaml
from velocity_mobility_ros.core.environment.parameter_files import VEHICLE, kind_hint
from velocity_mobility_ros.core.parameter_declaration import build
from velocity_mobility_ros.core.user_errors import ParameterError, shown, suggestion
from velocity_mobility_ros.core.velocity_model import VEHICLE_NAMES
from velocity_mobility_ros.vehicles.vehicle import parameters_of

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


def absolute_name(folder: Path, name: str) -> str:
    """Return the absolute path of a vehicle file in a folder, any other name unchanged."""
    own = name.endswith(FILE) and os.path.isfile(folder / name)
    return str((folder / name).resolve()) if own else name


find_vehicle = partial(find_file, 'vehicle')
"""Returns the file of a vehicle, given by path or by the name of an included one."""


def read_vehicle(path: Path) -> VehicleFile:
    """Read a vehicle file.

    Raises:
        ScenarioError: The file cannot be read, or a key or value is refused, in one line.
    """
    content = read_yaml(read_text(path, 'vehicle'), path)
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
            hint = other or suggestion(key, known)
            raise ScenarioError(f'{source}: unknown key {shown(key)}{hint}')
