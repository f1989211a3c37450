"""Sections whose parameters depend on what they choose: law, propagation layer, vehicle."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.core.parameters import Parameters, declarations
from velocity_mobility_ros.vehicles import parameters_of

from soliton_encirclement_ros.core.laws.user_code import whole_name
from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.core.scenario.control_section import control_record
from soliton_encirclement_ros.core.scenario.layer_section import propagation_record


class Chooser(NamedTuple):
    """The key of a section that chooses, and the parameters that it has in any case."""

    key: str
    common: type[Parameters]


CHOOSERS = {
    'control': Chooser('controller', ControlParameters),
    'propagation': Chooser('propagation_method', PropagationParameters),
    'mobility': Chooser('vehicle', MobilityParameters),
}


def chosen_record(
    section: str, record: type[Parameters], values: Mapping[str, Any]
) -> tuple[type[Parameters], Mapping[str, Any]]:
    """Return the record that some values of a section are for, and these values.

    Args:
        section: Name of the section.
        record: Its record, for a section that chooses nothing.
        values: Values by key; names of files in them come back as every folder understands them.

    Raises:
        LawError: There is no such law or layer.
    """
    if section == 'control':
        values = _with_whole_name(section, values)
        return control_record(values.get('controller')), values
    if section == 'propagation':
        values = _with_whole_name(section, values)
        return propagation_record(values.get('propagation_method')), values
    if section == 'mobility':
        return parameters_of(values.get('vehicle')), values
    return record, values


def kept_values(
    section: str, known: Mapping[str, Any], changes: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the values of a section that go with changes of it.

    Where these choose another law or vehicle, the parameters of its own of the one before go.
    """
    chooser = CHOOSERS.get(section)
    if chooser is None or changes.get(chooser.key, known[chooser.key]) == known[chooser.key]:
        return known
    every = declarations(chooser.common)
    return {name: value for name, value in known.items() if name in every}


def found_beside(content: Any, folder: Path) -> Any:
    """Return the content of a scenario file; laws and layers beside the file are found there.

    Args:
        content: What was read.
        folder: Where the file is.
    """
    if not isinstance(content, Mapping):
        return content
    changed = {}
    for section, chooser in CHOOSERS.items():
        values = content.get(section)
        name = values.get(chooser.key) if isinstance(values, Mapping) else None
        if isinstance(name, str) and name.endswith('.py') and (folder / name).is_file():
            changed[section] = {**values, chooser.key: str((folder / name).resolve())}
    return {**content, **changed}


def chosen_files(scenario: Any) -> list[Path]:
    """Return the files of users that a scenario flies with."""
    names = (getattr(getattr(scenario, section), one.key) for section, one in CHOOSERS.items())
    return [Path(name) for name in names if name.endswith('.py')]


def _with_whole_name(section: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    key = CHOOSERS[section].key
    name = values.get(key)
    return {**values, key: whole_name(name)} if isinstance(name, str) else values
