"""Adds the parameters of a law, a layer or an estimator to a section of a scenario."""

import dataclasses
from collections.abc import Collection
from typing import Any

from velocity_mobility_ros.core.parameters import NOTHING, Parameters, declarations, parameter

from soliton_encirclement_ros.core.errors import LawError
from soliton_encirclement_ros.core.laws.user_code import short_name, whole_name
from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.core.parameters.sight_parameters import SightParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits,
    SwarmParameters,
)

OF_AGENTS = (
    ControlParameters, PropagationParameters, SwarmParameters, CommandLimits, SightParameters,
)  # fmt: skip
"""Records with the parameters of an agent node; their names must be unique."""


def extended(
    base: type[Parameters],
    key: str,
    name: str,
    own: type[Parameters] | None,
    used: Collection[str] = (),
) -> type[Any]:
    """Return a record with additional parameters.

    Args:
        base: The record of the section.
        key: Its parameter that selects the law, layer or estimator.
        name: What is selected.
        own: Its parameters.
        used: Parameters of the section that have an effect with it, whatever their declarations
            say about others.

    Raises:
        LawError: A parameter has a name that exists already.
    """
    fields = dataclasses.fields(own) if own else ()
    taken = {one for record in OF_AGENTS for one in declarations(record)}
    for field in fields:
        if field.name in taken:
            raise LawError(
                f'{name}: parameter {field.name} exists already; give it another name, such '
                f'as {field.name}_{short_name(name)}'
            )
    known = declarations(base)[key]
    choices = tuple(dict.fromkeys((*known.choices, name, whole_name(name))))
    chosen = parameter(name, known.meaning, choices=choices, fixed=known.fixed)
    kinds = [(field.name, field.type, _copied(field)) for field in fields]
    kinds += [
        (field.name, field.type, _copied(field, only_with=NOTHING))
        for field in dataclasses.fields(base)
        if field.name in used
    ]
    found = dataclasses.make_dataclass(
        base.__name__, [(key, str, chosen), *kinds], bases=(base,), frozen=True
    )
    found.live = base.live
    return found


def _copied(field: dataclasses.Field, **changes: object) -> Any:
    return dataclasses.field(default=field.default, metadata={**field.metadata, **changes})
