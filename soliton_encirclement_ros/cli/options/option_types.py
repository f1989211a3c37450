"""What options take: numbers as people write them, paths that name something."""

import re
from pathlib import Path
from typing import Any, Optional

import click
from velocity_mobility_ros.core.shown import shown

DIGITS = re.compile(r'[-+]?[0-9]{1,100}')
FRACTION = re.compile(
    r'[-+]?([0-9]{1,400}\.?[0-9]{0,400}|\.[0-9]{1,400}|inf|infinity|nan)(e[-+]?[0-9]{1,9})?',
    re.IGNORECASE | re.ASCII,
)


def to_number(text: str) -> float:
    """Return the number that a text says, in ASCII digits without ``_``, which Python takes.

    Raises:
        ValueError: It is none.
    """
    if not FRACTION.fullmatch(text.strip(' ')):
        raise ValueError(f'{shown(text)} is no number')
    return float(text)


class _Digits(click.ParamType):
    """What takes ASCII digits only, before the whole number of another type."""

    def convert(
        self, value: Any, param: Optional[click.Parameter], ctx: Optional[click.Context]
    ) -> Any:
        """Return the number; what is none is refused."""
        if isinstance(value, str) and not DIGITS.fullmatch(value.strip(' ')):
            self.fail(f'{shown(value)} is not a valid integer: write digits only', param, ctx)
        return super().convert(value, param, ctx)


class Whole(_Digits, click.types.IntParamType):
    """A whole number."""


class Count(_Digits, click.IntRange):
    """A whole number within bounds."""


class Number(click.types.FloatParamType):
    """A number."""

    def convert(
        self, value: Any, param: Optional[click.Parameter], ctx: Optional[click.Context]
    ) -> Any:
        """Return the number; what is none is refused."""
        if not isinstance(value, str):
            return super().convert(value, param, ctx)
        try:
            return to_number(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Named(click.Path):
    """A path; an empty one, an unset variable of a shell say, is refused, not taken as ``.``."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(
        self, value: Any, param: Optional[click.Parameter], ctx: Optional[click.Context]
    ) -> Any:
        """Return the path."""
        if value == '':
            self.fail('is empty: name a file or folder, . for the present one', param, ctx)
        if isinstance(value, str) and any(map(_is_stray_byte, value)):
            self.fail(f'{shown(value)} is not UTF-8 text: give another name', param, ctx)
        return super().convert(value, param, ctx)


def _is_stray_byte(character: str) -> bool:
    """Return whether a character stands for a byte of the command line that is no UTF-8."""
    return '\ud800' <= character <= '\udfff'


class Filled(click.types.StringParamType):
    """A text; an empty one, an unset variable of a shell say, is refused, not taken as unset."""

    def convert(
        self, value: Any, param: Optional[click.Parameter], ctx: Optional[click.Context]
    ) -> Any:
        """Return the text."""
        if value == '':
            self.fail('is empty: give a value, or leave it out', param, ctx)
        return super().convert(value, param, ctx)


NUMBER, PATH, TEXT, WHOLE = Number(), Named(), Filled(), Whole()
