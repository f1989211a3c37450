"""Errors that a user can fix: one line that says what is wrong and how to mend it.

Values of any kind are shown as short text, names that were nearly right are suggested, and a lack
of memory or threads is told with the limits that are in force, followed by a clean end. Only the
standard library is imported, so that all this works when nothing else can be loaded.
"""

import difflib
import itertools
import os
import reprlib
import resource
import sys
from collections.abc import Iterable
from typing import Any, NoReturn


class MobilityError(Exception):
    """Base of every error that this package raises on purpose."""


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
        parts = [
            f'{self.repr1(key, level - 1)}: {self.repr1(one, level - 1)}'
            for key, one in itertools.islice(value.items(), MAX_ITEMS)
        ]
        return f'{{{", ".join(parts + ["..."] * (len(value) > MAX_ITEMS))}}}'

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
    longer = [one for one in known if isinstance(name, str) and one.startswith(f'{name}_')]
    close = closest(name, known)
    return ' or '.join(map(repr, longer[:MOST_MEANT] or [close] * (close is not None)))


def closest(name: Any, known: Iterable[str]) -> str | None:
    """Return the known name most similar to a name, None if none is similar."""
    if not isinstance(name, str):
        return None
    lower = {one.lower(): one for one in known}
    near = difflib.get_close_matches(name.lower(), lower, n=1)
    return lower[near[0]] if near else None


def is_undecoded(text: str) -> bool:
    """Return whether a text contains bytes that Python could not decode."""
    return any('\ud800' <= sign <= '\udfff' for sign in text)


WRONG_INPUT = 2

SIGNS = (
    'Resource temporarily unavailable',
    'Cannot allocate memory',
    'bad_alloc',
    "can't start new thread",
    'unable to start watchdog thread',
    'failed to map segment',
)
"""Messages of Python, C++, Fast DDS and the dynamic loader; the type of the error is ambiguous."""

KINDS = (ImportError, OSError, RuntimeError)
"""Types of these errors."""

LEAST = 2_000_000
"""Address space [kB] below which a process with nodes of ROS may not get all its threads."""


class ShortageError(StartupError):
    """The process gets no more memory or threads."""


def shortage(error: BaseException) -> str | None:
    """Return one line for an error caused by a lack of memory or threads, None for any other."""
    if isinstance(error, ShortageError):
        return str(error)
    is_known = isinstance(error, KINDS) and any(sign in str(error) for sign in SIGNS)
    if not (is_known or isinstance(error, MemoryError)):
        return None
    memory, threads = map(_shown, (_address_space(), _limit(resource.RLIMIT_NPROC)))
    return (
        'the system gives this process no more memory or threads '
        f'(ulimit -v = {memory}, ulimit -u = {threads}): raise the limit, or close other programs'
    )


def warn_of_shortage() -> None:
    """Warn on standard error of a small address space, with which ROS may crash in C++."""
    space = _address_space()
    if space is not None and space < LEAST:
        print(
            f'warning: ulimit -v = {space}: ROS may crash for lack of memory or threads; raise it '
            f'to {LEAST} or more',
            file=sys.stderr,
        )


def _address_space() -> int | None:
    """Return the limit of the address space [kB], None without one."""
    size = _limit(resource.RLIMIT_AS)
    return None if size is None else size // 1024


def _limit(kind: int) -> int | None:
    """Return a limit of this process, None without one."""
    value = resource.getrlimit(kind)[0]
    return None if value == resource.RLIM_INFINITY else value


def _shown(limit: int | None) -> str:
    """Return a limit as ``ulimit`` prints it."""
    return 'unlimited' if limit is None else str(limit)


def end_for_shortage(line: str) -> NoReturn:
    """Print the line and end the process at once.

    Libraries without memory or threads may crash during the shutdown of Python.
    """
    print(f'error: {line}', file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(WRONG_INPUT)
