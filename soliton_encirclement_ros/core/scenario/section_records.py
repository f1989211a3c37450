"""Sections whose parameters depend on a selection: law, layer, vehicle, estimator."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.core.parameters import Parameters, declarations
from velocity_mobility_ros.vehicles import parameters_of

from soliton_encirclement_ros.core.laws.user_code import file_of, whole_name
from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.core.parameters.sight_parameters import SightParameters
from soliton_encirclement_ros.core.paths import path_names
from soliton_encirclement_ros.core.scenario.control_section import control_record
from soliton_encirclement_ros.core.scenario.layer_section import propagation_record
from soliton_encirclement_ros.core.scenario.sight.sight_section import sight_record
from soliton_encirclement_ros.core.scenario.vehicle_file import find_vehicle, read_vehicle
from soliton_encirclement_ros.core.scenario.vehicle_names import (
    absolute_name,
    vehicle_files,
    with_absolute_names,
)


class Selector(NamedTuple):
    """The selecting key of a section, and the parameters common to all selections."""

    key: str
    common: type[Parameters]


VEHICLES, PATHS = 'vehicles', 'paths'

VEHICLE_FILE = 'vehicle_file'
"""Key of section ``mobility``: the file whose values count where the section gives none."""

SELECTORS = {
    'control': Selector('controller', ControlParameters),
    'propagation': Selector('propagation_method', PropagationParameters),
    'mobility': Selector('vehicle', MobilityParameters),
    'sight': Selector('estimator', SightParameters),
}


def chosen_record(
    section: str, record: type[Parameters], values: Mapping[str, Any]
) -> tuple[type[Parameters], Mapping[str, Any]]:
    """Return the record for the values of a section, and these values.

    Args:
        section: Name of the section.
        record: Its record, for a section without a selection.
        values: Values by key; relative file names are returned as absolute paths.

    Raises:
        LawError: There is no such law, layer or estimator.
        ScenarioError: There is no such vehicle file, or a value of it is refused.
    """
    if section == 'control':
        values = _with_whole_name(section, values)
        return control_record(values.get('controller')), values
    if section == 'propagation':
        values = _with_whole_name(section, values)
        return propagation_record(values.get('propagation_method')), values
    if section == 'sight':
        values = _with_whole_name(section, values)
        return sight_record(values.get('estimator')), values
    if section == 'mobility':
        values = expanded(section, values)
        return parameters_of(values.get('vehicle')), values
    return record, values


def owners(section: str, name: str) -> tuple[str, ...]:
    """Return the laws, layers, vehicles or estimators that have a parameter, of those built in.

    Args:
        section: Name of the section.
        name: The parameter; one that all have is of no use here.
    """
    selector = SELECTORS.get(section)
    if selector is None:
        return ()
    key, common = selector
    return tuple(
        one
        for one in declarations(common)[key].choices
        if name in declarations(chosen_record(section, common, {key: one})[0])
    )


def kept_values(
    section: str, known: Mapping[str, Any], changes: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the values of a section that remain valid after changes.

    If the changes select another law or vehicle, the parameters of the previous one are dropped,
    and those that all have if they are at its default: the next one has its own.
    """
    selector = SELECTORS.get(section)
    if selector is None or changes.get(selector.key, known[selector.key]) == known[selector.key]:
        return known
    every = declarations(selector.common)
    before = declarations(chosen_record(section, selector.common, known)[0])
    return {
        name: value
        for name, value in known.items()
        if name in every and value != before[name].default
    }


def with_absolute_paths(content: Any, folder: Path) -> Any:
    """Return the content of a scenario file with absolute paths of the files in its folder.

    Args:
        content: Content of the file.
        folder: Folder of the file.
    """
    if not isinstance(content, Mapping):
        return content
    changed = {}
    for section, selector in SELECTORS.items():
        values = content.get(section)
        name = values.get(selector.key) if isinstance(values, Mapping) else None
        if isinstance(name, str) and (file := file_of(name)) and (folder / file).is_file():
            changed[section] = {**values, selector.key: whole_name(str(folder / name))}
    if isinstance(content.get(PATHS), Mapping):
        changed[PATHS] = path_names.with_absolute_paths(content[PATHS], folder)
    if isinstance(content.get(VEHICLES), Mapping):
        changed[VEHICLES] = with_absolute_names(content[VEHICLES], folder)
    mobility = content.get('mobility')
    if isinstance(mobility, Mapping) and isinstance(mobility.get(VEHICLE_FILE), str):
        name = absolute_name(folder, mobility[VEHICLE_FILE])
        changed['mobility'] = {**mobility, VEHICLE_FILE: name}
    return {**content, **changed}


def chosen_files(scenario: Any) -> list[Path]:
    """Return the users' own files: laws, layers, estimators, vehicles and paths of a scenario."""
    names = (getattr(getattr(scenario, section), one.key) for section, one in SELECTORS.items())
    own_code = [Path(file) for name in names if (file := file_of(name))]
    return [*own_code, *vehicle_files(scenario.vehicles), *path_names.path_files(scenario.paths)]


def expanded(section: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the values of a section; those of a vehicle file that it names count below them.

    Raises:
        ScenarioError: There is no such file, or a value of it is refused.
    """
    name = values.get(VEHICLE_FILE)
    if section != 'mobility' or not isinstance(name, str):
        return values
    others = {key: value for key, value in values.items() if key != VEHICLE_FILE}
    return {**read_vehicle(find_vehicle(name)).mobility, **others}


def _with_whole_name(section: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    key = SELECTORS[section].key
    name = values.get(key)
    return {**values, key: whole_name(name)} if isinstance(name, str) else values
