"""Errors caused by a lack of memory or threads: one line with the limits, and a clean end.

Imports the standard library only, so that it works when nothing else can be loaded.
"""

import os
import resource
import sys
from typing import NoReturn

from velocity_mobility_ros.core.errors import StartupError

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
