"""Declare a parameter once: default, unit, range and meaning live in one frozen record.

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
from velocity_mobility_ros.core.shown import closest, shown

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
) -> Any:
    """Declare one field of a parameter record.

    Args:
        default: Value when nothing is given.
        meaning: One line for people.
        unit: SI unit, empty for dimensionless.
        minimum: Smallest allowed value, inclusive.
        maximum: Largest allowed value, inclusive.
        above: Bound that the value must exceed.
        choices: The allowed texts of a text parameter.
        runtime: Whether a running node accepts a new value.
        fixed: Why it does not.
        only_with: Other parameters and their values without which this one changes nothing.

    Returns:
        A dataclass field that carries the declaration as metadata.
    """
    facts = {
        'meaning': meaning,
        'unit': unit,
        'minimum': minimum,
        'maximum': maximum,
        'above': above,
        'choices': choices,
        'runtime': runtime,
        'fixed': fixed,
        'only_with': only_with,
    }
    return dataclasses.field(default=default, metadata=facts)


@functools.cache
def declarations(record: type) -> dict[str, Declaration]:
    """Return the declarations of a record class by name, in order of writing."""
    hints = typing.get_type_hints(record)
    found = {}
    for field in dataclasses.fields(record):
        kinds = [kind for kind in typing.get_args(hints[field.name]) if kind is not type(None)]
        found[field.name] = Declaration(
            name=field.name,
            kind=kinds[0] if kinds else hints[field.name],
            default=field.default,
            optional=bool(kinds),
            **{**field.metadata, 'runtime': _runtime(record, field.metadata)},
        )
    return found


def _runtime(record: type, facts: Mapping[str, Any]) -> bool:
    return not facts['fixed'] and (facts['runtime'] or getattr(record, 'live', False))


class Parameters:
    """Base of every parameter record, a frozen dataclass that refuses bad values at birth.

    Whole numbers given for a float field are stored as floats. In a record declared as
    ``class Gains(Parameters, live=True)`` a running node accepts new values of every field that
    is not ``fixed``.

    Raises:
        ParameterError: A value has the wrong type or is out of its range.
    """

    live: ClassVar[bool] = False

    def __init_subclass__(cls, live: bool = False, **options: Any) -> None:
        """Take note of whether the whole record may change while a node runs."""
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
        source: Where the values come from, named first in any error.

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
    """Return one line per value that somebody has set and another parameter makes idle, by name.

    Args:
        records: All records with the values in force; a condition on others counts as met.
        called: Returns what people call a parameter, by its name.
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
        if unmet and values[name] != declaration.default:
            given = assigned(called(name), values[name])
            found[name] = f'{given} has no effect without {" and ".join(unmet)}'
    return found


def _suggestion(name: Any, known: Mapping[str, Declaration]) -> str:
    close = closest(name, known)
    if close is not None:
        return f'; did you mean {close!r}?'
    return '; allowed keys are ' + ', '.join(known)
