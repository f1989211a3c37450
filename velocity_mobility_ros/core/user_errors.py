"""Errors that a user can fix: one line that says what is wrong and how to mend it.

Values of any kind are shown as short text, and names that were nearly right are suggested.
"""

import difflib
import itertools
import re
import reprlib
from collections.abc import Iterable, Sequence
from typing import Any

NAME = re.compile(r'[A-Za-z_][A-Za-z0-9_]{0,79}', re.ASCII)
"""Names of vehicles: the last part of a namespace, of 80 characters at most."""


class MobilityError(Exception):
    """Base of every error that this package raises on purpose."""


class MalformedMessageError(MobilityError):
    """A message is damaged, or has invalid numbers or an unknown frame."""


class ParameterError(MobilityError):
    """A parameter is unknown, of the wrong type, or out of its range."""


class StartupError(MobilityError):
    """A node cannot start: a required resource is missing, in use or broken."""


LONGEST = 80
"""Maximum number of characters shown of a value."""

MAX_ITEMS = 20
MOST_MEANT = 3
DEEPEST = 3
MAX_DECIMAL_BITS = 2000
"""Larger integers are shown in hex: Python refuses to convert them to decimal."""


class _Writer(reprlib.Repr):
    """Formats only the beginning of a value, which YAML aliases can make huge."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = DEEPEST
        self.maxlist = self.maxtuple = self.maxset = MAX_ITEMS
        self.maxother = LONGEST + 1

    def repr_str(self, value: str, level: int) -> str:
        """Return a text; ``level`` is unused, here and below."""
        return repr(value[: LONGEST + 1])

    def repr_bytes(self, value: bytes, level: int) -> str:
        """Return bytes."""
        return repr(value[: LONGEST + 1])

    def repr_dict(self, value: dict[Any, Any], level: int) -> str:
        """Return a mapping in its own order."""
        if level <= 0:
            return '{...}'
        texts = [
            f'{self.repr1(key, level - 1)}: {self.repr1(item, level - 1)}'
            for key, item in itertools.islice(value.items(), MAX_ITEMS)
        ]
        return f'{{{", ".join(texts + ["..."] * (len(value) > MAX_ITEMS))}}}'

    def repr_int(self, value: int, level: int) -> str:
        """Return an integer."""
        return repr(value) if value.bit_length() <= MAX_DECIMAL_BITS else hex(value)


_WRITER = _Writer()


def shown(value: Any, longest: int = LONGEST) -> str:
    """Return the ``repr`` of a value, cut after ``longest`` characters, at most ``LONGEST``."""
    text = _WRITER.repr(value)
    return text if len(text) <= longest else f'{text[:longest]}...'


def cut(text: str, longest: int = LONGEST) -> str:
    """Return a text without quotes, cut after ``longest`` characters."""
    return text if len(text) <= longest else f'{text[:longest]}...'


def counted(count: int, thing: str) -> str:
    """Return a number of things, such as 1 message, 2 messages or 3 bodies."""
    if count == 1:
        return f'1 {thing}'
    return f'{count} {thing[:-1]}ies' if thing.endswith('y') else f'{count} {thing}s'


def meant(name: Any, known: Iterable[str]) -> str:
    """Return the known names that one may have meant, as text; empty if none is similar.

    These are all that begin with it (``tau`` for ``tau_xy``), or the most similar one.
    """
    known = [*known]
    longer = [other for other in known if isinstance(name, str) and other.startswith(f'{name}_')]
    close = closest(name, known)
    return ' or '.join(map(repr, longer[:MOST_MEANT] or ([] if close is None else [close])))


def suggestion(name: Any, known: Iterable[str], else_: str = 'allowed keys are') -> str:
    """Return the known names similar to an unknown one, or all, as the end of an error."""
    known = [*known]
    near = meant(name, known)
    return f'; did you mean {near}?' if near else f'; {else_} {", ".join(known)}'


def join_with_and(parts: Sequence[str]) -> str:
    """Return texts as one: a, b and c."""
    *first, last = parts
    return f'{", ".join(first)} and {last}' if first else last


def closest(name: Any, known: Iterable[str]) -> str | None:
    """Return the known name most similar to a name, None if none is similar."""
    if not isinstance(name, str):
        return None
    lower = {other.lower(): other for other in known}
    near = difflib.get_close_matches(name.lower(), lower, n=1)
    return lower[near[0]] if near else None


def is_undecoded(text: str) -> bool:
    """Return whether a text contains bytes that Python could not decode."""
    return any('\ud800' <= sign <= '\udfff' for sign in text)
