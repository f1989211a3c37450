"""Import of numba, or one line that says why the laws run as plain Python."""

import contextlib
import functools
import os
import sys
from collections.abc import Iterator

FIRST_TIME = 'compiling the laws for this machine: once, one to two minutes of one core'
NO_NUMBA = 'numba is not installed: flying with plain Python, which is slow; pip install numba'
SWITCHED_OFF = 'NUMBA_DISABLE_JIT is set: flying with plain Python, which is slow; unset it'
BROKEN_NUMBA = 'numba cannot be loaded ({}): flying with plain Python, which is slow'

LEVEL = 'NUMBA_OPT'
"""How much numba optimises: at 1 flights are as fast as at 3, its default, and compiled sooner."""

SCIPY = 'scipy'
"""numba imports its linear algebra with the first function that it loads, which takes 0.25 s."""


def say(line: str) -> None:
    """Print a line on standard error."""
    print(line, file=sys.stderr, flush=True)


@functools.cache
def say_first_time() -> None:
    """Print, once, that a compilation takes its time."""
    say(FIRST_TIME)


@functools.cache
def has_numba() -> bool:
    """Return whether numba can compile; print a line, once, if not."""
    trouble = numba_trouble()
    if trouble:
        say(trouble)
    return not trouble


def numba_trouble() -> str:
    """Return why numba cannot compile, empty if it can."""
    os.environ.setdefault(LEVEL, '1')
    try:
        import numba
    except ModuleNotFoundError:
        return NO_NUMBA
    except Exception as error:  # for example incompatible versions of numba and numpy
        return BROKEN_NUMBA.format(' '.join(str(error).split())[:200])
    return SWITCHED_OFF if numba.config.DISABLE_JIT else ''  # it returns functions unchanged


@contextlib.contextmanager
def without_scipy() -> Iterator[None]:
    """Keep numba from importing scipy; only the compiler needs it, not compiled code."""
    if SCIPY not in sys.modules:
        sys.modules[SCIPY] = None  # an import of it raises ImportError
    try:
        yield
    finally:
        allow_scipy()


def allow_scipy() -> None:
    """End ``without_scipy`` early."""
    if sys.modules.get(SCIPY, sys) is None:
        del sys.modules[SCIPY]
