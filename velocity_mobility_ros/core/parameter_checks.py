"""Checks of a value against the declaration of its parameter: type, range, choices."""

import math
import re
from typing import Any

from velocity_mobility_ros.core.declaration import Declaration
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.magnitudes import beyond
from velocity_mobility_ros.core.shown import closest, shown

MISSING = frozenset(('none', 'null', '~', 'nan', '.nan'))
"""Texts, in lower case, that stand for an optional number that is not set; ``none`` first."""

EXPONENT = re.compile(r'[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)[eE][-+]?[0-9]+')


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
    given, value = value, _converted(declaration, value)
    if declaration.kind is float and not math.isfinite(value):
        raise ParameterError(
            f'{declaration.name} = {shown(given)} must be finite, {declaration.bound}'
        )
    if declaration.kind in (int, float) and not _in_range(declaration, value):
        raise ParameterError(f'{declaration.name} = {shown(value)} must be {declaration.bound}')
    if declaration.kind is float:
        _check_magnitude(declaration, value)
    if declaration.choices and value not in declaration.choices:
        near = closest(value, declaration.choices)
        hint = f'; did you mean {near!r}?' if near else ''
        given = f'{declaration.name} = {shown(value)}'
        raise ParameterError(f'{given} must be {declaration.bound}{hint}')
    return value


def _check_magnitude(declaration: Declaration, value: float) -> None:
    """Refuse a value beyond the bounds that hold for all parameters."""
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
            f'must be {_wanted(declaration)}'
        )
    return value


def _wanted(declaration: Declaration) -> str:
    """Return what a value must be; its meaning shows the format of a text."""
    if declaration.kind is str and not declaration.choices:
        return f'a text in quotes: {declaration.meaning}'
    return f'{_with_article(declaration.kind)} {declaration.bound}'


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
    """Return whether a text is a number such as ``1e-3``, which YAML 1.1 reads as text."""
    return isinstance(value, str) and EXPONENT.fullmatch(value) is not None


def _in_range(declaration: Declaration, value: float) -> bool:
    return (
        (declaration.minimum is None or value >= declaration.minimum)
        and (declaration.maximum is None or value <= declaration.maximum)
        and (declaration.above is None or value > declaration.above)
    )
