"""Parameters, declared once: default, unit, range and meaning, in a frozen record.

A value is checked against its declaration: type, range, choices. All numbers lie far beyond what
any vehicle needs, but within bounds (``LARGEST``, ``SMALLEST``, ``BY_UNIT``) by which no product
of two parameters overflows, nothing divides by almost 0, and a duration in nanoseconds fits into
the types of ROS.
"""

import dataclasses
import functools
import math
import re
import typing
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, TypeVar

from velocity_mobility_ros.core.user_errors import ParameterError, closest, shown, suggestion


class Declaration(NamedTuple):
    """Declaration of one parameter.

    ``minimum`` and ``maximum`` are inclusive, ``above`` is exclusive. ``optional`` allows None
    in every spelling that ``is_missing`` accepts. ``runtime`` allows a change while the node runs;
    ``fixed`` is the reason why not, if reading it once at start is not reason enough.
    ``only_with`` maps other parameters to the values without which this one has no effect.
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
        """The allowed range as text, with its unit."""
        if self.choices:
            return 'one of ' + ', '.join(self.choices)
        if self.kind in (bool, str):
            return 'true or false' if self.kind is bool else 'any text'
        limits = (('above', self.above), ('at least', self.minimum), ('at most', self.maximum))
        texts = [f'{relation} {_plain(limit)}' for relation, limit in limits if limit is not None]
        return f'{" and ".join(texts) or "any number"} {self.unit}'.strip()

    @property
    def constraints(self) -> str:
        """The allowed range, its preconditions, and why it cannot change while the node runs."""
        texts = [self.bound]
        if self.only_with:
            needed = (assigned(*pair) for pair in self.only_with.items())
            texts.append(f'only with {" and ".join(needed)}')
        if not self.runtime:
            texts.append(self.fixed or 'read at start')
        return '; '.join(texts)


def assigned(name: str, value: Any) -> str:
    """Return ``name = value`` as text."""
    return f'{name} = {str(value).lower() if isinstance(value, bool) else shown(value)}'


def _plain(limit: float) -> str:
    return str(limit) if isinstance(limit, int) else f'{limit:g}'


LARGEST_COORDINATE = 1e9
"""Largest accepted position [m] and velocity [m/s]."""

LARGEST_DURATION = 1e9
"""Largest duration [s], thirty years."""

LARGEST_ANGLE = 2.0 * math.pi
"""Largest angle [rad], either way: 90 is one in degrees."""

LARGEST = 1e12
"""Largest value of any other parameter, in its own unit."""

SMALLEST = 1e-12
"""Smallest value of a parameter that must be above 0, in its own unit."""

BY_UNIT = {'s': LARGEST_DURATION, 'm/s': LARGEST_COORDINATE, 'rad': LARGEST_ANGLE}


def beyond(value: float, unit: str, above: float | None) -> str:
    """Return the bound that a parameter's value violates, as text without unit; empty if none.

    Args:
        value: The value, finite.
        unit: Its unit.
        above: Bound that it must exceed, None if there is none.
    """
    largest = BY_UNIT.get(unit, LARGEST)
    if abs(value) > largest:
        return f'at most {largest:g}' if value > 0.0 else f'at least {-largest:g}'
    if above == 0.0 and value < SMALLEST:
        return f'at least {SMALLEST:g}'
    return ''


MISSING = frozenset(('none', 'null', '~', 'nan', '.nan'))
"""Texts, in lower case, that stand for an optional number that is not set; ``none`` first."""

EXPONENT = re.compile(r'[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)[eE][-+]?[0-9]+')
"""Numbers such as ``1e-3``, which YAML 1.1 reads as text."""


def is_missing(value: Any) -> bool:
    """Return whether a value stands for an optional number that is not set.

    These are null and NaN of YAML, NaN of ROS, and the text ``none``.
    """
    if isinstance(value, str):
        return value.strip().lower() in MISSING
    return value is None or (isinstance(value, float) and math.isnan(value))


def checked(declaration: Declaration, value: Any) -> Any:
    """Return a value in the type of its parameter, None for one that is not set.

    Raises:
        ParameterError: The value has the wrong type or is out of its range.
    """
    if declaration.optional and is_missing(value):
        return None
    given, value = value, _convert(declaration, value)
    if declaration.kind is float and not math.isfinite(value):
        raise ParameterError(
            f'{declaration.name} = {shown(given)} must be finite, {declaration.bound}'
        )
    if declaration.kind in (int, float) and not _in_range(declaration, value):
        raise ParameterError(f'{declaration.name} = {shown(value)} must be {declaration.bound}')
    if declaration.kind is float and (bound := beyond(value, declaration.unit, declaration.above)):
        given = f'{declaration.name} = {shown(value)} must be {bound} {declaration.unit}'
        raise ParameterError(given.rstrip())
    if declaration.choices and value not in declaration.choices:
        near = closest(value, declaration.choices)
        hint = f'; did you mean {near!r}?' if near else ''
        given = f'{declaration.name} = {shown(value)}'
        raise ParameterError(f'{given} must be {declaration.bound}{hint}')
    return value


def _convert(declaration: Declaration, value: Any) -> Any:
    is_exponent = isinstance(value, str) and EXPONENT.fullmatch(value)
    if declaration.kind is float and (type(value) is int or is_exponent):
        try:
            return float(value)
        except OverflowError:
            return math.inf
    if type(value) is not declaration.kind:
        raise ParameterError(
            f'{declaration.name} = {shown(value)} is {_kind_of(value)}, '
            f'must be {_expected_kind(declaration)}'
        )
    return value


def _expected_kind(declaration: Declaration) -> str:
    """Return the expected kind of value; for a text its meaning shows the format."""
    if declaration.kind is str and not declaration.choices:
        return f'a text in quotes: {declaration.meaning}'
    return f'{_with_article(declaration.kind)} {declaration.bound}'


def _kind_of(value: Any) -> str:
    return 'no value' if value is None else _with_article(type(value))


def _with_article(kind: type) -> str:
    return f'{"an" if kind.__name__[0] in "aeiou" else "a"} {kind.__name__}'


def _in_range(declaration: Declaration, value: float) -> bool:
    return (
        (declaration.minimum is None or value >= declaration.minimum)
        and (declaration.maximum is None or value <= declaration.maximum)
        and (declaration.above is None or value > declaration.above)
    )


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
        meaning: Description in one line.
        unit: SI unit, empty for dimensionless.
        minimum: Smallest allowed value, inclusive.
        maximum: Largest allowed value, inclusive.
        above: Bound that the value must exceed.
        choices: Allowed values of a text parameter.
        runtime: Whether a running node accepts a new value.
        fixed: The reason why it does not.
        only_with: Values of other parameters without which this one has no effect.

    Returns:
        A dataclass field that carries the declaration as metadata.
    """
    metadata = {name: value for name, value in locals().items() if name != 'default'}
    return dataclasses.field(default=default, metadata=metadata)


def declarations(record: type) -> dict[str, Declaration]:
    """Return the declarations of a record class by name, in order of declaration.

    Raises:
        ParameterError: A field is not declared with ``parameter``.
    """
    return _declarations(record)


@functools.cache
def _declarations(record: Any) -> dict[str, Declaration]:
    hints = typing.get_type_hints(record)
    by_name = {}
    for field in dataclasses.fields(record):
        if 'fixed' not in field.metadata:
            wanted = f'declare it as {field.name}: TYPE = parameter(DEFAULT, DESCRIPTION)'
            raise ParameterError(f'{record.__name__}.{field.name} is no parameter: {wanted}')
        kinds = [kind for kind in typing.get_args(hints[field.name]) if kind is not type(None)]
        may_change = field.metadata['runtime'] or getattr(record, 'live', False)
        by_name[field.name] = Declaration(
            name=field.name,
            kind=kinds[0] if kinds else hints[field.name],
            default=field.default,
            optional=bool(kinds),
            **{**field.metadata, 'runtime': may_change and not field.metadata['fixed']},
        )
    return by_name


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
            raise ParameterError(f'{source}: unknown key {shown(name)}{suggestion(name, known)}')
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
        name: f'{assigned(called(name), getattr(record, name))} has no effect {reasons[name]}'
        for record in records
        for name, declaration in declarations(type(record)).items()
        if name in reasons and getattr(record, name) != declaration.default
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
    values = {
        name: getattr(record, name)
        for record in records
        for name in declarations(type(record))
    }
    reasons = {}
    for name, declaration in (
        pair for record in records for pair in declarations(type(record)).items()
    ):
        unmet = [
            assigned(called(other), wanted)
            for other, wanted in declaration.only_with.items()
            if values.get(other, wanted) != wanted
        ]
        if unmet:
            reasons[name] = f'without {" and ".join(unmet)}'
    return reasons
