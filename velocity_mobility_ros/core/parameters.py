"""Declare a parameter once: default, unit, range and meaning live in one frozen record.

The same record validates a scenario file, declares ROS parameters and prints the tables of the
documentation. A field is written as ``tau_xy: float = parameter(1.0, 'lag', unit='s',
above=0.0)``.
"""

import dataclasses
import functools
import math
import re
import typing
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, TypeVar

from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.magnitudes import beyond
from velocity_mobility_ros.core.shown import closest, shown

Record = TypeVar('Record')
MISSING = frozenset(('none', 'null', '~', 'nan', '.nan'))
"""Texts, in lower case, that stand for an optional number that is not set; ``none`` first."""

NOTHING: Mapping[str, Any] = MappingProxyType({})

EXPONENT = re.compile(r'[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)[eE][-+]?[0-9]+')


class Declaration(NamedTuple):
    """Everything known about one parameter.

    ``minimum`` and ``maximum`` are inclusive, ``above`` is exclusive. ``optional`` allows None
    in every spelling that ``is_missing`` knows. ``runtime`` allows a change while the node runs;
    ``fixed`` says why not, where it is not plain that a value is read once. ``only_with`` names
    other parameters and the values of them without which this one changes nothing.
    """

    name: str
    kind: type
    default: Any
    meaning: str
    unit: str
    minimum: float | None
    maximum: float | None
    above: float | None
    choices: tuple[str, ...]
    optional: bool
    runtime: bool
    fixed: str
    only_with: Mapping[str, Any]

    @property
    def bound(self) -> str:
        """The allowed range in words, with its unit."""
        if self.choices:
            return 'one of ' + ', '.join(self.choices)
        if self.kind in (bool, str):
            return 'true or false' if self.kind is bool else 'any text'
        limits = (('above', self.above), ('at least', self.minimum), ('at most', self.maximum))
        parts = [f'{word} {_plain(limit)}' for word, limit in limits if limit is not None]
        return f'{" and ".join(parts) or "any number"} {self.unit}'.strip()

    @property
    def constraints(self) -> str:
        """The allowed range, when it counts, and why it cannot change while the node runs."""
        parts = [self.bound]
        if self.only_with:
            needed = (assigned(*pair) for pair in self.only_with.items())
            parts.append(f'only with {" and ".join(needed)}')
        if not self.runtime:
            parts.append(self.fixed or 'read at start')
        return '; '.join(parts)


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
            object.__setattr__(self, name, _checked(declaration, getattr(self, name)))


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


def assigned(name: str, value: Any) -> str:
    """Return a parameter with a value, as people write it."""
    return f'{name} = {str(value).lower() if isinstance(value, bool) else shown(value)}'


def is_missing(value: Any) -> bool:
    """Say whether a value stands for an optional number that is not set.

    YAML has null and NaN, ROS has NaN only, and people write ``none``: all of them count.
    """
    if isinstance(value, str):
        return value.strip().lower() in MISSING
    return value is None or (isinstance(value, float) and math.isnan(value))


def _plain(limit: float) -> str:
    return str(limit) if isinstance(limit, int) else f'{limit:g}'


def _suggestion(name: Any, known: Mapping[str, Declaration]) -> str:
    close = closest(name, known)
    if close is not None:
        return f'; did you mean {close!r}?'
    return '; allowed keys are ' + ', '.join(known)


def _checked(declaration: Declaration, value: Any) -> Any:
    if declaration.optional and is_missing(value):
        return None
    given, value = value, _converted(declaration, value)
    if declaration.kind is float and not math.isfinite(value):
        raise ParameterError(
            f'{declaration.name} = {shown(given)} must be finite, {declaration.bound}'
        )
    if declaration.kind in (int, float) and not _in_range(declaration, value):
        raise ParameterError(f'{declaration.name} = {shown(value)} must be {declaration.bound}')
    if declaration.kind is float:
        _refuse_absurd(declaration, value)
    if declaration.choices and value not in declaration.choices:
        raise ParameterError(f'{declaration.name} = {shown(value)} must be {declaration.bound}')
    return value


def _refuse_absurd(declaration: Declaration, value: float) -> None:
    """Refuse what is within the declared bound, and beyond what any parameter needs."""
    bound = beyond(value, declaration.unit, declaration.above)
    if bound:
        unit = f' {declaration.unit}'.rstrip()
        raise ParameterError(f'{declaration.name} = {shown(value)} must be {bound}{unit}')


def _converted(declaration: Declaration, value: Any) -> Any:
    if declaration.kind is float and (type(value) is int or _is_exponent(value)):
        return _to_float(value)
    if type(value) is not declaration.kind:
        raise ParameterError(
            f'{declaration.name} = {shown(value)} is {_kind_of(value)}, '
            f'must be {_with_article(declaration.kind)} {declaration.bound}'
        )
    return value


def _kind_of(value: Any) -> str:
    return 'no value' if value is None else _with_article(type(value))


def _with_article(kind: type) -> str:
    return f'{"an" if kind.__name__[0] in "aeiou" else "a"} {kind.__name__}'


def _to_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _is_exponent(value: Any) -> bool:
    """YAML 1.1 reads ``1e-3`` and ``1.5e3`` (without a sign) as text; people mean a number."""
    return isinstance(value, str) and EXPONENT.fullmatch(value) is not None


def _in_range(declaration: Declaration, value: float) -> bool:
    return (
        (declaration.minimum is None or value >= declaration.minimum)
        and (declaration.maximum is None or value <= declaration.maximum)
        and (declaration.above is None or value > declaration.above)
    )
