"""Sections of a scenario that choose a plugin: a law, a layer, a vehicle or an estimator.

Such a section has the parameters of its plugin besides those that all plugins have. Vehicles are
those of all members, or of single ones (``member_vehicles``).
"""

import dataclasses
import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.errors import LawError, ScenarioError
from soliton_encirclement_ros.core.estimation.estimator import ESTIMATORS
from soliton_encirclement_ros.core.laws.law_registry import LAWS, LAYERS
from soliton_encirclement_ros.core.member_paths import absolute_path
from soliton_encirclement_ros.core.parameters.control_parameters import (
    ControlParameters, PropagationParameters
)
from soliton_encirclement_ros.core.parameters.renamed_parameters import present_section
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, SwarmParameters, VehicleChoices
)
from soliton_encirclement_ros.core.parameters.target_parameters import TargetSensingParameters
from soliton_encirclement_ros.core.scenario.vehicle_file import (
    FILE, absolute_name, find_vehicle, read_vehicle
)
from soliton_encirclement_ros.core.schedules import PATH_FILES, VEHICLE_FILES
from velocity_mobility_ros.core.parameter_declaration import (
    NOTHING, Parameters, build, declarations, parameter
)
from velocity_mobility_ros.core.plugins import Plugin, file_of, resolved_name, short_name
from velocity_mobility_ros.core.trajectory.path_files import READERS
from velocity_mobility_ros.core.user_errors import ParameterError, shown
from velocity_mobility_ros.core.velocity_model import MobilityParameters
from velocity_mobility_ros.vehicles.vehicle import VEHICLES, parameters_of

OF_AGENTS = (
    ControlParameters, PropagationParameters, SwarmParameters, CommandLimits,
    TargetSensingParameters,
)  # fmt: skip
"""Records with the parameters of an agent node; their names must be unique."""

VEHICLE_FILE = 'vehicle_file'
"""Key of section ``mobility``: the file whose values count where the section gives none."""


class Selector(NamedTuple):
    """The selecting key of a section, the parameters common to all selections, and these."""

    key: str
    common: type[Parameters]
    known: Plugin[Any]


SELECTORS = {
    'control': Selector('controller', ControlParameters, LAWS),
    'propagation': Selector('propagation_method', PropagationParameters, LAYERS),
    'mobility': Selector('vehicle', MobilityParameters, VEHICLES),
    'target_sensing': Selector('estimator', TargetSensingParameters, ESTIMATORS),
}


def record_of(section: str, name: object = None) -> type[Any]:
    """Return the record of a section with the parameters of the plugin of a name.

    Args:
        section: One of ``SELECTORS``.
        name: The plugin, None for the default. An unknown name is refused by the record that
            is returned.

    Raises:
        LawError: It cannot be loaded, or a parameter of it has a name that exists already.
    """
    key, common, known = SELECTORS[section]
    if name is None:
        name = declarations(common)[key].default
    if known is VEHICLES:
        return parameters_of(name)
    is_known = known.is_built_in(name) or known.is_foreign(name)
    return _extended(section, str(name)) if is_known else common


def settings_of_law(settings: Sequence[str], law: str, laws: Collection[str]) -> list[str]:
    """Return the settings that apply to a law, if several laws share one list of settings.

    Args:
        settings: Texts of the form ``section.key=value``.
        law: The law.
        laws: All laws; parameters that only other laws have are omitted.
    """
    own = declarations(record_of('control', law))
    every = {name for other in laws for name in declarations(record_of('control', other))}
    foreign = tuple(f'control.{name}=' for name in every - set(own))
    return [setting for setting in settings if not setting.startswith(foreign)]


@cache
def _extended(section: str, name: str) -> type[Any]:
    """Return a record with additional parameters."""
    key, common, known = SELECTORS[section]
    base: Any = common
    chosen = known.load(name)
    own, presets = chosen.parameters, _presets(SELECTORS[section], name)
    if known.is_built_in(name) and issubclass(own or base, base) and not presets:
        return own or base
    fields = dataclasses.fields(own) if own else ()
    taken = {existing for record in OF_AGENTS for existing in declarations(record)}
    for field in fields:
        if field.name in taken:
            raise LawError(
                f'{name}: parameter {field.name} exists already; give it another name, such '
                f'as {field.name}_{short_name(name)}'
            )
    usual = declarations(base)[key]
    choices = tuple(dict.fromkeys((*usual.choices, name, resolved_name(name))))
    choosing = parameter(name, usual.meaning, choices=choices, fixed=usual.fixed)
    used = ['target_relay'] if getattr(chosen, 'relays_target', False) else []
    kinds = [(field.name, field.type, _copied(field)) for field in fields]
    kinds += [
        (field.name, field.type, _copied(field, presets, field.name in used))
        for field in dataclasses.fields(base)
        if field.name in {*used, *presets}
    ]
    extended: Any = dataclasses.make_dataclass(
        base.__name__, [(key, str, choosing), *kinds], bases=(base,), frozen=True
    )
    extended.live = base.live
    return extended


def _presets(selector: Selector, name: object) -> Mapping[str, Any]:
    """Return the defaults of common parameters that a law replaces; none if it is refused."""
    if selector.known.is_built_in(name) or selector.known.is_foreign(name):
        with suppress(LawError):  # ``record_of`` raises it again
            return getattr(selector.known.load(str(name)), 'presets', NOTHING)
    return NOTHING


def _copied(
    field: dataclasses.Field, presets: Mapping[str, Any] = NOTHING, is_used: bool = False
) -> Any:
    """Return a copy of a field; one that is used counts whatever it says of other parameters."""
    changes = {'only_with': NOTHING} if is_used else {}
    default = presets.get(field.name, field.default)
    return dataclasses.field(default=default, metadata={**field.metadata, **changes})


def read_section(record: type, content: Mapping[str, Any], key: str, source: str) -> Any:
    """Return the record of a section; missing values are the defaults.

    Args:
        record: The section's record class, unless its content selects another.
        content: The whole scenario, as plain data.
        key: Name of the section.
        source: Where the content comes from, named in errors.

    Raises:
        ScenarioError: The section, a key or a value is refused.
    """
    values = content.get(key)
    if values is None:
        values = {}
    if not isinstance(values, Mapping):
        raise ScenarioError(
            f'{source}: {key} must be a mapping of parameters, not {shown(values)}'
        )
    try:
        record, values = chosen_record(key, record, values)
        _check_owners(key, record, values, source)
        return build(record, values, f'{source}: {key}')
    except ParameterError as error:
        raise ScenarioError(str(error)) from None
    except LawError as error:
        raise ScenarioError(f'{source}: {key}.{SELECTORS[key].key}: {error}') from None


def _check_owners(
    key: str, record: type[Parameters], values: Mapping[str, Any], source: str
) -> None:
    """Refuse a parameter that only other laws, layers, vehicles or estimators have.

    Raises:
        ScenarioError: There is one.
    """
    known = declarations(record)
    for name, value in values.items():
        others = () if name in known else owners(key, name)
        if others:
            selector = SELECTORS[key].key
            chosen = ' '.join(str(values.get(selector, known[selector].default)).split())
            raise ScenarioError(
                f'{source}: {key}.{name} = {shown(value)} is a parameter of {selector} '
                f'{" and ".join(others)}, not of {chosen}: remove it, or set {key}.{selector}'
            )


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
    if section not in SELECTORS:
        return record, values
    values, (key, _, known) = expanded(section, values), SELECTORS[section]
    name: Any = values.get(key)
    if known.is_foreign(name):
        name = resolved_name(name)  # also of the record, which is kept: the folder may change
        values = {**values, key: name}
    return record_of(section, name), values


def owners(section: str, name: str) -> tuple[str, ...]:
    """Return the laws, layers, vehicles or estimators that have a parameter, of those built in.

    Args:
        section: Name of the section.
        name: The parameter; one that all have is of no use here.
    """
    selector = SELECTORS.get(section)
    if selector is None:
        return ()
    key, common, _ = selector
    return tuple(
        owner
        for owner in declarations(common)[key].choices
        if name in declarations(record_of(section, owner))
    )


def remaining_values(
    section: str, known: Mapping[str, Any], changes: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the values of a section that remain valid after changes.

    If the changes select another law or vehicle, the parameters of the previous one are dropped,
    and those that all have if they are at its default, or are a preset of one of both: the next
    one has its own.
    """
    selector = SELECTORS.get(section)
    if selector is None or changes.get(selector.key, known[selector.key]) == known[selector.key]:
        return known
    every, names = declarations(selector.common), (known[selector.key], changes[selector.key])
    before = declarations(record_of(section, names[0]))
    presets = {preset for name in names for preset in _presets(selector, name)}
    return {
        name: value
        for name, value in known.items()
        if name in every and name not in presets and value != before[name].default
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
    for section, values in content.items():
        selector = SELECTORS.get(present_section(section))
        if selector is None or not isinstance(values, Mapping):
            continue
        name = values.get(selector.key)
        if isinstance(name, str) and (file := file_of(name)) and os.path.isfile(folder / file):
            changed[section] = {**values, selector.key: resolved_name(str(folder / name))}
    for files, absolute in ((PATH_FILES, absolute_path), (VEHICLE_FILES, absolute_name)):
        if isinstance(values := content.get(files.section), Mapping):
            changed[files.section] = files.with_absolute(values, partial(absolute, folder))
    mobility = content.get('mobility')
    if isinstance(mobility, Mapping) and isinstance(mobility.get(VEHICLE_FILE), str):
        name = absolute_name(folder, mobility[VEHICLE_FILE])
        changed['mobility'] = {**mobility, VEHICLE_FILE: name}
    return {**content, **changed}


def chosen_files(scenario: Any) -> list[Path]:
    """Return the users' own files: laws, layers, estimators, vehicles and paths of a scenario."""
    names = (getattr(getattr(scenario, section), use.key) for section, use in SELECTORS.items())
    own_code = [Path(file) for name in names if (file := file_of(name))]
    vehicles = map(Path, VEHICLE_FILES.names(scenario.vehicles))
    paths = map(Path, PATH_FILES.names(scenario.paths))
    return [
        *own_code,
        *(path for path in vehicles if path.suffix == FILE),
        *(path for path in paths if path.suffix.lower() in READERS),
    ]


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
    chosen = VEHICLE_FILES.chosen(choices, members)
    return {
        member: _vehicle(mobility, name, VEHICLE_FILES.parameter_of(member))
        for member, name in chosen.items()
    }


def _vehicle(mobility: MobilityParameters, name: str, where: str) -> MobilityParameters:
    """Return the vehicle of a file, with the values of ``mobility`` for those that it lacks."""
    path = find_vehicle(name)
    given = read_vehicle(path).mobility
    known = remaining_values('mobility', dataclasses.asdict(mobility), given)
    record, values = chosen_record('mobility', MobilityParameters, {**known, **given})
    try:
        vehicle: Any = build(record, values, f'{where}: {path}')
    except ParameterError as error:
        raise ScenarioError(str(error)) from None
    if vehicle.update_rate != mobility.update_rate:
        raise ScenarioError(
            f'{where}: {path}: update_rate = {vehicle.update_rate} s must be that of all '
            f'vehicles, mobility.update_rate = {mobility.update_rate} s'
        )
    return vehicle
