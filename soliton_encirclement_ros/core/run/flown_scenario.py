"""The scenario in the manifest of a run: plain values, without laws and vehicles.

To fly it again takes a ``Scenario``; to judge a recording of it, these values are enough.
"""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.parameters.run_parameters import RunParameters, SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.parameters.target_parameters import TargetParameters
from soliton_encirclement_ros.core.run.finished_run import read_flown
from soliton_encirclement_ros.core.run.run_folder import MANIFEST
from velocity_mobility_ros.core.parameter_declaration import build
from velocity_mobility_ros.core.user_errors import ParameterError

LIMITS = ('update_rate', 'max_speed_xy', 'max_speed_z', 'max_acc_xy', 'max_acc_z')
"""Values of a vehicle that are read of a recording."""

RECORDS = {
    'run': RunParameters, 'swarm': SwarmParameters, 'safety': SafetyParameters,
    'target': TargetParameters,
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class FlownScenario:
    """The values of a scenario that a recording is judged by, and all as they stand in a file.

    Attributes:
        name: Of the scenario, or of a recording of nothing that is known.
        mobility: ``LIMITS``, and whatever else the vehicle has.
        control: ``controller``, and the gains of the law.
        values: All values by section and name, and ``name``.
    """

    name: str
    run: RunParameters = dataclasses.field(default_factory=RunParameters)
    swarm: SwarmParameters = dataclasses.field(default_factory=SwarmParameters)
    safety: SafetyParameters = dataclasses.field(default_factory=SafetyParameters)
    target: TargetParameters = dataclasses.field(default_factory=TargetParameters)
    mobility: SimpleNamespace = dataclasses.field(default_factory=SimpleNamespace)
    control: SimpleNamespace = dataclasses.field(
        default_factory=lambda: SimpleNamespace(controller='')
    )
    values: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def as_dict(self) -> Mapping[str, Any]:
        """Return every value by section and key, as the manifest has them."""
        return self.values


def flown_scenario(folder: Path) -> FlownScenario:
    """Read the scenario from the manifest of a run.

    Raises:
        RunError: There is no such file, or it is of no run; a value is missing or refused.
    """
    content = read_flown(folder)
    try:
        records: dict[str, Any] = {
            section: build(record, _section(content, section, ()), f'run: {section}')
            for section, record in RECORDS.items()
        }
    except ParameterError as error:
        raise RunError(f'{MANIFEST}: {error}') from None
    mobility = SimpleNamespace(**_section(content, 'mobility', LIMITS))
    control = SimpleNamespace(**_section(content, 'control', ('controller',)))
    return FlownScenario(
        content['name'], **records, mobility=mobility, control=control, values=content
    )


def _section(content: Mapping[str, Any], section: str, keys: tuple[str, ...]) -> dict[str, Any]:
    values = content.get(section, {})
    lacks = [key for key in keys if not isinstance(values, Mapping) or key not in values]
    if lacks or not isinstance(values, Mapping):
        raise RunError(f'{MANIFEST}: scenario.{".".join([section, *lacks[:1]])} is missing')
    return dict(values)


def with_values(scenario: Any, **changes: Mapping[str, Any]) -> Any:
    """Return a scenario, flown or to be flown, with other values in some sections."""
    records = {
        section: dataclasses.replace(getattr(scenario, section), **values)
        for section, values in changes.items()
    }
    return dataclasses.replace(scenario, **records)
