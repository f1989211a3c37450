"""Declare a parameter once, with default, unit, range and meaning, in a frozen record.

The same record validates a scenario file, declares ROS parameters and prints the tables of the
documentation. A field is written as ``tau_xy: float = parameter(1.0, 'lag', unit='s',
above=0.0)``.
"""

import dataclasses
import functools
import typing
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

from velocity_mobility_ros.core.declaration import Declaration, assigned
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.parameter_checks import checked
from velocity_mobility_ros.core.shown import meant, shown

Record = TypeVar('Record')
NOTHING: Mapping[str, Any] = MappingProxyType({})


def parameter(
    default: Any,
    meaning: str,
    *,
    unit: str = '',
    minimum: float | None = None,
    maximum: float | None = None,
    above: float | None = None,
    choices: tuple[str, ...] = (),
    runtime: bool = False,
    fixed: str = '',
    only_with: Mapping[str, Any] = NOTHING,
    not_with: Mapping[str, Any] = NOTHING,
) -> Any:
    """Declare one field of a parameter record.

    Args:
        default: Value when nothing is given.
        meaning: Description in one line.
        unit: SI unit, empty for dimensionless.
        minimum: Smallest allowed value, inclusive.
        maximum: Largest allowed value, inclusive.
        above: Bound that the value must exceed.
        choices: Allowed values of a text parameter.
        runtime: Whether a running node accepts a new value.
        fixed: The reason why it does not.
        only_with: Values of other parameters without which this one has no effect.
        not_with: Values of other parameters with each of which it has none.

    Returns:
        A dataclass field that carries the declaration as metadata.
    """
    metadata = {
        'meaning': meaning,
        'unit': unit,
        'minimum': minimum,
        'maximum': maximum,
        'above': above,
        'choices': choices,
        'runtime': runtime,
        'fixed': fixed,
        'only_with': only_with,
        'not_with': not_with,
    }
    return dataclasses.field(default=default, metadata=metadata)


@functools.cache
def declarations(record: type) -> dict[str, Declaration]:
    """Return the declarations of a record class by name, in order of declaration.

    Raises:
        ParameterError: A field is not declared with ``parameter``.
    """
    hints = typing.get_type_hints(record)
    found = {}
    for field in dataclasses.fields(record):
        if 'fixed' not in field.metadata:
            wanted = f'declare it as {field.name}: TYPE = parameter(DEFAULT, DESCRIPTION)'
            raise ParameterError(f'{record.__name__}.{field.name} is no parameter: {wanted}')
        kinds = [kind for kind in typing.get_args(hints[field.name]) if kind is not type(None)]
        found[field.name] = Declaration(
            name=field.name,
            kind=kinds[0] if kinds else hints[field.name],
            default=field.default,
            optional=bool(kinds),
            **{**field.metadata, 'runtime': _runtime(record, field.metadata)},
        )
    return found


def _runtime(record: type, metadata: Mapping[str, Any]) -> bool:
    return not metadata['fixed'] and (metadata['runtime'] or getattr(record, 'live', False))


class Parameters:
    """Base of every parameter record, a frozen dataclass that refuses invalid values.

    Whole numbers given for a float field are stored as floats. In a record declared as
    ``class Gains(Parameters, live=True)`` a running node accepts new values of every field that
    is not ``fixed``.

    Raises:
        ParameterError: A value has the wrong type or is out of its range.
    """

    live: ClassVar[bool] = False

    def __init_subclass__(cls, live: bool = False, **options: Any) -> None:
        """Store whether all fields may change while a node runs."""
        super().__init_subclass__(**options)
        cls.live = live

    def __post_init__(self) -> None:
        """Validate every field."""
        for name, declaration in declarations(type(self)).items():
            object.__setattr__(self, name, checked(declaration, getattr(self, name)))


def build(record: type[Record], values: Mapping[str, Any], source: str) -> Record:
    """Make a record from plain values.

    Args:
        record: The record class.
        values: Parameter values by name; missing names take their default.
        source: Origin of the values, named first in errors.

    Raises:
        ParameterError: A name is unknown or a value is refused.
    """
    known = declarations(record)
    for name in values:
        if name not in known:
            raise ParameterError(f'{source}: unknown key {shown(name)}{_suggestion(name, known)}')
    try:
        return record(**values)
    except ParameterError as error:
        raise ParameterError(f'{source}: {error}') from None


def without_effect(
    records: Iterable['Parameters'], called: Callable[[str], str] = str
) -> dict[str, str]:
    """Return a warning for each value that has no effect because of another parameter, by name.

    Args:
        records: Records with the current values; conditions on other records count as met.
        called: Returns the name to show for a parameter.
    """
    records = list(records)
    reasons = why_ineffective(records, called)
    return {
        name: f'{assigned(called(name), getattr(one, name))} has no effect {reasons[name]}'
        for one in records
        for name, declaration in declarations(type(one)).items()
        if name in reasons and getattr(one, name) != declaration.default
    }


def why_ineffective(
    records: Iterable['Parameters'], called: Callable[[str], str] = str
) -> dict[str, str]:
    """Return why parameters have no effect whatever their value is, by name.

    Args:
        records: As above.
        called: As above.
    """
    records = list(records)
    values = {name: getattr(one, name) for one in records for name in declarations(type(one))}
    found = {}
    for name, declaration in (pair for one in records for pair in declarations(type(one)).items()):
        unmet = [
            assigned(called(other), wanted)
            for other, wanted in declaration.only_with.items()
            if values.get(other, wanted) != wanted
        ]
        against = [
            assigned(called(other), refused)
            for other, refused in declaration.not_with.items()
            if other in values and values[other] == refused
        ]
        reasons = [f'without {" and ".join(unmet)}'] if unmet else []
        reasons += [f'with {" and ".join(against)}'] if against else []
        if reasons:
            found[name] = ', and none '.join(reasons)
    return found


def _suggestion(name: Any, known: Mapping[str, Declaration]) -> str:
    if near := meant(name, known):
        return f'; did you mean {near}?'
    return '; allowed keys are ' + ', '.join(known)
