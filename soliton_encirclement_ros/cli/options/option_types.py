"""Types of options: numbers as users write them, paths that are not empty."""

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
    """Return the number in a text, in ASCII digits without ``_``, which Python accepts.

    Raises:
        ValueError: It is not a number.
    """
    if not FRACTION.fullmatch(text.strip(' ')):
        raise ValueError(f'{shown(text)} is not a number')
    return float(text)


class _Digits(click.ParamType):
    """Accepts ASCII digits only, before the integer conversion of another type."""

    def convert(
        self, value: Any, param: Optional[click.Parameter], ctx: Optional[click.Context]
    ) -> Any:
        """Return the number; any other text is refused."""
        if isinstance(value, str) and not DIGITS.fullmatch(value.strip(' ')):
            self.fail(f'{shown(value)} is not a valid integer: write digits only', param, ctx)
        return super().convert(value, param, ctx)


class Whole(_Digits, click.types.IntParamType):
    """An integer."""


class Count(_Digits, click.IntRange):
    """An integer within bounds."""


class Number(click.types.FloatParamType):
    """A number."""

    def convert(
        self, value: Any, param: Optional[click.Parameter], ctx: Optional[click.Context]
    ) -> Any:
        """Return the number; any other text is refused."""
        if not isinstance(value, str):
            return super().convert(value, param, ctx)
        try:
            return to_number(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Named(click.Path):
    """A path; an empty one, for example an unset shell variable, is refused, not used as ``.``."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(
        self, value: Any, param: Optional[click.Parameter], ctx: Optional[click.Context]
    ) -> Any:
        """Return the path."""
        if value == '':
            self.fail('is empty: name a file or folder, . for the current one', param, ctx)
        if isinstance(value, str) and any(map(_is_stray_byte, value)):
            self.fail(f'{shown(value)} is not UTF-8 text: give another name', param, ctx)
        return super().convert(value, param, ctx)


def _is_stray_byte(character: str) -> bool:
    """Return whether a character stands for a byte of the command line that is not UTF-8."""
    return '\ud800' <= character <= '\udfff'


class Filled(click.types.StringParamType):
    """A text; an empty one, for example an unset shell variable, is refused, not used as unset."""

    def convert(
        self, value: Any, param: Optional[click.Parameter], ctx: Optional[click.Context]
    ) -> Any:
        """Return the text."""
        if value == '':
            self.fail('is empty: give a value, or leave it out', param, ctx)
        return super().convert(value, param, ctx)


NUMBER, PATH, TEXT, WHOLE = Number(), Named(), Filled(), Whole()
