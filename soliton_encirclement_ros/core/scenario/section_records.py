"""Sections whose parameters depend on what they choose: the law, the vehicle."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.core.parameters import Parameters, declarations
from velocity_mobility_ros.vehicles import parameters_of

from soliton_encirclement_ros.core.parameters.swarm_parameters import ControlParameters
from soliton_encirclement_ros.core.scenario.control_parameters import (
    control_record,
    with_whole_name,
)


class Chooser(NamedTuple):
    """The key of a section that chooses, and the parameters that it has in any case."""

    key: str
    common: type[Parameters]


CHOOSERS = {
    'control': Chooser('controller', ControlParameters),
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
        LawError: There is no such law.
    """
    if section == 'control':
        return control_record(values.get('controller')), with_whole_name(values)
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
