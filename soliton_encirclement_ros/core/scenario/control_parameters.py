"""The control section of a scenario: with a law of one's own it has the parameters of that law."""

import dataclasses
import functools
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from velocity_mobility_ros.core.parameters import declarations, parameter

from soliton_encirclement_ros.core.errors import LawError
from soliton_encirclement_ros.core.laws.law_source import (
    has_own_parameters,
    is_foreign,
    load_law,
    short_name,
    whole_name,
)
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CONTROLLER_NAMES,
    CommandLimits,
    ControlParameters,
    SwarmParameters,
)


def control_record(controller: object) -> type[ControlParameters]:
    """Return the record of the control section for a controller.

    Raises:
        LawError: There is no such law, or a parameter of it has a name that exists already.
    """
    if not has_own_parameters(controller):
        return ControlParameters
    return _extended(whole_name(str(controller)))


def with_whole_name(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a control section with a file's name as every folder understands it."""
    controller = values.get('controller')
    if not is_foreign(controller):
        return dict(values)
    return {**values, 'controller': whole_name(str(controller))}


def with_law_beside(content: Any, folder: Path) -> Any:
    """Return the content of a scenario file; a law that lies beside the file is found there.

    Args:
        content: What was read.
        folder: Where the file is.
    """
    control = content.get('control') if isinstance(content, Mapping) else None
    name = control.get('controller') if isinstance(control, Mapping) else None
    if not (isinstance(name, str) and name.endswith('.py') and (folder / name).is_file()):
        return content
    return {**content, 'control': {**control, 'controller': str((folder / name).resolve())}}


def settings_of_law(settings: Sequence[str], law: str, laws: Collection[str]) -> list[str]:
    """Return the settings that are for a law, where several fly with one list of settings.

    Args:
        settings: Texts of the form ``section.key=value``.
        law: The law.
        laws: All laws that fly; a parameter of another one alone is left out.
    """
    own = declarations(control_record(law))
    others = {name for one in laws for name in declarations(control_record(one))} - set(own)
    foreign = tuple(f'control.{name}=' for name in others)
    return [setting for setting in settings if not setting.startswith(foreign)]


@functools.cache
def _extended(controller: str) -> type[ControlParameters]:
    own = load_law(controller).parameters
    fields = dataclasses.fields(own) if own else ()
    taken = {name for record in (ControlParameters, PropagationParameters, SwarmParameters,
                                 CommandLimits) for name in declarations(record)}  # fmt: skip
    for field in fields:
        if field.name in taken:
            raise LawError(
                f'{controller}: parameter {field.name} exists already; give it another name, such '
                f'as {field.name}_{short_name(controller)}'
            )
    chosen = parameter(
        controller, 'the law', choices=tuple(dict.fromkeys((*CONTROLLER_NAMES, controller))),
        fixed='every law has a memory of its own kind',
    )  # fmt: skip
    kinds = [(field.name, field.type, _copied(field)) for field in fields]
    found = dataclasses.make_dataclass(
        'ControlParameters', [('controller', str, chosen), *kinds], bases=(ControlParameters,),
        frozen=True,
    )  # fmt: skip
    found.live = True
    return found


def _copied(field: dataclasses.Field) -> Any:
    return dataclasses.field(default=field.default, metadata=field.metadata)
