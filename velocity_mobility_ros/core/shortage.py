"""Too little memory or too few threads for a process: one line with its limits, and the end.

Knows the standard library alone, so that it can speak when nothing else could be loaded.
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
"""What Python, C++, Fast DDS and the loader of libraries say; the type alone does not tell."""

KINDS = (ImportError, OSError, RuntimeError)
"""Types of errors that say so."""


LEAST = 2_000_000
"""Address space [kB] below which a process with nodes of ROS may not get all its threads."""


class ShortageError(StartupError):
    """The system gives a process no more memory or threads."""


def shortage(error: BaseException) -> str | None:
    """Return one line for an error that comes of too little memory or threads, else None."""
    if isinstance(error, ShortageError):
        return str(error)
    said = isinstance(error, KINDS) and any(sign in str(error) for sign in SIGNS)
    if not (said or isinstance(error, MemoryError)):
        return None
    memory, threads = map(_shown, (_address_space(), _limit(resource.RLIMIT_NPROC)))
    return (
        'the system gives this process no more memory or threads '
        f'(ulimit -v = {memory}, ulimit -u = {threads}): raise the limit, or close other programs'
    )


def warn_of_shortage() -> None:
    """Say on standard error that ROS may end in a crash, in C++, where it can no more be told."""
    space = _address_space()
    if space is not None and space < LEAST:
        print(
            f'warning: ulimit -v = {space}: ROS may crash for want of memory or threads; raise it '
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
    """Return a limit as ``ulimit`` has it."""
    return 'unlimited' if limit is None else str(limit)


def end_for_shortage(line: str) -> NoReturn:
    """Print the line and end the process at once.

    Libraries that did not get a thread or memory may crash while Python takes itself down.
    """
    print(f'error: {line}', file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(WRONG_INPUT)
